package io.feedline.formats.cli.internal.doctor;

import io.feedline.stats.Bottleneck;
import io.feedline.stats.EpochStats;
import io.feedline.stats.RunRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * All that {@code doctor} has found: what the loader made of the data, the judgement of that, and
 * what changes brought.
 *
 * @param path of the data
 * @param format the name of their format
 * @param imageBytes the size of an image, on average
 * @param stepTime how long the training works on a batch
 * @param asked the loader that was asked about
 * @param trial what it did
 * @param changes those that may help where images are missing
 * @param attempts the changes that were made and measured, by their names
 */
record Findings(
    Path path,
    String format,
    double imageBytes,
    Duration stepTime,
    Loading asked,
    Trial trial,
    List<Change> changes,
    Map<String, Tries.Attempt> attempts) {

  /** The part of the processors that others may keep busy without a word. */
  private static final double MUCH = 0.1;

  /** The causes of a run of some seconds whose batches are closed at once, and of no training. */
  private static final Set<Bottleneck.Cause> OF_THE_TRIAL =
      EnumSet.of(
          Bottleneck.Cause.BRIEF_RUN,
          Bottleneck.Cause.BUSY_MACHINE,
          Bottleneck.Cause.START_UP,
          Bottleneck.Cause.STOPPED);

  /** Returns the images a second that the GPU takes. */
  double need() {
    return asked.batchSize() * 1e9 / stepTime.toNanos();
  }

  /** Returns the same with changes. */
  Findings with(List<Change> itsChanges, Map<String, Tries.Attempt> itsAttempts) {
    return new Findings(path, format, imageBytes, stepTime, asked, trial, itsChanges, itsAttempts);
  }

  private double trained() {
    return asked.trained(trial.imagesPerSecond(), need());
  }

  /** Tests whether as many images come as the GPU needs. */
  boolean enough() {
    return trained() >= need();
  }

  /** Returns the part of its time that the GPU can compute. */
  double busy() {
    return Math.min(1, trained() / need());
  }

  RunRecord record() {
    return trial.record();
  }

  /** Returns the judgement of the run; empty where there is enough, or nothing stands out. */
  Optional<Bottleneck.Advice> bottleneck() {
    return enough()
        ? Optional.empty()
        : record().bottleneck().advice().stream()
            .filter(each -> !OF_THE_TRIAL.contains(each.cause()))
            .findFirst();
  }

  /** Returns the processors that other processes kept busy; empty where that is not known. */
  OptionalDouble others() {
    return record().otherProcessors();
  }

  /** Tests whether other processes kept so much of the machine busy that rates are ranges. */
  boolean busyMachine() {
    return others().orElse(0) > MUCH * record().processors();
  }

  /** Returns the seconds of a stage for each image. */
  double perImage(Duration ofStage) {
    return ofStage.toNanos() / 1e9 / Math.max(1, record().total().samples());
  }

  /** Returns the stages that take a time worth a line. */
  List<EpochStats.Stage> stages() {
    return record().total().stages().stream()
        .filter(stage -> !stage.name().equals(Trial.COUNTING))
        .toList();
  }

  /** Returns the changes that were made, the one with the highest gain first. */
  List<Change> made() {
    return changes.stream()
        .filter(change -> attempts.containsKey(change.name()))
        .sorted(Comparator.comparingDouble((Change change) -> -attempts.get(change.name()).gain()))
        .toList();
  }

  /** Returns the changes that would have to be written, or are the user's work. */
  List<Change> untried() {
    return changes.stream().filter(change -> !attempts.containsKey(change.name())).toList();
  }
}
