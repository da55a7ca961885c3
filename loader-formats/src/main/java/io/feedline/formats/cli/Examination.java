package io.feedline.formats.cli;

import io.feedline.formats.cli.Diagnosis.Epoch;
import io.feedline.formats.cli.Diagnosis.Figures;
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
   * @param predicted images a second
   * @param trial what was measured; empty where the loader was not run
   */
  record Run(int workers, Epoch epoch, double predicted, Optional<Trial> trial) {
    /** How much more was predicted than measured, in percent of what was measured. */
    Optional<Double> errorPercent() {
      return trial.map(each -> 100 * (predicted / each.imagesPerSecond() - 1));
    }

    Run with(Trial measured) {
      return new Run(workers, epoch, predicted, Optional.of(measured));
    }
  }

  Examination {
    runs = List.copyOf(runs);
  }

  /**
   * The run of some workers that is worth making in a time: in epochs after the first where a first
   * one ends in the time, which is what most of a training consists of, or else in the first one.
   */
  static Run expected(Figures figures, int workers, long images, double seconds) {
    boolean ends = images <= figures.model(Epoch.FIRST).predict(workers) * seconds;
    Epoch epoch = ends ? Epoch.LATER : Epoch.FIRST;
    return new Run(workers, epoch, figures.model(epoch).predict(workers), Optional.empty());
  }

  /** The run of the workers that were asked about. */
  Run asked() {
    return runs.stream()
        .filter(run -> run.workers() == diagnosis.workers())
        .findFirst()
        .orElseThrow();
  }
}
