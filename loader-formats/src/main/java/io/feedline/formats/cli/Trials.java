package io.feedline.formats.cli;

import io.feedline.formats.cli.Diagnosis.Epoch;
import io.feedline.formats.cli.Diagnosis.Figures;
import io.feedline.formats.cli.Examination.Run;
import io.feedline.formats.image.ImageDataset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The predictions put to the test: runs of the real loader.
 *
 * <p>A run is made in parts, and before each part it is measured what threads that only decode get
 * done then. On a machine that others use too that changes within seconds, and is no error of the
 * prediction. The median part counts, of both.
 *
 * @param images all of them
 * @param seconds of each run
 * @param unread for runs of the first epoch
 * @param decoding what has measured the figures
 */
record Trials(
    ImageDataset images,
    Training training,
    int batchSize,
    int seconds,
    Unread unread,
    DecodeProbe decoding,
    Figures figures) {

  private static final int PARTS = 5;

  /** The time in which the pace is measured, in parts of that which then follows. */
  private static final double PACING = 0.4;

  /** Runs loaders with these numbers of workers. */
  List<Run> run(Set<Integer> workers) throws Exception {
    TreeMap<Integer, Epoch> epochs = new TreeMap<>();
    workers.forEach(
        each -> epochs.put(each, Examination.worthwhile(figures, each, images.size(), seconds)));
    long parts = PARTS * epochs.values().stream().filter(Epoch.FIRST::equals).count();
    long share = parts == 0 ? 0 : unread.left() / parts;
    // The JVM has not compiled the loader itself yet.
    Trial.run(
        decoding.images(),
        training,
        batchSize,
        figures.machine().processors(),
        Long.MAX_VALUE,
        Duration.ofSeconds(seconds).dividedBy(PARTS));
    boolean allRead = false;
    List<Run> runs = new ArrayList<>();
    // First epochs come first, while there are images that were not read.
    for (int each : epochs.keySet().stream().sorted(Comparator.comparing(epochs::get)).toList()) {
      boolean later = epochs.get(each) == Epoch.LATER;
      if (later && !allRead) {
        Trial.run(images, training, batchSize, each, 1, Duration.ofSeconds(2L * seconds));
        allRead = true;
      }
      runs.add(run(each, epochs.get(each), share));
    }
    return runs;
  }

  private Run run(int workers, Epoch epoch, long share) throws Exception {
    Duration part = Duration.ofSeconds(seconds).dividedBy(PARTS);
    Duration pacing = Duration.ofNanos(Math.round(PACING * part.toNanos()));
    int busy = Math.min(workers, figures.machine().processors());
    double[] paces = new double[PARTS];
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      double now = decoding.speedup(busy, pacing).factor();
      paces[i] = now / figures.machine().speedup(busy);
      boolean first = epoch == Epoch.FIRST;
      ImageDataset some = first ? images.subset(unread.take(share)) : images;
      trials.add(Trial.run(some, training, batchSize, workers, first ? 1 : Long.MAX_VALUE, part));
    }
    Arrays.sort(paces);
    double pace = paces[PARTS / 2];
    double predicted = figures.atPace(pace).model(epoch).predict(workers);
    return new Run(workers, epoch, pace, predicted, Optional.of(Trial.median(trials)));
  }
}
