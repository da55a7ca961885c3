package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.RunRecord;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The result of {@code doctor}. DOCTOR.md describes the components, which have the same names in
 * the command's JSON. An empty value means unknown.
 *
 * @param inputs the options and versions on which the answer depends, in addition to the data and
 *     the machine
 * @param imageBytes the average size of an image
 * @param bottleneck {@code none}, or a cause of {@link Bottleneck} in lower case
 * @param neededImagesPerSecond empty without a step time
 * @param measuredImagesPerSecond the rate after the first epoch, or in the first epoch if the run
 *     reached no other
 * @param busy the largest fraction of the time in which the GPU can compute
 * @param changes the proposed changes that were tried, the change with the highest gain first
 * @param notTried further advice that was not tried, in words
 * @param tried the changes that the user named and that were tried
 * @param run the record of the unchanged loader
 */
record Findings(
    Map<String, Object> inputs,
    Path path,
    String format,
    long images,
    double imageBytes,
    String bottleneck,
    String evidence,
    OptionalDouble neededImagesPerSecond,
    double measuredImagesPerSecond,
    OptionalDouble firstEpochImagesPerSecond,
    OptionalDouble busy,
    List<Tries.Attempt> changes,
    List<String> notTried,
    List<Tries.Attempt> tried,
    RunRecord run) {

  /** The causes that only a trial has: a trial is short, and closes its batches at once. */
  private static final Set<Bottleneck.Cause> OF_THE_TRIAL =
      EnumSet.of(
          Bottleneck.Cause.NONE,
          Bottleneck.Cause.BRIEF_RUN,
          Bottleneck.Cause.START_UP,
          Bottleneck.Cause.STOPPED);

  /** Returns those of a trial's advices that also hold for a training. */
  static List<Bottleneck.Advice> advice(RunRecord run) {
    return run.bottleneck().advice().stream()
        .filter(each -> !OF_THE_TRIAL.contains(each.cause()))
        // Advice about the machine comes after advice about the loader.
        .sorted(Comparator.comparing(each -> each.cause() == Bottleneck.Cause.BUSY_MACHINE))
        .toList();
  }

  /** Returns the findings; {@code need} is infinite without a step time. */
  static Findings of(
      Map<String, Object> inputs,
      Path path,
      String format,
      double imageBytes,
      double need,
      Loading asked,
      Trial trial,
      List<Tries.Attempt> changes,
      List<Tries.Attempt> tried) {
    double trained = asked.trained(trial.imagesPerSecond(), need);
    boolean enough = trained >= need;
    List<Bottleneck.Advice> advice = enough ? List.of() : advice(trial.record());
    Bottleneck.Cause cause = Bottleneck.Cause.UNKNOWN;
    String evidence = "No figure stands out.";
    if (enough) {
      cause = Bottleneck.Cause.NONE;
      evidence = "The step is slower.";
    } else if (asked.workers() == 0) {
      cause = Bottleneck.Cause.WORKERS;
      evidence =
          "Without them the training's own thread loads each batch, and the GPU stands still"
              + " meanwhile.";
    } else if (!advice.isEmpty()) {
      cause = advice.get(0).cause();
      evidence = advice.get(0).evidence();
    }
    boolean known = need < Double.POSITIVE_INFINITY;
    return new Findings(
        inputs,
        path,
        format,
        asked.images().size(),
        imageBytes,
        Output.name(cause),
        evidence,
        known ? OptionalDouble.of(need) : OptionalDouble.empty(),
        trial.imagesPerSecond(),
        trial.firstEpoch(),
        known ? OptionalDouble.of(Math.min(1, trained / need)) : OptionalDouble.empty(),
        changes.stream().sorted(Comparator.comparingDouble(each -> -each.measuredGain())).toList(),
        enough ? List.of() : Proposals.notTried(advice, path, asked, trial),
        tried,
        trial.record());
  }

  boolean enough() {
    return bottleneck.equals("none");
  }
}
