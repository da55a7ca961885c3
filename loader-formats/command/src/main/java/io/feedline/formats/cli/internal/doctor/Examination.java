package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Change;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All that {@code doctor} has found: the figures, what follows from them, and what the loader made
 * of it.
 *
 * @param path of the data
 * @param format the name of their format
 * @param images how many they are
 * @param pipeline the name of what is done to them
 * @param runs the predictions, by ascending workers, with the trials that were made
 * @param attempts the changes that were made and measured in turns: those of the diagnosis by their
 *     keys, and those of the user as they were given
 */
record Examination(
    Path path,
    String format,
    long images,
    String pipeline,
    Figures figures,
    Diagnosis diagnosis,
    List<Run> runs,
    Map<String, Attempt> attempts) {

  /** The part of the processors that others may keep busy without a word. */
  private static final double MUCH = 0.1;

  /** The share of the workers that may wait for each other's locks without a word. */
  private static final double MUCH_CONTENTION = 0.3;

  private static final String BUSY_MACHINE = "busy-machine";
  private static final String JOINED_READS = "joined-reads";

  /**
   * A loader with a number of workers.
   *
   * @param epoch that is predicted, and measured
   * @param machine as it was in the trial: where other processes come and go, it changes
   * @param predicted images a second, on that
   * @param trial what was measured; empty where the loader was not run
   */
  record Run(
      int workers, Epoch epoch, MachineFigures machine, double predicted, Optional<Trial> trial) {
    /** The images a second as they were measured, or predicted where the loader was not run. */
    double rate() {
      return trial.map(Trial::imagesPerSecond).orElse(predicted);
    }

    /** The share of the workers that waited for each other's locks, as far as it was measured. */
    double contention() {
      return trial.map(Trial::contention).orElse(0.0);
    }

    /**
     * Returns the error of the prediction, in percent of the measured rate; positive if it was too
     * high.
     */
    Optional<Double> errorPercent() {
      return trial.map(each -> 100 * (predicted / each.imagesPerSecond() - 1));
    }
  }

  Examination {
    runs = List.copyOf(runs);
    attempts = Collections.unmodifiableMap(new LinkedHashMap<>(attempts));
  }

  /**
   * The epoch of some workers that is worth running in a time: one after the first where the first
   * ends in the time, since most of a training consists of these, or else the first. What is kept
   * in memory can be read many at once before.
   */
  static Epoch worthwhile(Figures figures, int workers, long images, double seconds) {
    ReadFigures reads = figures.reads();
    boolean kept =
        reads.caching() == ReadFigures.Caching.SECOND_READS
            && images <= reads.fastest().readsPerSecond() * seconds;
    double rate =
        figures.model(kept ? Epoch.LATER : Epoch.FIRST, Epoch.FIRST).predict(Math.max(1, workers));
    return images <= rate * seconds ? Epoch.LATER : Epoch.FIRST;
  }

  /**
   * The images a second that are predicted for an epoch, with the workers that were asked about.
   */
  double predicted(Epoch epoch) {
    return figures.model(epoch).predict(Math.max(1, diagnosis.workers()));
  }

  /** Tests whether other processes kept so much of the machine busy that figures are ranges. */
  boolean busyMachine() {
    double most = asked().trial().flatMap(trial -> boxed(trial.othersProcessors())).orElse(0.0);
    double before = boxed(figures.machine().othersProcessors()).orElse(0.0);
    return Math.max(most, before) > MUCH * figures.machine().processors();
  }

  /** The images a second that reach the training: as measured, or predicted without a trial. */
  private double trained() {
    return Diagnosis.trained(asked().rate(), diagnosis.workers(), diagnosis.need());
  }

  /** Tests whether as many images come as the GPU needs. */
  boolean enough() {
    return trained() >= diagnosis.need();
  }

  /** The part of its time that the GPU can compute. */
  double busy() {
    return Math.min(1, trained() / diagnosis.need());
  }

  private static Optional<Double> boxed(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }

  /**
   * Returns the rates between which a promised one may lie: those of the change, where it is not
   * known before it is tried; and on a busy machine it varies as the loader's own rate did. Empty
   * where it is one number, and where a part of a trial on a busy machine brought nothing.
   */
  Optional<Range> range(Change change) {
    if (busyMachine()) {
      return asked()
          .trial()
          .filter(trial -> trial.least() > 0)
          .map(
              trial -> {
                double spread = trial.most() / trial.least();
                return new Range(
                    change.imagesPerSecond() / spread, change.most() * spread, BUSY_MACHINE);
              });
    }
    return change.most() > change.imagesPerSecond()
        ? Optional.of(new Range(change.imagesPerSecond(), change.most(), JOINED_READS))
        : Optional.empty();
  }

  /**
   * Rates, in images a second.
   *
   * @param reason the reason for a range, as in JSON
   */
  record Range(double least, double most, String reason) {}

  /** Returns the run whose workers waited most for each other's locks; empty where few did. */
  Optional<Run> contended() {
    return runs.stream()
        .filter(run -> run.contention() > MUCH_CONTENTION)
        .max(Comparator.comparingDouble(Run::contention));
  }

  /** The change as it was made, in turns with the loader as it is; empty where it was not. */
  Optional<Attempt> attempt(Change change) {
    return Optional.ofNullable(attempts.get(Output.name(change.kind())));
  }

  /** The changes, the one with the highest gain first: as it came, or as the figures have it. */
  List<Change> changes() {
    return diagnosis.changes().stream()
        .sorted(
            Comparator.comparingDouble(
                change -> -attempt(change).map(Attempt::gain).orElse(change.gain())))
        .toList();
  }

  /** The run of the workers that were asked about. */
  Run asked() {
    return runs.stream()
        .filter(run -> run.workers() == diagnosis.workers())
        .findFirst()
        .orElseThrow();
  }
}
