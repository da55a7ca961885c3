package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.EpochStats;
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
 * @param otherProcessesProcessors the processors that other processes kept busy
 * @param busyMachine whether other processes make rates lower
 * @param workersContention the share of the workers that waited for a lock of another worker
 * @param changes the proposed changes that were made, the highest gain first
 * @param notTried the judgement's other changes, in words
 * @param tried the changes that the user named
 */
record Findings(
    Map<String, Object> inputs,
    Path path,
    String format,
    long images,
    double imageBytes,
    String pipeline,
    int workers,
    String bottleneck,
    String evidence,
    OptionalDouble neededImagesPerSecond,
    double measuredImagesPerSecond,
    OptionalDouble firstEpochImagesPerSecond,
    OptionalDouble busy,
    int processors,
    OptionalDouble otherProcessesProcessors,
    boolean busyMachine,
    double workersContention,
    List<Stage> stages,
    List<Tries.Attempt> changes,
    List<String> notTried,
    List<Tries.Attempt> tried) {

  /** The causes of a run of some seconds whose batches are closed at once, and of no training. */
  private static final Set<Bottleneck.Cause> OF_THE_TRIAL =
      EnumSet.of(
          Bottleneck.Cause.NONE,
          Bottleneck.Cause.BRIEF_RUN,
          Bottleneck.Cause.START_UP,
          Bottleneck.Cause.STOPPED);

  /**
   * The time of a stage for each image, in seconds: on a processor, in the queue for one, or
   * waiting.
   */
  record Stage(String name, double elapsedSeconds, double cpuSeconds, double queuedSeconds) {

    double waitingSeconds() {
      return Math.max(0, elapsedSeconds - cpuSeconds - queuedSeconds);
    }
  }

  /**
   * Returns the findings.
   *
   * @param need the images a second that the GPU takes; infinite if that is unknown
   */
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
    RunRecord record = trial.record();
    double trained = asked.trained(trial.imagesPerSecond(), need);
    boolean enough = trained >= need;
    List<Bottleneck.Advice> advice =
        enough
            ? List.of()
            : record.bottleneck().advice().stream()
                .filter(each -> !OF_THE_TRIAL.contains(each.cause()))
                // Changes of the loader come first.
                .sorted(Comparator.comparing(each -> each.cause() == Bottleneck.Cause.BUSY_MACHINE))
                .toList();
    String cause = Output.name(Bottleneck.Cause.UNKNOWN);
    String evidence = "No figure stands out.";
    if (enough) {
      cause = Output.name(Bottleneck.Cause.NONE);
      evidence = "The step is slower.";
    } else if (asked.workers() == 0) {
      cause = Output.name(Bottleneck.Cause.WORKERS);
      evidence =
          "Without them the training's own thread loads each batch, and the GPU stands still"
              + " meanwhile.";
    } else if (!advice.isEmpty()) {
      cause = Output.name(advice.get(0).cause());
      evidence = advice.get(0).evidence();
    }
    boolean known = need < Double.POSITIVE_INFINITY;
    return new Findings(
        inputs,
        path,
        format,
        asked.images().size(),
        imageBytes,
        asked.pipeline().name(),
        asked.workers(),
        cause,
        evidence,
        known ? OptionalDouble.of(need) : OptionalDouble.empty(),
        trial.imagesPerSecond(),
        trial.firstEpoch(),
        known ? OptionalDouble.of(Math.min(1, trained / need)) : OptionalDouble.empty(),
        record.processors(),
        record.otherProcessors(),
        record.bottleneck().isMachineBusy(),
        record.total().workers().contention(),
        record.total().stages().stream()
            .filter(stage -> !stage.name().equals(Trial.COUNTING))
            .map(stage -> perImage(stage, record.total().samples()))
            .toList(),
        changes.stream().sorted(Comparator.comparingDouble(each -> -each.measuredGain())).toList(),
        enough ? List.of() : Proposals.notTried(advice, path, asked, trial),
        tried);
  }

  private static Stage perImage(EpochStats.Stage stage, long samples) {
    double images = 1e9 * Math.max(1, samples);
    return new Stage(
        stage.name(),
        stage.elapsed().toNanos() / images,
        stage.cpu().toNanos() / images,
        stage.queued().toNanos() / images);
  }

  /** Tests whether enough images come for the GPU. */
  boolean enough() {
    return bottleneck.equals("none");
  }
}
