package io.feedline.bench;

import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.gpu.internal.CudaStream;
import io.feedline.gpu.internal.PinnedMemory;
import io.feedline.internal.Closing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The kinds of copies from host memory to a GPU, with their memory, streams and events. {@link
 * HostToDevice} runs the kinds in turns.
 *
 * <p>Batches are copied from several pieces of host memory in turn, like the slots of a loader, to
 * two slots on the device. The last batch of each turn is read back and compared outside the
 * measured time, so a wrong copy gives no figure.
 *
 * <p>Used and closed by the thread that opened it.
 */
final class DeviceCopies implements AutoCloseable {
  private static final int DEVICE_SLOTS = 2;

  private final Deque<AutoCloseable> held = new ArrayDeque<>();

  private final CudaStream copying;
  private final CudaStream computing;
  private final CudaEvent[] copied = new CudaEvent[DEVICE_SLOTS];
  private final CudaEvent[] consumed = new CudaEvent[DEVICE_SLOTS];
  private final CudaEvent first;
  private final CudaEvent last;

  private final List<ByteBuffer> pageable = new ArrayList<>();
  private final List<ByteBuffer> pinned = new ArrayList<>();
  private final ByteBuffer large;
  private final PinnedMemory readBack;

  private final long[] slots = new long[DEVICE_SLOTS];
  private final long target;
  private final long largeTarget;

  private long stamp;

  /**
   * Allocates memory, streams and events on a GPU.
   *
   * @param batchBytes the size of the largest batch
   * @param largeBytes the size of a piece that the ceiling copies
   * @param hostSlots the number of pieces of host memory of each kind
   * @throws io.feedline.gpu.cuda.CudaException if there is no such GPU, or too little memory
   */
  DeviceCopies(Cuda cuda, int gpu, int batchBytes, int largeBytes, int hostSlots) {
    CudaContext context = cuda.context(gpu);
    held.push(context);
    try {
      context.enter();
      held.push(context::leave);
      copying = hold(context.newStream());
      computing = hold(context.newStream());
      for (int i = 0; i < DEVICE_SLOTS; i++) {
        copied[i] = hold(context.newEvent());
        consumed[i] = hold(context.newEvent());
        slots[i] = device(context, batchBytes);
      }
      first = hold(context.newTimedEvent());
      last = hold(context.newTimedEvent());
      target = device(context, batchBytes);
      largeTarget = device(context, largeBytes);
      readBack = hold(context.allocatePinned(Math.max(batchBytes, largeBytes)));
      large = hold(context.allocatePinned(largeBytes)).buffer();
      fill(large, -1);
      for (int i = 0; i < hostSlots; i++) {
        pinned.add(hold(context.allocatePinned(batchBytes)).buffer());
        pageable.add(ByteBuffer.allocateDirect(batchBytes).order(ByteOrder.nativeOrder()));
        fill(pinned.get(i), i);
        fill(pageable.get(i), i);
      }
    } catch (Throwable failure) {
      Closing.afterFailure(failure, this);
      throw failure;
    }
  }

  private <R extends AutoCloseable> R hold(R resource) {
    held.push(resource);
    return resource;
  }

  private long device(CudaContext context, int bytes) {
    long address = context.allocateDevice(bytes);
    held.push(() -> context.freeDevice(address));
    return address;
  }

  private static void fill(ByteBuffer memory, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    while (memory.remaining() >= Long.BYTES) {
      memory.putLong(random.nextLong());
    }
    while (memory.hasRemaining()) {
      memory.put((byte) random.nextInt());
    }
    memory.clear();
  }

  /**
   * Runs one turn.
   *
   * @param bytes the size of a batch; for the ceiling, the size of the large piece
   * @param batches the number of copies
   * @throws IllegalStateException if the device got other bytes than those sent
   */
  CopyFigures.Turn run(CopyKind kind, int bytes, int batches) {
    return switch (kind) {
      case PAGEABLE -> oneByOne(pageable, bytes, batches);
      case PINNED -> oneByOne(pinned, bytes, batches);
      case OVERLAPPED -> overlapped(bytes, batches);
      case CEILING -> ceiling(batches);
    };
  }

  private CopyFigures.Turn oneByOne(List<ByteBuffer> memory, int bytes, int batches) {
    List<ByteBuffer> sources = sources(memory, bytes);
    LongStream.Builder calls = LongStream.builder();
    long start = System.nanoTime();
    for (int i = 0; i < batches; i++) {
      long called = System.nanoTime();
      toDevice(slots[i % DEVICE_SLOTS], sources.get(i % sources.size()));
      copying.synchronize();
      calls.add(System.nanoTime() - called);
    }
    long nanos = System.nanoTime() - start;
    check(slots[(batches - 1) % DEVICE_SLOTS], sources.get((batches - 1) % sources.size()));
    return turn(bytes, batches, nanos, calls);
  }

  private CopyFigures.Turn overlapped(int bytes, int batches) {
    List<ByteBuffer> sources = sources(pinned, bytes);
    LongStream.Builder calls = LongStream.builder();
    long start = System.nanoTime();
    for (int i = 0; i < batches; i++) {
      int slot = i % DEVICE_SLOTS;
      long called = System.nanoTime();
      // An event of an earlier turn has already happened, and an event that was never recorded does
      // not block a stream.
      copying.waitFor(consumed[slot]);
      toDevice(slots[slot], sources.get(i % sources.size()));
      copying.record(copied[slot]);
      computing.waitFor(copied[slot]);
      computing.copyOnDevice(target, slots[slot], bytes);
      computing.record(consumed[slot]);
      calls.add(System.nanoTime() - called);
    }
    computing.synchronize();
    long nanos = System.nanoTime() - start;
    check(target, sources.get((batches - 1) % sources.size()));
    return turn(bytes, batches, nanos, calls);
  }

  private CopyFigures.Turn ceiling(int pieces) {
    stamp(large);
    copying.record(first);
    for (int i = 0; i < pieces; i++) {
      toDevice(largeTarget, large);
    }
    copying.record(last);
    last.synchronize();
    double nanos = 1e6 * last.millisSince(first);
    check(largeTarget, large);
    return new CopyFigures.Turn((long) pieces * large.remaining(), nanos, Percentiles.of());
  }

  private void toDevice(long device, ByteBuffer memory) {
    copying.copyToDevice(device, CudaContext.address(memory), memory.remaining());
  }

  private static CopyFigures.Turn turn(
      int bytes, int batches, long nanos, LongStream.Builder calls) {
    return new CopyFigures.Turn(
        (long) batches * bytes, nanos, Percentiles.of(calls.build().toArray()));
  }

  /** Fills the pieces so that their first bytes differ from those of all earlier turns. */
  private List<ByteBuffer> sources(List<ByteBuffer> memory, int bytes) {
    return memory.stream()
        .map(piece -> piece.slice(0, bytes).order(ByteOrder.nativeOrder()))
        .map(this::stamp)
        .toList();
  }

  private ByteBuffer stamp(ByteBuffer memory) {
    stamp++;
    memory.putLong(0, stamp);
    memory.putLong(memory.limit() - Long.BYTES, stamp);
    return memory;
  }

  private void check(long device, ByteBuffer sent) {
    copying.copyToHost(readBack.address(), device, sent.remaining());
    copying.synchronize();
    int difference = readBack.buffer().slice(0, sent.remaining()).mismatch(sent);
    if (difference >= 0) {
      throw new IllegalStateException(
          "of %d bytes copied to the GPU, byte %d came back another"
              .formatted(sent.remaining(), difference));
    }
  }

  @Override
  public void close() {
    AutoCloseable[] all = held.toArray(AutoCloseable[]::new);
    held.clear();
    Closing.all(all);
  }
}
