package io.feedline.gpu;

import io.feedline.gpu.internal.Access;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.PinnedMemory;
import io.feedline.internal.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A {@link CopyRing} over a {@link FakeDriver}, with all that surrounds it: the copying thread,
 * which writes batch after batch into a few pieces of page-locked memory, each as soon as it may;
 * and the consumer, whose computing stream works on what it got. A batch's bytes follow from its
 * number, so that a kernel can tell whether it got the right ones.
 *
 * <p>Between the ring's construction and its end none but the ring calls the driver, so that calls
 * can be counted and made to fail. {@link #fill} is one thread's, {@link #read} another's or the
 * same's.
 */
final class RingBench implements AutoCloseable {

  static final int MOST_BYTES = 16_384;

  private static final int HOST_BATCHES = 2;

  private record Filled(int number, long[] lengths, DeviceSlot slot) {}

  private record Delivered(int number, long[] lengths, long[] tensors) {}

  private static final class HostBatch {
    final PinnedMemory memory;

    /** The slot that it was copied to last, until somebody waits for it. */
    DeviceSlot underWay;

    HostBatch(PinnedMemory memory) {
      this.memory = memory;
    }
  }

  final FakeDriver driver;
  final FakeGpuMemory memory;
  final long computing;

  CopyRing ring;

  private final CudaContext own;
  private final Cuda cuda;
  private final int slots;
  private final List<HostBatch> hosts = new ArrayList<>();
  private final BlockingQueue<Filled> filled = new LinkedBlockingQueue<>();
  private final List<Delivered> delivered = new ArrayList<>();
  private CudaContext context;
  private int batches;

  /** A bench whose computing stream is the one that the memory's allocator serves. */
  static RingBench of(FakeDriver driver, Cuda cuda, int slots) {
    RingBench bench = new RingBench(driver, cuda, slots, 0, 0);
    bench.open();
    return bench;
  }

  RingBench(FakeDriver driver, Cuda cuda, int slots, long computing, long allocators) {
    this.driver = driver;
    this.cuda = cuda;
    this.slots = slots;
    this.computing = computing;
    this.memory = new FakeGpuMemory(driver, allocators);
    this.own = driver.cuda().context(0);
    for (int i = 0; i < HOST_BATCHES; i++) {
      hosts.add(new HostBatch(own.allocatePinned(MOST_BYTES)));
    }
  }

  void open() {
    context = cuda.context(0);
    ring = new CopyRing(context, memory, slots);
  }

  /** Writes the next batch and has it copied; false, without doing so, if no slot is free. */
  boolean fill(long... lengths) {
    DeviceSlot slot = ring.poll();
    if (slot == null) {
      return false;
    }
    fill(slot, lengths);
    return true;
  }

  private void fill(DeviceSlot slot, long... lengths) {
    int number = batches++;
    HostBatch host = hosts.get(number % hosts.size());
    try {
      settle(host);
      host.underWay = slot;
      ring.copy(slot, write(number, host, lengths));
    } catch (Throwable failure) {
      Closing.afterFailure(failure, ring::drain);
      hosts.forEach(each -> each.underWay = null);
      ring.giveBack(slot);
      throw failure;
    }
    filled.add(new Filled(number, lengths, slot));
  }

  long pinnedBytesOf(long... lengths) {
    return ring.pinnedBytes(write(0, hosts.get(0), lengths));
  }

  void settle() {
    hosts.forEach(this::settle);
  }

  private void settle(HostBatch host) {
    DeviceSlot slot = host.underWay;
    if (slot != null) {
      ring.awaitCopied(slot);
      host.underWay = null;
    }
  }

  private List<CopyRing.Source> write(int number, HostBatch host, long[] lengths) {
    driver.hostWrite(host.memory.buffer());
    List<CopyRing.Source> columns = new ArrayList<>();
    int at = 0;
    for (int column = 0; column < lengths.length; column++) {
      columns.add(new CopyRing.Source(host.memory.address() + at, lengths[column]));
      for (int i = 0; i < lengths[column]; i++) {
        host.memory.buffer().put(at++, content(number, column, i));
      }
    }
    return columns;
  }

  private static byte content(int number, int column, int i) {
    return (byte) ((101 * number + 31 * column + 7 * i) % 251);
  }

  int waiting() {
    return filled.size();
  }

  void read() {
    read(filled.remove());
  }

  private void read(Filled batch) {
    long[] tensors = new long[batch.lengths.length];
    List<Access> reads = new ArrayList<>();
    for (int column = 0; column < tensors.length; column++) {
      if (batch.lengths[column] > 0) {
        tensors[column] = memory.tensor(batch.lengths[column], computing);
        reads.add(Access.read(tensors[column], batch.lengths[column]));
      }
    }
    ring.read(batch.slot, computing, tensors);
    Delivered got = new Delivered(batch.number, batch.lengths, tensors);
    delivered.add(got);
    driver.launch(
        computing,
        "the training step with batch " + batch.number,
        () -> check(got),
        reads.toArray(Access[]::new));
  }

  void drop() {
    ring.giveBack(filled.remove().slot);
  }

  private void check(Delivered batch) {
    for (int column = 0; column < batch.lengths.length; column++) {
      int length = (int) batch.lengths[column];
      if (length > 0) {
        byte[] bytes = driver.peek(batch.tensors[column], length);
        for (int i = 0; i < length; i++) {
          if (bytes[i] != content(batch.number, column, i)) {
            throw new AssertionError(
                "byte %d of column %d of batch %d is %d and not %d"
                    .formatted(
                        i, column, batch.number, bytes[i], content(batch.number, column, i)));
          }
        }
      }
    }
  }

  void deinitialize() {
    driver.deinitialize();
    memory.abandon();
  }

  void checkAll() {
    own.enter();
    try {
      own.stream(computing).synchronize();
    } finally {
      own.leave();
    }
    delivered.forEach(this::check);
  }

  /**
   * Closes the ring and its context, if there are any; what it was copied from is written anew at
   * once. To be repeated if it fails.
   */
  void closeRing() {
    if (ring != null) {
      ring.close();
      hosts.forEach(host -> driver.hostWrite(host.memory.buffer()));
    }
    if (context != null) {
      context.close();
    }
  }

  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>();
    parts.add(ring);
    parts.add(context);
    hosts.forEach(host -> parts.add(host.memory));
    parts.add(own);
    Closing.all(parts.toArray(AutoCloseable[]::new));
  }
}
