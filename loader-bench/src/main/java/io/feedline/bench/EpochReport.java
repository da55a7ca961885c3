package io.feedline.bench;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The report of {@link Throughput} on one epoch; its help describes each figure.
 *
 * @param epoch counted from 0
 * @param images delivered
 * @param wallNanos from asking for the iterator to closing the last batch
 * @param cpuNanos of the whole process in that time
 * @param jvmToFirstBatchNanos from the start of the JVM to the first batch; only of epoch 0
 * @param firstBatchNanos from asking for the iterator to the first batch
 * @param waits of each {@code next()} but the first
 * @param peakRssMebibytes of the process so far
 */
record EpochReport(
    long epoch,
    long images,
    long wallNanos,
    long cpuNanos,
    OptionalLong jvmToFirstBatchNanos,
    long firstBatchNanos,
    Percentiles waits,
    OptionalDouble peakRssMebibytes) {

  /** One line of JSON; a figure that does not exist, such as a p99 of no waits, is null. */
  String toJson() {
    double seconds = wallNanos / 1e9;
    double cpuSeconds = cpuNanos / 1e9;
    return new JsonLine()
        .put("epoch", epoch)
        .put("images", images)
        .put("seconds", seconds)
        .put("cpu_seconds", cpuSeconds)
        .put("images_per_second", images / seconds)
        .put("images_per_cpu_second", images / cpuSeconds)
        .put("jvm_to_first_batch_ms", millis(jvmToFirstBatchNanos))
        .put("first_batch_ms", firstBatchNanos / 1e6)
        .put("p50_ms", millis(waits.at(50)))
        .put("p99_ms", millis(waits.at(99)))
        .put("max_ms", millis(waits.max()))
        .put("peak_rss_mb", peakRssMebibytes)
        .toString();
  }

  private static OptionalDouble millis(OptionalLong nanos) {
    return nanos.isPresent()
        ? OptionalDouble.of((double) nanos.getAsLong() / TimeUnit.MILLISECONDS.toNanos(1))
        : OptionalDouble.empty();
  }
}
