package io.feedline.examples.training;

import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.DeviceStats;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A report of one training epoch: where its time went, and how its batches were copied to the
 * device.
 */
final class EpochReport {

  /** The number of first steps to leave out: caches are cold, and batches were prepared before. */
  private static final int WARM_UP = 5;

  private final String unit;
  private final DeviceLoader loader;
  private final DeviceStats before;
  private final GpuUsage gpu;
  private final Pace pace = new Pace();

  /** The pace of the steps after the first {@link #WARM_UP}; null before. */
  private Pace steady;

  private long[] loadNanos = new long[64];
  private int steps;
  private String copies = "";
  private String usage = "";

  /**
   * Creates the report of an epoch that begins now.
   *
   * @param unit what samples are called, in the plural
   * @param loader the loader of the epoch
   * @param gpu the utilization of the device
   */
  EpochReport(String unit, DeviceLoader loader, GpuUsage gpu) {
    this.unit = unit;
    this.loader = loader;
    this.before = loader.stats();
    this.gpu = gpu;
    gpu.begin();
  }

  /**
   * Adds a step.
   *
   * @param nanos the time that the step waited for its batch
   */
  void add(long nanos, int batchSize) {
    if (steps == loadNanos.length) {
      loadNanos = Arrays.copyOf(loadNanos, 2 * steps);
    }
    loadNanos[steps++] = nanos;
    pace.add(nanos, batchSize);
    if (steps == WARM_UP) {
      steady = new Pace();
    } else if (steady != null) {
      steady.add(nanos, batchSize);
    }
  }

  void end() {
    pace.end();
    if (steady != null) {
      steady.end();
    }
    copies = copies(before, loader.stats());
    usage = gpu.end();
    loadNanos = Arrays.copyOf(loadNanos, steps);
    Arrays.sort(loadNanos);
  }

  /** Returns the load time that a fraction of the batches did not exceed, by the nearest rank. */
  private double loadMillis(double share) {
    return loadNanos[Math.max(0, (int) Math.ceil(share * steps) - 1)] / 1e6;
  }

  Pace pace() {
    return pace;
  }

  /** Returns the pace without the first five steps; of all steps if there are no further steps. */
  Pace steadyPace() {
    return steps > WARM_UP ? steady : pace;
  }

  String unit() {
    return unit;
  }

  int steps() {
    return steps;
  }

  /**
   * Describes the copies between two states, such as {@code 24.08 GB from pinned memory at 25.1
   * GB/s, copying stream idle 11.2 s}; empty if batches are not copied.
   */
  static String copies(DeviceStats before, DeviceStats after) {
    if (after.transfer() == Transfer.VIEW) {
      return "";
    }
    DeviceStats epoch = after.since(before);
    String copied =
        String.format(
            Locale.ROOT,
            "%.2f GB from %s memory at %.1f GB/s",
            epoch.bytes() / 1e9,
            epoch.memory(),
            epoch.gigabytesPerSecond());
    return epoch.transfer() == Transfer.STREAM
        ? copied
            + String.format(
                Locale.ROOT, ", copying stream idle %.1f s", epoch.copyIdle().toNanos() / 1e9)
        : copied + " while training waited";
  }

  /**
   * Returns a line with time, waiting, throughput and load times; with a GPU also its copies and
   * its utilization.
   */
  @Override
  public String toString() {
    String times =
        String.format(
            Locale.ROOT,
            "%.1f s, %.1f%% of it waiting for data, %.1f %s/s, batch load p50 %.2f ms p99 %.2f ms",
            pace.seconds(),
            100 * pace.waitingShare(),
            pace.perSecond(),
            unit,
            loadMillis(0.5),
            loadMillis(0.99));
    return Stream.of(times, copies, usage)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }
}
