package io.feedline.gpu.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A CUDA driver without a GPU, strict and adversarial: it really copies, but when its {@link
 * Schedule} says; it refuses what the manual forbids; and it records as a violation whatever would
 * go wrong under some other schedule, in the manner of a race detector.
 *
 * <p>Device memory is memory of this process. A test plays the GPU's other users: {@link #launch}
 * puts a kernel into a stream, {@link #hostRead} and {@link #hostWrite} say that Java code reads or
 * writes memory that copies read or write too, since that cannot be seen from here. All host
 * threads count as one; see {@link RaceDetector}. {@link #hold} keeps a stream from going on.
 *
 * <p>Where the manual leaves a choice, the worse is taken: asynchronous copies are asynchronous
 * even if the host memory is not page-locked (but its content is then taken at the call), and
 * freeing page-locked memory waits for nothing. Freeing device memory waits for the GPU, as is
 * promised of {@code cuMemAlloc}'s.
 *
 * <p>{@link #assertNothingLeft} and {@link #assertNoViolations} belong at each test's end.
 *
 * <p>Thread-safe: one lock guards everything, and a thread that waits runs the work that it waits
 * for.
 */
public final class FakeDriver implements Driver {

  private static final int SUCCESS = 0;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int NOT_INITIALIZED = 3;
  private static final int DEINITIALIZED = 4;
  private static final int NO_DEVICE = 100;
  private static final int INVALID_DEVICE = 101;
  private static final int INVALID_CONTEXT = 201;
  private static final int INVALID_HANDLE = 400;
  private static final int NOT_READY = 600;
  private static final int CONTEXT_IS_DESTROYED = 709;

  private static final long EXPLICIT_LEGACY = 1;

  private static final int GREATEST_PRIORITY = -5;

  public record Live(
      int contexts, int entered, int streams, int events, int pinned, int deviceBlocks) {

    public static final Live NOTHING = new Live(0, 0, 0, 0, 0, 0);
  }

  public interface Hold {
    void release();
  }

  private enum Needs {
    NOTHING,
    DRIVER,
    CONTEXT
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private final List<String> violations = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private final FakeFailures failures = new FakeFailures();
  private final FakeErrorNames names = new FakeErrorNames();
  private final FakeContexts contexts = new FakeContexts();
  private final FakeMemory memory = new FakeMemory(violations);
  private final RaceDetector races = new RaceDetector(violations);
  private final FakeStreams streams;
  private final Map<Long, FakeEvent> events = new LinkedHashMap<>();

  private int devices = 1;
  private long pinnedLimit = Long.MAX_VALUE;
  private long deviceLimit = Long.MAX_VALUE;
  private boolean initialized;
  private boolean gone;
  private long mostPinnedBytes;
  private long nextHandle = 0x1000;

  private FakeDriver(Schedule schedule) {
    this.streams = new FakeStreams(schedule, races, violations, changed);
  }

  public static FakeDriver of(Schedule schedule) {
    return new FakeDriver(schedule);
  }

  public Cuda cuda() {
    return Cuda.of(this);
  }

  public FakeDriver devices(int count) {
    locked(() -> devices = count);
    return this;
  }

  public FakeDriver pinnedLimit(long bytes) {
    locked(() -> pinnedLimit = bytes);
    return this;
  }

  public FakeDriver deviceLimit(long bytes) {
    locked(() -> deviceLimit = bytes);
    return this;
  }

  /** Makes a test's own memory device memory of GPU 0. */
  public void registerDevice(long address, long bytes) {
    locked(() -> memory.register(address, bytes, 0, Caller.here()));
  }

  public void unregisterDevice(long address) {
    locked(() -> memory.unregister(address));
  }

  public long foreignStream(int device) {
    return locked(() -> streams.create(handle(), device, FakeStream.Kind.NON_BLOCKING, "").handle);
  }

  // ---- What others do to the same memory

  /**
   * Puts a kernel into a stream, as somebody else does: needs no context.
   *
   * @param body run when its turn comes, by whichever thread lets it; must not call the driver. An
   *     exception of it is a violation
   * @param accesses the memory that it reads and writes
   */
  public void launch(long stream, String what, Runnable body, Access... accesses) {
    locked(() -> put(stream, what, body, accesses));
  }

  private Operation put(long stream, String what, Runnable body, Access... accesses) {
    FakeStream target = existing(stream);
    for (Access access : accesses) {
      memory.any(access.address(), access.bytes(), what + " (" + Caller.here() + ")");
    }
    Operation operation = streams.put(target, what, List.of(), List.of(accesses), body);
    streams.step();
    return operation;
  }

  /**
   * Puts something into a stream that does not end before it is released. A thread that waits for
   * it meanwhile, waits.
   */
  public Hold hold(long stream) {
    return locked(
        () -> {
          Operation operation =
              streams.put(existing(stream), "hold", List.of(), List.of(), () -> {});
          operation.held = true;
          return () ->
              locked(
                  () -> {
                    streams.release(operation);
                    streams.step();
                  });
        });
  }

  public void hostRead(long address, long bytes) {
    host(Access.read(address, bytes), "a read by the host");
  }

  public void hostRead(ByteBuffer buffer) {
    hostRead(address(buffer), buffer.remaining());
  }

  public void hostWrite(long address, long bytes) {
    host(Access.write(address, bytes), "a write by the host");
  }

  public void hostWrite(ByteBuffer buffer) {
    hostWrite(address(buffer), buffer.remaining());
  }

  private void host(Access access, String what) {
    locked(
        () -> {
          streams.step();
          memory.host(access.address(), access.bytes(), what);
          races.host(access, what + " (" + Caller.here() + ")");
        });
  }

  private static long address(ByteBuffer buffer) {
    return CudaContext.address(buffer) + buffer.position();
  }

  /** Memory as it is now, before any queued change. */
  public byte[] peek(long address, int bytes) {
    return locked(
        () -> {
          byte[] content = new byte[bytes];
          FakeMemory.buffer(address, bytes).get(content);
          return content;
        });
  }

  // ---- Failures

  /**
   * Lets the nth call of any function from now on, the first being 1, give a code. It then does
   * nothing, unless it frees, destroys, releases or pops: these report failures of earlier work,
   * too.
   */
  public void failCall(int nth, int code) {
    locked(() -> failures.failCall(nth, code));
  }

  public void fail(String function, int nth, int code) {
    locked(() -> failures.fail(function, nth, code));
  }

  /** The driver goes, as at the end of the process: all is freed, and every call gives code 4. */
  public void deinitialize() {
    locked(
        () -> {
          gone = true;
          contexts.releaseAll();
          streams.abandon();
          events.clear();
          memory.live(FakeMemory.Kind.PINNED).forEach(memory::free);
          memory.live(FakeMemory.Kind.DEVICE).forEach(memory::free);
        });
  }

  /** The names of all functions called so far, but for {@code cuGetErrorName}. */
  public List<String> calls() {
    return locked(() -> List.copyOf(calls));
  }

  public Live live() {
    return locked(
        () ->
            new Live(
                contexts.retains(),
                contexts.entered(),
                ownStreams().size(),
                events.size(),
                memory.live(FakeMemory.Kind.PINNED).size(),
                memory.live(FakeMemory.Kind.DEVICE).size()));
  }

  public long pinnedBytes() {
    return locked(() -> memory.liveBytes(FakeMemory.Kind.PINNED));
  }

  /** Returns the forbidden calls, as sentences. */
  public List<String> violations() {
    return locked(
        () -> {
          memory.checkFreed();
          return List.copyOf(violations);
        });
  }

  public long mostPinnedBytes() {
    return locked(() -> mostPinnedBytes);
  }

  public void assertNothingLeft() {
    locked(
        () -> {
          if (!live().equals(Live.NOTHING)) {
            List<String> left = new ArrayList<>();
            left.add(live().toString());
            left.add("entered: " + contexts);
            ownStreams().forEach(stream -> left.add(stream + ", made " + stream.madeAt));
            events.values().forEach(event -> left.add(event + ", made " + event.madeAt));
            memory.live(FakeMemory.Kind.PINNED).forEach(block -> left.add(block.toString()));
            memory.live(FakeMemory.Kind.DEVICE).forEach(block -> left.add(block.toString()));
            throw new AssertionError("not given back: " + String.join("\n  ", left));
          }
        });
  }

  public void assertNoViolations() {
    List<String> found = violations();
    if (!found.isEmpty()) {
      throw new AssertionError(found.size() + " violations:\n  " + String.join("\n  ", found));
    }
  }

  private List<FakeStream> ownStreams() {
    return streams.created().stream().filter(stream -> !stream.madeAt.isEmpty()).toList();
  }

  @Override
  public int cuInit(int flags) {
    return call(
        "cuInit",
        Needs.NOTHING,
        () -> {
          if (flags != 0) {
            return INVALID_VALUE;
          }
          if (devices == 0) {
            return NO_DEVICE;
          }
          initialized = true;
          return SUCCESS;
        });
  }

  @Override
  public int cuDriverGetVersion(int[] version) {
    return call(
        "cuDriverGetVersion",
        Needs.NOTHING,
        () -> {
          version[0] = 12080;
          return SUCCESS;
        });
  }

  @Override
  public int cuDeviceGetCount(int[] count) {
    return call(
        "cuDeviceGetCount",
        Needs.DRIVER,
        () -> {
          count[0] = devices;
          return SUCCESS;
        });
  }

  @Override
  public int cuDeviceGet(int[] device, int ordinal) {
    return callOf(
        "cuDeviceGet",
        ordinal,
        () -> {
          device[0] = ordinal;
          return SUCCESS;
        });
  }

  @Override
  public int cuDeviceGetName(byte[] name, int length, int device) {
    return callOf("cuDeviceGetName", device, () -> text(name, length, "Fake GPU " + device));
  }

  @Override
  public int cuDeviceGetPCIBusId(byte[] id, int length, int device) {
    return callOf(
        "cuDeviceGetPCIBusId",
        device,
        () -> text(id, length, "0000:%02X:00.0".formatted(device + 1)));
  }

  private static int text(byte[] to, int length, String text) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > length) {
      return INVALID_VALUE;
    }
    System.arraycopy(bytes, 0, to, 0, bytes.length);
    return SUCCESS;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long[] context, int device) {
    return callOf(
        "cuDevicePrimaryCtxRetain",
        device,
        () -> {
          contexts.retain(device);
          context[0] = contexts.handle(device);
          return SUCCESS;
        });
  }

  @Override
  public int cuDevicePrimaryCtxRelease(int device) {
    return callThatGivesBack(
        "cuDevicePrimaryCtxRelease",
        Needs.DRIVER,
        () -> {
          if (contexts.retains(device) == 0) {
            return INVALID_CONTEXT;
          }
          contexts.release(device);
          if (contexts.retains(device) == 0) {
            end(device);
          }
          return SUCCESS;
        });
  }

  /** The context's last user has gone, and all that is in it goes too. */
  private void end(int device) {
    streams.completeAll(device);
    List<Object> left = new ArrayList<>();
    for (FakeStream stream : ownStreams()) {
      if (stream.device == device) {
        left.add(stream + ", made " + stream.madeAt);
        streams.destroy(stream);
      }
    }
    for (FakeEvent event : List.copyOf(events.values())) {
      if (event.device == device) {
        left.add(event + ", made " + event.madeAt);
        events.remove(event.handle);
      }
    }
    for (FakeMemory.Kind kind : List.of(FakeMemory.Kind.PINNED, FakeMemory.Kind.DEVICE)) {
      for (FakeMemory.Block block : memory.live(kind)) {
        if (block.device == device) {
          left.add(block.toString());
          memory.free(block);
        }
      }
    }
    if (!left.isEmpty()) {
      violations.add(
          "the context of GPU %d ended (%s) before %s".formatted(device, Caller.here(), left));
    }
  }

  @Override
  public int cuCtxPushCurrent(long context) {
    return call(
        "cuCtxPushCurrent", Needs.DRIVER, () -> contexts.push(context) ? SUCCESS : INVALID_CONTEXT);
  }

  @Override
  public int cuCtxPopCurrent(long[] context) {
    return callThatGivesBack(
        "cuCtxPopCurrent",
        Needs.DRIVER,
        () -> {
          int device = contexts.pop();
          if (device < 0) {
            return INVALID_CONTEXT;
          }
          context[0] = contexts.handle(device);
          return SUCCESS;
        });
  }

  @Override
  public int cuCtxGetStreamPriorityRange(int[] leastPriority, int[] greatestPriority) {
    return call(
        "cuCtxGetStreamPriorityRange",
        Needs.CONTEXT,
        () -> {
          leastPriority[0] = 0;
          greatestPriority[0] = GREATEST_PRIORITY;
          return SUCCESS;
        });
  }

  @Override
  public int cuMemHostAlloc(long[] pointer, long bytes, int flags) {
    return call(
        "cuMemHostAlloc",
        Needs.CONTEXT,
        () -> {
          if ((flags & ~7) != 0) {
            return INVALID_VALUE;
          }
          return allocate(pointer, FakeMemory.Kind.PINNED, bytes, pinnedLimit);
        });
  }

  @Override
  public int cuMemAlloc(long[] pointer, long bytes) {
    return call(
        "cuMemAlloc",
        Needs.CONTEXT,
        () -> allocate(pointer, FakeMemory.Kind.DEVICE, bytes, deviceLimit));
  }

  private int allocate(long[] pointer, FakeMemory.Kind kind, long bytes, long limit) {
    if (bytes == 0) {
      return INVALID_VALUE;
    }
    if (bytes < 0 || bytes > limit - memory.liveBytes(kind)) {
      return OUT_OF_MEMORY;
    }
    pointer[0] = memory.allocate(kind, bytes, contexts.device(), Caller.here());
    mostPinnedBytes = Math.max(mostPinnedBytes, memory.liveBytes(FakeMemory.Kind.PINNED));
    return SUCCESS;
  }

  @Override
  public int cuMemFreeHost(long pointer) {
    return callThatGivesBack(
        "cuMemFreeHost",
        Needs.CONTEXT,
        () -> {
          FakeMemory.Block block =
              memory.toFree(FakeMemory.Kind.PINNED, pointer, call("cuMemFreeHost"));
          if (block == null) {
            return INVALID_VALUE;
          }
          races.host(Access.write(block.address, block.bytes), call("cuMemFreeHost"));
          memory.free(block);
          return SUCCESS;
        });
  }

  @Override
  public int cuMemFree(long pointer) {
    return callThatGivesBack(
        "cuMemFree",
        Needs.CONTEXT,
        () -> {
          FakeMemory.Block block =
              memory.toFree(FakeMemory.Kind.DEVICE, pointer, call("cuMemFree"));
          if (block == null) {
            return INVALID_VALUE;
          }
          streams.awaitAll(block.device);
          memory.free(block);
          return SUCCESS;
        });
  }

  @Override
  public int cuPointerGetAttribute(int[] value, int attribute, long pointer) {
    return call(
        "cuPointerGetAttribute",
        Needs.CONTEXT,
        () -> {
          FakeMemory.Block block = memory.find(pointer);
          if (attribute != POINTER_ATTRIBUTE_MEMORY_TYPE || block == null || block.freed) {
            return INVALID_VALUE;
          }
          value[0] = block.kind == FakeMemory.Kind.PINNED ? MEMORYTYPE_HOST : 2;
          return SUCCESS;
        });
  }

  @Override
  public int cuStreamCreateWithPriority(long[] stream, int flags, int priority) {
    return call(
        "cuStreamCreateWithPriority",
        Needs.CONTEXT,
        () -> {
          if (flags != 0 && flags != STREAM_NON_BLOCKING) {
            return INVALID_VALUE;
          }
          FakeStream.Kind kind =
              flags == 0 ? FakeStream.Kind.BLOCKING : FakeStream.Kind.NON_BLOCKING;
          stream[0] = streams.create(handle(), contexts.device(), kind, Caller.here()).handle;
          return SUCCESS;
        });
  }

  @Override
  public int cuStreamDestroy(long stream) {
    return callThatGivesBack(
        "cuStreamDestroy",
        Needs.CONTEXT,
        () -> {
          FakeStream doomed = streams.find(stream);
          if (doomed == null) {
            return INVALID_HANDLE;
          }
          streams.destroy(doomed);
          return SUCCESS;
        });
  }

  @Override
  public int cuStreamSynchronize(long stream) {
    return callOn(
        "cuStreamSynchronize",
        stream,
        target -> {
          streams.await(target.last);
          return SUCCESS;
        });
  }

  @Override
  public int cuStreamWaitEvent(long stream, long event, int flags) {
    return callOn(
        "cuStreamWaitEvent",
        stream,
        target -> {
          FakeEvent awaited = events.get(event);
          if (awaited == null) {
            return INVALID_HANDLE;
          }
          if (flags != 0) {
            return INVALID_VALUE;
          }
          if (awaited.record != null) {
            String what = "wait for " + awaited;
            streams.put(target, what, List.of(awaited.record), List.of(), () -> {});
          }
          return SUCCESS;
        });
  }

  @Override
  public int cuEventCreate(long[] event, int flags) {
    return call(
        "cuEventCreate",
        Needs.CONTEXT,
        () -> {
          if ((flags & ~(EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING)) != 0) {
            return INVALID_VALUE;
          }
          boolean timed = (flags & EVENT_DISABLE_TIMING) == 0;
          FakeEvent made = new FakeEvent(handle(), contexts.device(), timed, Caller.here());
          events.put(made.handle, made);
          event[0] = made.handle;
          return SUCCESS;
        });
  }

  @Override
  public int cuEventDestroy(long event) {
    return callThatGivesBack(
        "cuEventDestroy",
        Needs.CONTEXT,
        () -> events.remove(event) == null ? INVALID_HANDLE : SUCCESS);
  }

  @Override
  public int cuEventRecord(long event, long stream) {
    return callOn(
        "cuEventRecord",
        stream,
        target -> {
          FakeEvent recorded = events.get(event);
          if (recorded == null || recorded.device != target.device) {
            return INVALID_HANDLE;
          }
          String what = "record of " + recorded;
          recorded.record = streams.put(target, what, List.of(), List.of(), () -> {});
          return SUCCESS;
        });
  }

  @Override
  public int cuEventSynchronize(long event) {
    return call(
        "cuEventSynchronize",
        Needs.CONTEXT,
        () -> {
          FakeEvent awaited = events.get(event);
          if (awaited == null) {
            return INVALID_HANDLE;
          }
          streams.await(awaited.record);
          return SUCCESS;
        });
  }

  @Override
  public int cuEventElapsedTime(float[] millis, long start, long end) {
    return call(
        "cuEventElapsedTime",
        Needs.CONTEXT,
        () -> {
          FakeEvent first = events.get(start);
          FakeEvent second = events.get(end);
          if (first == null
              || second == null
              || !first.timed
              || !second.timed
              || first.device != second.device
              || first.record == null
              || second.record == null) {
            return INVALID_HANDLE;
          }
          if (!first.record.done || !second.record.done) {
            return NOT_READY;
          }
          millis[0] = second.record.doneMillis - first.record.doneMillis;
          return SUCCESS;
        });
  }

  @Override
  public int cuMemcpyHtoDAsync(long device, long host, long bytes, long stream) {
    return callOn(
        "cuMemcpyHtoDAsync",
        stream,
        target -> {
          String call = call("cuMemcpyHtoDAsync");
          if (!memory.host(host, bytes, call) || !memory.device(device, bytes, call)) {
            return INVALID_VALUE;
          }
          if (memory.pinned(host)) {
            copy(target, "cuMemcpyHtoDAsync", device, host, bytes);
            return SUCCESS;
          }
          races.host(Access.read(host, bytes), call);
          ByteBuffer staged = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
          if (bytes > 0) {
            staged.put(FakeMemory.buffer(host, bytes)).flip();
          }
          copy(
              target,
              "cuMemcpyHtoDAsync",
              List.of(Access.write(device, bytes)),
              () -> FakeMemory.buffer(device, bytes).put(staged));
          return SUCCESS;
        });
  }

  @Override
  public int cuMemcpyDtoDAsync(long to, long from, long bytes, long stream) {
    return callOn(
        "cuMemcpyDtoDAsync",
        stream,
        target -> {
          String call = call("cuMemcpyDtoDAsync");
          if (!memory.device(to, bytes, call) || !memory.device(from, bytes, call)) {
            return INVALID_VALUE;
          }
          if (Access.write(to, bytes).conflictsWith(Access.read(from, bytes))) {
            violations.add(
                "%s from 0x%x to 0x%x overlaps itself in %d bytes"
                    .formatted(call, from, to, bytes));
            return INVALID_VALUE;
          }
          copy(target, "cuMemcpyDtoDAsync", to, from, bytes);
          return SUCCESS;
        });
  }

  @Override
  public int cuMemcpyDtoHAsync(long host, long device, long bytes, long stream) {
    return callOn(
        "cuMemcpyDtoHAsync",
        stream,
        target -> {
          String call = call("cuMemcpyDtoHAsync");
          if (!memory.host(host, bytes, call) || !memory.device(device, bytes, call)) {
            return INVALID_VALUE;
          }
          copy(target, "cuMemcpyDtoHAsync", host, device, bytes);
          return SUCCESS;
        });
  }

  private void copy(FakeStream stream, String function, long to, long from, long bytes) {
    copy(
        stream,
        function,
        List.of(Access.read(from, bytes), Access.write(to, bytes)),
        () -> FakeMemory.copy(to, from, bytes));
  }

  private void copy(FakeStream stream, String function, List<Access> accesses, Runnable body) {
    streams.put(stream, function, List.of(), accesses, body);
  }

  @Override
  public int cuGetErrorName(int result, long[] text) {
    return locked(
        () -> {
          text[0] = names.address(result);
          return text[0] == 0 ? INVALID_VALUE : SUCCESS;
        });
  }

  private interface StreamCall {
    int on(FakeStream stream);
  }

  private int callOf(String function, int device, IntSupplier body) {
    return call(
        function,
        Needs.DRIVER,
        () -> device < 0 || device >= devices ? INVALID_DEVICE : body.getAsInt());
  }

  private int callOn(String function, long handle, StreamCall body) {
    return call(
        function,
        Needs.CONTEXT,
        () -> {
          FakeStream stream = stream(handle);
          return stream == null ? INVALID_HANDLE : body.on(stream);
        });
  }

  private int call(String function, Needs needs, IntSupplier body) {
    return call(function, needs, body, false);
  }

  private int callThatGivesBack(String function, Needs needs, IntSupplier body) {
    return call(function, needs, body, true);
  }

  private int call(String function, Needs needs, IntSupplier body, boolean givesBack) {
    return locked(
        () -> {
          calls.add(function);
          streams.step();
          int failure = failures.count(function);
          int refusal = refusal(needs);
          if (refusal != 0) {
            return refusal;
          }
          if (failure != 0 && !givesBack) {
            return failure;
          }
          int result = body.getAsInt();
          streams.step();
          return failure != 0 ? failure : result;
        });
  }

  private int refusal(Needs needs) {
    if (gone) {
      return DEINITIALIZED;
    }
    if (needs != Needs.NOTHING && !initialized) {
      return NOT_INITIALIZED;
    }
    if (needs == Needs.CONTEXT) {
      int device = contexts.device();
      if (device < 0) {
        return INVALID_CONTEXT;
      }
      if (contexts.retains(device) == 0) {
        return CONTEXT_IS_DESTROYED;
      }
    }
    return SUCCESS;
  }

  private FakeStream existing(long handle) {
    FakeStream stream = stream(handle);
    if (stream == null) {
      throw new IllegalArgumentException("no stream 0x%x".formatted(handle));
    }
    return stream;
  }

  /** The stream of a handle, or null. The legacy one is that of the current context's GPU. */
  private FakeStream stream(long handle) {
    return handle == 0 || handle == EXPLICIT_LEGACY
        ? streams.legacy(Math.max(0, contexts.device()))
        : streams.find(handle);
  }

  private long handle() {
    return nextHandle += 0x10;
  }

  private static String call(String function) {
    return function + " (" + Caller.here() + ")";
  }

  private void locked(Runnable body) {
    locked(
        () -> {
          body.run();
          return null;
        });
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }
}
