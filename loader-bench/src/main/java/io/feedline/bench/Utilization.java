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
 * @param loaded the percentage during steps with the loader's batches; empty if unknown
 * @param synthetic the percentage during steps that reuse one batch; empty if unknown
 * @param seconds the length of the shorter stretch; empty without stretches
 * @param source {@code samples} if both are means of the driver's samples, {@code polls} if a
 *     stretch is the mean of the driver's current figure at each poll; empty if unknown
 * @param unknown the reason why a figure is missing; empty if both are known
 */
record Utilization(
    OptionalDouble loaded,
    OptionalDouble synthetic,
    OptionalDouble seconds,
    Optional<String> source,
    Optional<String> unknown) {

  /** The utilization in one stretch; {@code percent} is empty if the driver measured nothing. */
  record Stretch(OptionalDouble percent, double seconds, boolean bySamples) {

    /** The time between two polls; without samples, a poll reads the mean of up to a second. */
    static final Duration BETWEEN_POLLS = Duration.ofMillis(250);

    /**
     * Takes steps for this time, and waits for the GPU only at the end.
     *
     * @param lead the number of steps before the stretch
     * @throws io.feedline.bench.nvml.GpuMonitor.NvmlException if the GPU no longer reports its load
     */
    static Stretch of(Step step, int lead, GpuWatch gpu, Duration least, LongSupplier nanoClock) {
      step.times(lead);
      gpu.utilization(); // samples from before the stretch do not count
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

  static Utilization unknown(String reason) {
    return new Utilization(
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.of(reason));
  }

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

  JsonLine addTo(JsonLine line) {
    return line.put("gpu_busy_percent", loaded)
        .put("synthetic_gpu_busy_percent", synthetic)
        .put("busy_seconds", seconds)
        .put("busy_source", source)
        .put("busy_unknown", unknown);
  }
}
