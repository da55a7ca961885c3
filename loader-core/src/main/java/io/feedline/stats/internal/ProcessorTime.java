package io.feedline.stats.internal;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time that processors have worked for this process since this object was made, and for whom:
 * the stages' times are a part of it, and the rest is named by this.
 *
 * <p>Immutable. Used when the first epoch begins and when a record is made, so it may cost some
 * microseconds a thread.
 */
final class ProcessorTime {

  private static final @Nullable OperatingSystemMXBean PROCESS =
      ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known
          ? known
          : null;

  private static final Delays JVM = Delays.ofJvm();

  private final long collecting = JVM.collecting();
  private final long process = process();
  private final long threads = threads(ManagementFactory.getThreadMXBean().getAllThreadIds());

  /**
   * The processor time of a process, in nanoseconds.
   *
   * @param all of the whole process
   * @param workers of those workers of the loader that live
   * @param threads of the other Java threads that live: the consumer, those that read ahead. The
   *     rest was the JVM's: its compiler, its collector; and that of threads which have ended
   * @param collecting for how long the garbage collector stopped all threads, which is no processor
   *     time
   */
  record Shares(long all, long workers, long threads, long collecting) {}

  /**
   * Returns the times since this object was made; empty where the JVM does not tell them.
   *
   * @param workers the threads of the loader, by id, which began later than that
   */
  Optional<Shares> shares(long[] workers) {
    long now = process();
    if (process < 0 || now < 0) {
      return Optional.empty();
    }
    long ofWorkers = threads(workers);
    long ofAll = threads(ManagementFactory.getThreadMXBean().getAllThreadIds());
    return Optional.of(
        new Shares(
            now - process,
            ofWorkers,
            Math.max(0, ofAll - threads - ofWorkers),
            JVM.collecting() - collecting));
  }

  private static long process() {
    return PROCESS == null ? -1 : PROCESS.getProcessCpuTime();
  }

  /** Returns the processor time of threads; those that have ended count nothing. */
  private static long threads(long[] ids) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    if (threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
      for (long id : ids) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
