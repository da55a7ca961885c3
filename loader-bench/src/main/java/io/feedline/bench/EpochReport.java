package io.feedline.bench;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The report of {@link Throughput} on one epoch; its help describes each figure.
 *
 * @param epoch the number of the epoch, from 0
 * @param images the number of images delivered
 * @param wallNanos the time from the request for the iterator to the close of the last batch
 * @param cpuNanos the CPU time of the whole process in that time
 * @param jvmToFirstBatchNanos the time from the start of the JVM to the first batch; for epoch 0
 *     only
 * @param firstBatchNanos the time from the request for the iterator to the first batch
 * @param waits the times of all calls of {@code next()} except the first
 * @param peakRssMebibytes the largest memory of the process so far
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

  /** Returns one line of JSON; a figure that does not exist, such as a p99 of no waits, is null. */
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
