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
 * All that {@code doctor} has found. The names of the components are those of the command's JSON,
 * in DOCTOR.md; an empty value is unknown.
 *
 * @param inputs all that the answer depends on beside the data and the machine
 * @param imageBytes the size of an image, on average
 * @param bottleneck {@code none}, or a cause of {@link Bottleneck} in small letters
 * @param neededImagesPerSecond empty without a step time
 * @param measuredImagesPerSecond in epochs after the first, where there were any
 * @param busy the part of its time that the GPU can compute
 * @param changes those that were proposed and made, the one with the highest gain first
 * @param notTried the other advice of the judgement, in words
 * @param tried the changes that the user named
 * @param run the record of the loader as it was asked about
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

  /** The causes of a run of some seconds whose batches are closed at once, and of no training. */
  private static final Set<Bottleneck.Cause> OF_THE_TRIAL =
      EnumSet.of(
          Bottleneck.Cause.NONE,
          Bottleneck.Cause.BRIEF_RUN,
          Bottleneck.Cause.START_UP,
          Bottleneck.Cause.STOPPED);

  /** Returns the judgement of a trial's record as far as it is about a training too. */
  static List<Bottleneck.Advice> advice(RunRecord run) {
    return run.bottleneck().advice().stream()
        .filter(each -> !OF_THE_TRIAL.contains(each.cause()))
        // What the loader can change comes first.
        .sorted(Comparator.comparing(each -> each.cause() == Bottleneck.Cause.BUSY_MACHINE))
        .toList();
  }

  /** Without a step time {@code need} is infinite. */
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
