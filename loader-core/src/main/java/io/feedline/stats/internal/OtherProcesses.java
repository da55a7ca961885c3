package io.feedline.stats.internal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processors that other processes have kept busy since this object was made: as Linux tells it,
 * where the JVM may use all of the machine's processors.
 *
 * <p>Immutable.
 */
final class OtherProcesses {

  private static final Logger LOG = LoggerFactory.getLogger(OtherProcesses.class);

  private static final Path SYSTEM = Path.of("/proc/stat");

  /** The kernel counts in hundredths of a second, whatever its own tick is. */
  private static final long TICK_NANOS = 10_000_000;

  /** The columns of the time on a processor: user, nice, system; then interrupts, and stolen. */
  private static final int[] BUSY = {1, 2, 3, 6, 7, 8};

  /** The line of one processor. */
  private static final Pattern PROCESSOR = Pattern.compile("cpu\\d+ .*");

  /** The time that is not known; the difference of two clocks may be a little below 0. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final long at = System.nanoTime();
  private final long others = others();

  /** Returns how many processors they kept busy, on average; empty where that is not known. */
  OptionalDouble processors() {
    long now = others();
    long passed = System.nanoTime() - at;
    // Less than that many ticks say little.
    return others == UNKNOWN || now == UNKNOWN || passed < 20 * TICK_NANOS
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) Math.max(0, now - others) / passed);
  }

  /**
   * Returns the processor time of all other processes so far, in nanoseconds, or {@link #UNKNOWN}.
   */
  private static long others() {
    if (!(ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean own)
        || !Files.isReadable(SYSTEM)) {
      return UNKNOWN;
    }
    try {
      List<String> lines = Files.readAllLines(SYSTEM);
      long processors = lines.stream().filter(line -> PROCESSOR.matcher(line).matches()).count();
      long busy = busyTicks(lines.get(0));
      long ownNanos = own.getProcessCpuTime();
      // A kernel that only looks like Linux may have zeros there: gVisor's.
      return processors == own.getAvailableProcessors() && ownNanos >= 0 && busy > 0
          ? busy * TICK_NANOS - ownNanos
          : UNKNOWN;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      LOG.debug("{} does not report the load of the machine", SYSTEM, e);
      return UNKNOWN;
    }
  }

  /** Returns the time on a processor of the line of all processors. */
  static long busyTicks(String line) {
    String[] words = line.split(" +", -1);
    long ticks = 0;
    for (int column : BUSY) {
      ticks += Long.parseLong(words[column]);
    }
    return ticks;
  }
}
