package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The time of a loader: the clocks that its workers, its engine and its consumer read, and the
 * observers that get the measured times.
 *
 * <p>Thread-safe.
 */
public final class LoaderClock implements WorkerCpu {

  private static final OperatingSystemMXBean MACHINE = ManagementFactory.getOperatingSystemMXBean();

  /** Null where the JVM does not know what processor time a thread has had. */
  private static final ThreadMXBean THREADS = threads();

  /** The load of the processors at which threads have to wait for one now and then. */
  private static final double BUSY = 0.8;

  private final LongSupplier nanos;
  private final LongSupplier cpuNanos;
  private final Delays delays;
  private final Stages stages = new Stages();
  private final Observers observers = new Observers();

  private final List<Long> workers = new CopyOnWriteArrayList<>();

  /** A clock of real time. */
  public LoaderClock() {
    this(System::nanoTime, ofThread(), Delays.ofJvm());
  }

  /** A clock of another time, by which no delay is known. */
  public LoaderClock(LongSupplier nanos) {
    this(nanos, ofThread(), Delays.NONE);
  }

  public LoaderClock(LongSupplier nanos, LongSupplier cpuNanos, Delays delays) {
    this.nanos = nanos;
    this.cpuNanos = cpuNanos;
    this.delays = delays;
  }

  private static LongSupplier ofThread() {
    return THREADS == null ? () -> 0 : THREADS::getCurrentThreadCpuTime;
  }

  private static ThreadMXBean threads() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    return bean.isCurrentThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled() ? bean : null;
  }

  /** Returns the time in nanoseconds, as {@link System#nanoTime} does. */
  public long now() {
    return nanos.getAsLong();
  }

  /** Returns the calling thread's CPU time in nanoseconds; always 0 if the JVM does not know it. */
  long cpu() {
    return cpuNanos.getAsLong();
  }

  /** Returns what makes threads stand still. */
  Delays delays() {
    return delays;
  }

  /** Counts the calling thread's CPU time with that of the workers. */
  public void countCpu() {
    workers.add(Thread.currentThread().getId());
  }

  /** Returns how many workers wait for a lock that another worker holds. */
  int contending() {
    return delays.contending(workers.stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  public long ofWorkers() {
    long sum = 0;
    for (long worker : workers) {
      sum += THREADS == null ? 0 : Math.max(0, THREADS.getThreadCpuTime(worker));
    }
    return sum;
  }

  /** The load is the host's and an average of a minute, so it counts only where all is busy. */
  @Override
  public double fairShare() {
    boolean busy =
        MACHINE instanceof com.sun.management.OperatingSystemMXBean known
            && known.getCpuLoad() >= BUSY;
    double wanted = MACHINE.getSystemLoadAverage() / MACHINE.getAvailableProcessors();
    return busy && wanted > 1 ? 1 / wanted : 1;
  }

  public Stages stages() {
    return stages;
  }

  /** Returns who is told what the loader does. */
  public Observers observers() {
    return observers;
  }
}
