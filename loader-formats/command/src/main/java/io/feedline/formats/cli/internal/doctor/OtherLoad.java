package io.feedline.formats.cli.internal.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;

/**
 * The number of processors that other processes keep busy, from the creation of this object until
 * it is asked: they make every time longer that is taken meanwhile. Used by one thread.
 */
final class OtherLoad {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long start = System.nanoTime();
  private final long ownStart = SYSTEM.getProcessCpuTime();

  OtherLoad() {
    // The system's load is that since it was asked for last.
    SYSTEM.getCpuLoad();
  }

  /** The processors of others; empty where the system does not say. */
  OptionalDouble processors() {
    double load = SYSTEM.getCpuLoad();
    long own = SYSTEM.getProcessCpuTime();
    if (load < 0 || own < 0 || ownStart < 0) {
      return OptionalDouble.empty();
    }
    double busy = load * SYSTEM.getAvailableProcessors();
    double ours = (double) (own - ownStart) / (System.nanoTime() - start);
    return OptionalDouble.of(Math.max(0, busy - ours));
  }
}
