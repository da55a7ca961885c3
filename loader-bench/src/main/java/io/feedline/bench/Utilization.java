package io.feedline.bench;

import io.feedline.bench.StepTurns.Step;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * The utilization of the GPU in two long stretches of training steps.
 *
 * @param loaded percent of the steps on the loader's batches; empty if not known
 * @param synthetic percent of the steps that reuse one batch; empty if not known
 * @param seconds the length of the shorter stretch; empty if there were none
 * @param source {@code samples} if both are means of the driver's samples, {@code polls} if one is
 *     a mean of the driver's current figure at each poll; empty if not known
 * @param unknown why a figure is missing; empty if there are both
 */
record Utilization(
    OptionalDouble loaded,
    OptionalDouble synthetic,
    OptionalDouble seconds,
    Optional<String> source,
    Optional<String> unknown) {

  /**
   * One stretch.
   *
   * @param percent empty if the driver measured nothing
   */
  record Stretch(OptionalDouble percent, double seconds, boolean bySamples) {

    /** A GPU that gives no samples reports the second before at most. */
    static final Duration BETWEEN_POLLS = Duration.ofMillis(250);

    /**
     * Takes steps for this time, and waits for the GPU only at the end.
     *
     * @param lead steps before those that count
     * @throws io.feedline.bench.nvml.GpuMonitor.NvmlException if the GPU no longer tells
     */
    static Stretch of(Step step, int lead, GpuWatch gpu, Duration least, LongSupplier nanoClock) {
      step.times(lead);
      gpu.utilization(); // what came before is not of this stretch
      long start = nanoClock.getAsLong();
      long polled = start;
      for (long now = start; now - start < least.toNanos(); now = nanoClock.getAsLong()) {
        if (now - polled >= BETWEEN_POLLS.toNanos()) {
          gpu.poll();
          polled = now;
        }
        step.take(false);
      }
      step.take(true);
      double seconds = (nanoClock.getAsLong() - start) / 1e9;
      return new Stretch(gpu.utilization(), seconds, gpu.bySamples());
    }
  }

  /** Nothing is known, for this reason. */
  static Utilization unknown(String reason) {
    return new Utilization(
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.of(reason));
  }

  /** Returns the utilization in two stretches. */
  static Utilization of(Stretch loaded, Stretch synthetic) {
    double seconds = Math.min(loaded.seconds(), synthetic.seconds());
    boolean known = loaded.percent().isPresent() && synthetic.percent().isPresent();
    boolean bySamples = loaded.bySamples() && synthetic.bySamples();
    return new Utilization(
        loaded.percent(),
        synthetic.percent(),
        OptionalDouble.of(seconds),
        known ? Optional.of(bySamples ? "samples" : "polls") : Optional.empty(),
        known
            ? Optional.empty()
            : Optional.of(
                String.format(Locale.ROOT, "the driver measured nothing in %.1f s", seconds)));
  }

  /** In words, on one line. */
  @Override
  public String toString() {
    if (unknown.isPresent()) {
      return "GPU busy: not known: " + unknown.get();
    }
    return String.format(
        Locale.ROOT,
        "GPU busy: %.1f%% with the loader, %.1f%% with one tensor, in %.1f s or more each, by %s of the driver",
        loaded.orElseThrow(),
        synthetic.orElseThrow(),
        seconds.orElseThrow(),
        source.orElseThrow());
  }

  /** The figures, added to a line. */
  JsonLine addTo(JsonLine line) {
    return line.put("gpu_busy_percent", loaded)
        .put("synthetic_gpu_busy_percent", synthetic)
        .put("busy_seconds", seconds)
        .put("busy_source", source)
        .put("busy_unknown", unknown);
  }
}
