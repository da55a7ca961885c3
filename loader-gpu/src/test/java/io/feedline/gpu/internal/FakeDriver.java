package io.feedline.gpu.internal;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A CUDA driver without a GPU, strict and adversarial: it really copies, but when its {@link
 * Schedule} says; it refuses what the manual forbids; and it records as a violation whatever would
 * go wrong under some other schedule, in the manner of a race detector.
 *
 * <p>Device memory is memory of this process. A test plays the GPU's other users: {@link #launch}
 * puts a kernel into a stream, {@link #hostWrite} says that Java code writes memory that copies
 * read or write too, since that cannot be seen from here. All host threads count as one; see {@link
 * RaceDetector}. {@link #hold} keeps a stream from going on.
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

  private static final int GREATEST_PRIORITY = -5;

  private static final Map<Integer, String> NAMES =
      Map.of(
          INVALID_VALUE,
          "CUDA_ERROR_INVALID_VALUE",
          OUT_OF_MEMORY,
          "CUDA_ERROR_OUT_OF_MEMORY",
          DEINITIALIZED,
          "CUDA_ERROR_DEINITIALIZED",
          NO_DEVICE,
          "CUDA_ERROR_NO_DEVICE",
          INVALID_DEVICE,
          "CUDA_ERROR_INVALID_DEVICE",
          INVALID_CONTEXT,
          "CUDA_ERROR_INVALID_CONTEXT",
          304,
          "CUDA_ERROR_OPERATING_SYSTEM");

  public interface Hold {
    void release();
  }

  private static final Pattern WITHOUT_CONTEXT =
      Pattern.compile("^cu(Init|Driver|Device|Ctx(Push|Pop))");

  /** The functions that also report failures of earlier work, and do their own nevertheless. */
  private static final Pattern GIVING_BACK = Pattern.compile("Release|Pop|Free|Destroy");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private final List<String> violations = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  /** The number of calls of each function, and under "" of all functions. */
  private final Map<String, Integer> counts = new HashMap<>();

  private final Map<Integer, Memory> names = new HashMap<>();
  private final FakeContexts contexts = new FakeContexts();
  private final FakeMemory memory = new FakeMemory(violations);
  private final RaceDetector races = new RaceDetector(violations);
  private final FakeStreams streams;
  private final Map<Long, FakeEvent> events = new LinkedHashMap<>();

  private int devices = 1;
  private long limit = Long.MAX_VALUE;
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

  /** Limits the page-locked memory and the device memory, each to a number of bytes. */
  public FakeDriver limit(long bytes) {
    locked(() -> limit = bytes);
    return this;
  }

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
      memory.any(access.address(), access.bytes(), place(what));
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

  public void hostWrite(ByteBuffer buffer) {
    locked(
        () -> {
          Access access =
              Access.write(CudaContext.address(buffer) + buffer.position(), buffer.remaining());
          streams.step();
          memory.host(access.address(), access.bytes(), "a write by the host");
          races.host(access, place("a write by the host"));
        });
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
    fail("", nth, code);
  }

  public void fail(String function, int nth, int code) {
    locked(() -> failures.add(new Failure(function, counts.getOrDefault(function, 0) + nth, code)));
  }

  private record Failure(String function, int at, int code) {}

  /** Counts a call; returns the code with which it is to fail, or 0. */
  private int count(String function) {
    counts.merge("", 1, Integer::sum);
    counts.merge(function, 1, Integer::sum);
    return failures.stream()
        .filter(failure -> failure.function.isEmpty() || failure.function.equals(function))
        .filter(failure -> failure.at == counts.get(failure.function))
        .mapToInt(Failure::code)
        .findFirst()
        .orElse(SUCCESS);
  }

  /** The driver goes, as at the end of the process: all is freed, and every call gives code 4. */
  public void deinitialize() {
    locked(
        () -> {
          gone = true;
          contexts.releaseAll();
          streams.abandon();
          events.clear();
          blocks().forEach(memory::free);
        });
  }

  public List<String> calls() {
    return locked(() -> List.copyOf(calls));
  }

  public int retainedContexts() {
    return locked(() -> contexts.retains());
  }

  public int pinnedBlocks() {
    return locked(() -> memory.live(FakeMemory.Kind.PINNED).size());
  }

  public long pinnedBytes() {
    return locked(() -> memory.liveBytes(FakeMemory.Kind.PINNED));
  }

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
          List<String> left = left(-1);
          if (contexts.retains() > 0 || contexts.entered() > 0) {
            left.add("%d contexts, entered: %s".formatted(contexts.retains(), contexts));
          }
          if (!left.isEmpty()) {
            throw new AssertionError("not given back: " + String.join("\n  ", left));
          }
        });
  }

  /** Describes what was made on a GPU, or on all of them (-1), and not given back. */
  private List<String> left(int device) {
    List<String> left = new ArrayList<>();
    ownStreams().stream()
        .filter(stream -> device < 0 || stream.device == device)
        .forEach(stream -> left.add(stream + ", made " + stream.madeAt));
    events.values().stream()
        .filter(event -> device < 0 || event.device == device)
        .forEach(event -> left.add(event + ", made " + event.madeAt));
    blocks()
        .filter(block -> device < 0 || block.device == device)
        .forEach(block -> left.add(block.toString()));
    return left;
  }

  private Stream<FakeMemory.Block> blocks() {
    return Stream.of(FakeMemory.Kind.PINNED, FakeMemory.Kind.DEVICE)
        .flatMap(kind -> memory.live(kind).stream());
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
        () -> {
          initialized = devices > 0;
          return flags != 0 ? INVALID_VALUE : initialized ? SUCCESS : NO_DEVICE;
        });
  }

  @Override
  public int cuDriverGetVersion(int[] version) {
    return call("cuDriverGetVersion", () -> give(version, 12080));
  }

  @Override
  public int cuDeviceGetCount(int[] count) {
    return call("cuDeviceGetCount", () -> give(count, devices));
  }

  @Override
  public int cuDeviceGet(int[] device, int ordinal) {
    return callOf("cuDeviceGet", ordinal, () -> give(device, ordinal));
  }

  @Override
  public int cuDeviceGetName(byte[] name, int length, int device) {
    return callOf("cuDeviceGetName", device, () -> text(name, "Fake GPU " + device));
  }

  @Override
  public int cuDeviceGetPCIBusId(byte[] id, int length, int device) {
    String text = "0000:%02X:00.0".formatted(device + 1);
    return callOf("cuDeviceGetPCIBusId", device, () -> text(id, text));
  }

  private static int give(int[] to, int value) {
    to[0] = value;
    return SUCCESS;
  }

  private static int give(long[] to, long value) {
    to[0] = value;
    return SUCCESS;
  }

  private static int text(byte[] to, String text) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
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
          return give(context, contexts.handle(device));
        });
  }

  @Override
  public int cuDevicePrimaryCtxRelease(int device) {
    return call(
        "cuDevicePrimaryCtxRelease",
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

  private void end(int device) {
    streams.completeAll(device);
    List<String> left = left(device);
    ownStreams().stream().filter(each -> each.device == device).forEach(streams::destroy);
    events.values().removeIf(event -> event.device == device);
    blocks().filter(block -> block.device == device).forEach(memory::free);
    if (!left.isEmpty()) {
      violations.add(
          "the context of GPU %d ended (%s) before %s".formatted(device, Caller.here(), left));
    }
  }

  @Override
  public int cuCtxPushCurrent(long context) {
    return call("cuCtxPushCurrent", () -> contexts.push(context) ? SUCCESS : INVALID_CONTEXT);
  }

  @Override
  public int cuCtxPopCurrent(long[] context) {
    return call(
        "cuCtxPopCurrent",
        () -> {
          int device = contexts.pop();
          return device < 0 ? INVALID_CONTEXT : give(context, contexts.handle(device));
        });
  }

  @Override
  public int cuCtxGetStreamPriorityRange(int[] leastPriority, int[] greatestPriority) {
    return call(
        "cuCtxGetStreamPriorityRange",
        () -> give(leastPriority, 0) + give(greatestPriority, GREATEST_PRIORITY));
  }

  @Override
  public int cuMemHostAlloc(long[] pointer, long bytes, int flags) {
    return call(
        "cuMemHostAlloc",
        () -> (flags & ~7) != 0 ? INVALID_VALUE : allocate(pointer, FakeMemory.Kind.PINNED, bytes));
  }

  @Override
  public int cuMemAlloc(long[] pointer, long bytes) {
    return call("cuMemAlloc", () -> allocate(pointer, FakeMemory.Kind.DEVICE, bytes));
  }

  private int allocate(long[] pointer, FakeMemory.Kind kind, long bytes) {
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
    return callThatFrees(
        "cuMemFreeHost",
        FakeMemory.Kind.PINNED,
        pointer,
        block -> races.host(Access.write(block.address, block.bytes), place("cuMemFreeHost")));
  }

  @Override
  public int cuMemFree(long pointer) {
    return callThatFrees(
        "cuMemFree", FakeMemory.Kind.DEVICE, pointer, block -> streams.awaitAll(block.device));
  }

  private int callThatFrees(
      String function, FakeMemory.Kind kind, long pointer, Consumer<FakeMemory.Block> before) {
    return call(
        function,
        () -> {
          FakeMemory.Block block = memory.toFree(kind, pointer, place(function));
          if (block == null) {
            return INVALID_VALUE;
          }
          before.accept(block);
          memory.free(block);
          return SUCCESS;
        });
  }

  @Override
  public int cuPointerGetAttribute(int[] value, int attribute, long pointer) {
    return call(
        "cuPointerGetAttribute",
        () -> {
          FakeMemory.Block block = memory.find(pointer);
          return attribute != POINTER_ATTRIBUTE_MEMORY_TYPE || block == null || block.freed
              ? INVALID_VALUE
              : give(value, block.kind == FakeMemory.Kind.PINNED ? MEMORYTYPE_HOST : 2);
        });
  }

  @Override
  public int cuStreamCreateWithPriority(long[] stream, int flags, int priority) {
    return call(
        "cuStreamCreateWithPriority",
        () -> {
          if (flags != 0 && flags != STREAM_NON_BLOCKING) {
            return INVALID_VALUE;
          }
          FakeStream.Kind kind =
              flags == 0 ? FakeStream.Kind.BLOCKING : FakeStream.Kind.NON_BLOCKING;
          return give(
              stream, streams.create(handle(), contexts.device(), kind, Caller.here()).handle);
        });
  }

  @Override
  public int cuStreamDestroy(long stream) {
    return call(
        "cuStreamDestroy",
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
        () -> {
          if ((flags & ~(EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING)) != 0) {
            return INVALID_VALUE;
          }
          boolean timed = (flags & EVENT_DISABLE_TIMING) == 0;
          FakeEvent made = new FakeEvent(handle(), contexts.device(), timed, Caller.here());
          events.put(made.handle, made);
          return give(event, made.handle);
        });
  }

  @Override
  public int cuEventDestroy(long event) {
    return call("cuEventDestroy", () -> events.remove(event) == null ? INVALID_HANDLE : SUCCESS);
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
        () -> {
          FakeEvent first = events.get(start);
          FakeEvent second = events.get(end);
          if (!isRecorded(first) || !isRecorded(second) || first.device != second.device) {
            return INVALID_HANDLE;
          }
          if (!first.record.done || !second.record.done) {
            return NOT_READY;
          }
          millis[0] = second.record.doneMillis - first.record.doneMillis;
          return SUCCESS;
        });
  }

  private static boolean isRecorded(FakeEvent event) {
    return event != null && event.timed && event.record != null;
  }

  @Override
  public int cuMemcpyHtoDAsync(long device, long host, long bytes, long stream) {
    return callOn(
        "cuMemcpyHtoDAsync",
        stream,
        target -> {
          String call = place("cuMemcpyHtoDAsync");
          if (!memory.host(host, bytes, call) || !memory.device(device, bytes, call)) {
            return INVALID_VALUE;
          }
          if (memory.pinned(host)) {
            return copy(target, "cuMemcpyHtoDAsync", device, host, bytes);
          }
          races.host(Access.read(host, bytes), call);
          ByteBuffer staged = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
          if (bytes > 0) {
            staged.put(FakeMemory.buffer(host, bytes)).flip();
          }
          streams.put(
              target,
              "cuMemcpyHtoDAsync",
              List.of(),
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
          String call = place("cuMemcpyDtoDAsync");
          if (!memory.device(to, bytes, call) || !memory.device(from, bytes, call)) {
            return INVALID_VALUE;
          }
          if (Access.write(to, bytes).conflictsWith(Access.read(from, bytes))) {
            violations.add(
                "%s from 0x%x to 0x%x overlaps itself in %d bytes"
                    .formatted(call, from, to, bytes));
            return INVALID_VALUE;
          }
          return copy(target, "cuMemcpyDtoDAsync", to, from, bytes);
        });
  }

  @Override
  public int cuMemcpyDtoHAsync(long host, long device, long bytes, long stream) {
    return callOn(
        "cuMemcpyDtoHAsync",
        stream,
        target -> {
          String call = place("cuMemcpyDtoHAsync");
          return memory.host(host, bytes, call) && memory.device(device, bytes, call)
              ? copy(target, "cuMemcpyDtoHAsync", host, device, bytes)
              : INVALID_VALUE;
        });
  }

  private int copy(FakeStream stream, String function, long to, long from, long bytes) {
    List<Access> accesses = List.of(Access.read(from, bytes), Access.write(to, bytes));
    streams.put(stream, function, List.of(), accesses, () -> FakeMemory.copy(to, from, bytes));
    return SUCCESS;
  }

  @Override
  public int cuGetErrorName(int result, long[] text) {
    return locked(
        () -> {
          String name = NAMES.get(result);
          return name == null
              ? INVALID_VALUE
              : give(
                  text, Pointer.nativeValue(names.computeIfAbsent(result, code -> cString(name))));
        });
  }

  private static Memory cString(String text) {
    Memory memory = new Memory(text.length() + 1L);
    memory.setString(0, text);
    return memory;
  }

  private interface StreamCall {
    int on(FakeStream stream);
  }

  private int callOf(String function, int device, IntSupplier body) {
    return call(function, () -> device < 0 || device >= devices ? INVALID_DEVICE : body.getAsInt());
  }

  private int callOn(String function, long handle, StreamCall body) {
    return call(
        function,
        () -> {
          FakeStream stream = stream(handle);
          return stream == null ? INVALID_HANDLE : body.on(stream);
        });
  }

  private int call(String function, IntSupplier body) {
    return locked(
        () -> {
          calls.add(function);
          streams.step();
          int failure = count(function);
          int refusal = refusal(function);
          if (refusal != 0) {
            return refusal;
          }
          if (failure != 0 && !GIVING_BACK.matcher(function).find()) {
            return failure;
          }
          int result = body.getAsInt();
          streams.step();
          return failure != 0 ? failure : result;
        });
  }

  private int refusal(String function) {
    if (gone) {
      return DEINITIALIZED;
    }
    if (!initialized && !function.equals("cuInit") && !function.equals("cuDriverGetVersion")) {
      return NOT_INITIALIZED;
    }
    if (!WITHOUT_CONTEXT.matcher(function).find()) {
      int device = contexts.device();
      return device < 0
          ? INVALID_CONTEXT
          : contexts.retains(device) == 0 ? CONTEXT_IS_DESTROYED : SUCCESS;
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
    return handle == 0 ? streams.legacy(Math.max(0, contexts.device())) : streams.find(handle);
  }

  private long handle() {
    return nextHandle += 0x10;
  }

  private static String place(String function) {
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

  private static final class FakeEvent {

    final long handle;
    final int device;
    final boolean timed;
    final String madeAt;

    Operation record;

    FakeEvent(long handle, int device, boolean timed, String madeAt) {
      this.handle = handle;
      this.device = device;
      this.timed = timed;
      this.madeAt = madeAt;
    }

    @Override
    public String toString() {
      return "event 0x%x".formatted(handle);
    }
  }
}
