package io.feedline.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The report of {@link TrainStep}; its help describes each figure.
 *
 * @param batchSize the images of a step
 * @param rounds one or more
 * @param waits nanoseconds of each {@code next()} in the loader's turns
 * @param ready nanoseconds of each {@code next()} for which a batch was ready
 * @param utilization the utilization of the GPU
 * @param loss the loss of the last step
 */
record StepFigures(
    int batchSize,
    List<Round> rounds,
    Percentiles waits,
    Percentiles ready,
    Utilization utilization,
    double loss) {

  /**
   * A block of training steps of one kind.
   *
   * @param steps 1 or more
   * @param wallNanos the time from the end of the step before the first step to the end of the last
   *     step
   * @param cpuNanos the CPU time of the whole process in that time
   */
  record Turn(int steps, long wallNanos, long cpuNanos) {

    double millisPerStep() {
      return wallNanos / 1e6 / steps;
    }

    double cpuSecondsPerStep() {
      return cpuNanos / 1e9 / steps;
    }
  }

  /**
   * One turn of each kind, directly after each other.
   *
   * @param loaded steps on the loader's batches
   * @param synthetic steps that reuse one batch
   */
  record Round(Turn loaded, Turn synthetic) {

    /** Returns the time of a step with the loader, divided by the time of a step without it. */
    double ratio() {
      return loaded.millisPerStep() / synthetic.millisPerStep();
    }
  }

  Spread loadedMillis() {
    return spread(round -> round.loaded().millisPerStep());
  }

  Spread syntheticMillis() {
    return spread(round -> round.synthetic().millisPerStep());
  }

  Spread ratio() {
    return spread(Round::ratio);
  }

  private double imagesPerCpuSecond(ToDoubleFunction<Round> cpuSecondsPerStep) {
    return batchSize / spread(cpuSecondsPerStep).median();
  }

  private Spread spread(ToDoubleFunction<Round> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray());
  }

  String toTable() {
    return String.format(
        Locale.ROOT,
        """
        | ms a step: loader | one tensor | loader/one tensor by round | images/s: loader | one tensor | next() when ready, us: median, p99 |
        |---|---|---|---|---|---|
        | %s | %s | **%s** | %.1f | %.1f | %.1f, %.1f |""",
        loadedMillis().toString(2),
        syntheticMillis().toString(2),
        ratio().toString(3),
        imagesPerSecond(loadedMillis()),
        imagesPerSecond(syntheticMillis()),
        micros(ready, 50),
        micros(ready, 99));
  }

  JsonLine addTo(JsonLine line) {
    Spread loaded = loadedMillis();
    Spread synthetic = syntheticMillis();
    line.put("rounds", rounds.size())
        .put("step_ms", loaded)
        .put("synthetic_step_ms", synthetic)
        .put("ratio", ratio())
        .put("images_per_second", imagesPerSecond(loaded))
        .put("synthetic_images_per_second", imagesPerSecond(synthetic))
        .put(
            "images_per_cpu_second",
            imagesPerCpuSecond(round -> round.loaded().cpuSecondsPerStep()))
        .put(
            "synthetic_images_per_cpu_second",
            imagesPerCpuSecond(round -> round.synthetic().cpuSecondsPerStep()))
        .put("next_p50_us", micros(waits, 50))
        .put("next_p99_us", micros(waits, 99))
        .put("ready_p50_us", micros(ready, 50))
        .put("ready_p99_us", micros(ready, 99));
    return utilization.addTo(line).put("loss", loss);
  }

  private double imagesPerSecond(Spread millisPerStep) {
    return 1000 * batchSize / millisPerStep.median();
  }

  private static double micros(Percentiles nanos, int percent) {
    return nanos.at(percent).isPresent() ? nanos.at(percent).getAsLong() / 1e3 : Double.NaN;
  }
}
