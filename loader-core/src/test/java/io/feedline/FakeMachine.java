package io.feedline;

import io.feedline.stats.internal.MachineLoad;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A machine whose delays tests make. */
final class FakeMachine implements MachineLoad {

  private final AtomicLong collecting = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong queued = new AtomicLong();
  private volatile int contending;

  /** So many workers wait for each other's locks. */
  void contend(int workers) {
    contending = workers;
  }

  @Override
  public int contending(long[] threads) {
    return contending;
  }

  /** The garbage collector stops all threads for so long. */
  void collect(long micros) {
    collecting.addAndGet(1000 * micros);
  }

  /** The process is stopped for so long, and a thread that waits with a timeout notices it. */
  void stop(long micros) {
    late.set(1000 * micros);
    Threads.spinWhile(() -> late.get() != 0);
  }

  /** The process is stopped for so long, and a timer beside the thread that works notices it. */
  void stopWatched(long micros) {
    late.addAndGet(1000 * micros);
  }

  @Override
  public Watch watch() {
    return () -> late.getAndSet(0);
  }

  /** The only thread that works queues for a processor. */
  void queue(long micros) {
    queued.addAndGet(1000 * micros);
  }

  @Override
  public int processors() {
    return 2;
  }

  @Override
  public long collecting() {
    return collecting.get();
  }

  @Override
  public long tick(long waited) {
    return Math.max(1_000_000, waited / 8);
  }

  @Override
  public long late(long nanos) {
    return late.getAndSet(0);
  }

  @Override
  public LongSupplier queue() {
    return queued::get;
  }
}
