package io.feedline.stats.internal;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A meter that reads the JVM's beans and, on Linux, the files in {@code /proc}. Thread-safe. */
final class JvmLoad implements MachineLoad {

  static final JvmLoad INSTANCE = new JvmLoad();

  private static final Logger LOG = LoggerFactory.getLogger(JvmLoad.class);

  private static final Path SYSTEM = Path.of("/proc/stat");

  /** The unit of {@code /proc/stat}: a hundredth of a second, whatever the kernel's tick is. */
  private static final long TICK_NANOS = 10_000_000;

  private static final int LEAST_TICKS = 20;

  /** The columns of {@code /proc/stat} for busy time: user, nice, system; interrupts and stolen. */
  private static final int[] BUSY_COLUMNS = {1, 2, 3, 6, 7, 8};

  private static final String LOCKS = "java.util.concurrent.locks.Reentrant";
  private static final Pattern PROCESSOR = Pattern.compile("cpu\\d+ .*");

  /** An unknown time; not -1, since the difference of two clocks may be a little below 0. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private static final double BUSY = 0.8;

  private final @Nullable OperatingSystemMXBean system =
      ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known
          ? known
          : null;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private final boolean knowsCpu =
      threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();

  /** The beans that count the collectors' stops; beans that count whole cycles are left out. */
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> !collector.getName().endsWith("Cycles"))
          .toList();

  private JvmLoad() {}

  @Override
  public long cpu() {
    return knowsCpu ? threads.getCurrentThreadCpuTime() : 0;
  }

  @Override
  public long cpu(long[] ids) {
    long sum = 0;
    for (int i = 0; knowsCpu && i < ids.length; i++) {
      sum += Math.max(0, threads.getThreadCpuTime(ids[i]));
    }
    return sum;
  }

  /** Returns 1 unless processors are 80% busy now: the load is the host's mean over a minute. */
  @Override
  public double fairShare() {
    if (system == null || system.getCpuLoad() < BUSY) {
      return 1;
    }
    double wanted = system.getSystemLoadAverage() / system.getAvailableProcessors();
    return wanted > 1 ? 1 / wanted : 1;
  }

  @Override
  public Measurement begin() {
    long at = System.nanoTime();
    long process = process();
    long ofThreads = cpu(threads.getAllThreadIds());
    long collected = collecting();
    long others = others();
    return workers -> {
      long passed = System.nanoTime() - at;
      long ofWorkers = cpu(workers);
      return new Use(
          process < 0 ? -1 : process() - process,
          ofWorkers,
          Math.max(0, cpu(threads.getAllThreadIds()) - ofThreads - ofWorkers),
          collecting() - collected,
          processors(others, others(), passed));
    };
  }

  private long process() {
    return system == null ? -1 : system.getProcessCpuTime();
  }

  private static OptionalDouble processors(long before, long now, long passed) {
    return before == UNKNOWN || now == UNKNOWN || passed < LEAST_TICKS * TICK_NANOS
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) Math.max(0, now - before) / passed);
  }

  /**
   * Returns the processor time of all other processes so far. {@link #UNKNOWN} outside Linux, and
   * if the JVM may not use all of the machine's processors.
   */
  private long others() {
    if (system == null || !Files.isReadable(SYSTEM)) {
      return UNKNOWN;
    }
    try {
      List<String> lines = Files.readAllLines(SYSTEM);
      long processors = lines.stream().filter(line -> PROCESSOR.matcher(line).matches()).count();
      long busy = busyTicks(lines.get(0));
      long own = process();
      // A kernel that only looks like Linux, such as gVisor's, may report zeros.
      return processors == system.getAvailableProcessors() && own >= 0 && busy > 0
          ? busy * TICK_NANOS - own
          : UNKNOWN;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      LOG.debug("{} does not report the load of the machine", SYSTEM, e);
      return UNKNOWN;
    }
  }

  static long busyTicks(String line) {
    String[] words = line.split(" +", -1);
    long ticks = 0;
    for (int column : BUSY_COLUMNS) {
      ticks += Long.parseLong(words[column]);
    }
    return ticks;
  }

  @Override
  public long collecting() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    return 1_000_000 * millis;
  }

  @Override
  public long tick(long waited) {
    // In a long wait the thread wakes up rarely, but still sees a stop of half of the wait.
    return Math.max(10_000_000, waited / 8);
  }

  @Override
  public long late(long nanos) {
    return Math.max(0, nanos);
  }

  @Override
  public Watch watch() {
    return new Heartbeat(this);
  }

  @Override
  public int contending(long[] ids) {
    return (int)
        Arrays.stream(threads.getThreadInfo(ids))
            .filter(Objects::nonNull)
            .filter(thread -> contends(thread, ids))
            .count();
  }

  /**
   * Returns whether a thread waits for a lock of one of these threads. A lock without an owner
   * counts: it was released, and the next thread has not woken up yet.
   */
  private static boolean contends(ThreadInfo thread, long[] ids) {
    long owner = thread.getLockOwnerId();
    return owner < 0
        ? thread.getThreadState() == Thread.State.BLOCKED
            || (thread.getLockInfo() != null
                && thread.getLockInfo().getClassName().startsWith(LOCKS))
        : Arrays.stream(ids).anyMatch(id -> id == owner);
  }

  @Override
  public LongSupplier queue() {
    return new ProcessorQueue();
  }
}
