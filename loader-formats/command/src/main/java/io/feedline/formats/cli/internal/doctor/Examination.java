package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * All that {@code doctor} has found: the figures, what follows from them, and what the loader made
 * of it.
 *
 * @param path of the data
 * @param format the name of their format
 * @param images how many they are
 * @param runs the predictions, by ascending workers, with the trials that were made
 */
record Examination(
    Path path, String format, long images, Figures figures, Diagnosis diagnosis, List<Run> runs) {

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
  }

  /**
   * The epoch of some workers that is worth running in a time: one after the first where the first
   * ends in the time, since most of a training consists of these, or else the first.
   */
  static Epoch worthwhile(Figures figures, int workers, long images, double seconds) {
    boolean ends = images <= figures.model(Epoch.FIRST).predict(workers) * seconds;
    return ends ? Epoch.LATER : Epoch.FIRST;
  }

  /** The run of the workers that were asked about. */
  Run asked() {
    return runs.stream()
        .filter(run -> run.workers() == diagnosis.workers())
        .findFirst()
        .orElseThrow();
  }
}
