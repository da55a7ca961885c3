package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.image.dataset.ImageDataset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The predictions put to the test: runs of the real loader.
 *
 * <p>A run is made in parts, and between them it is measured what decoding costs then. On a machine
 * that others use too that changes within seconds, and so does the part of a processor that the
 * workers get, which the system reports itself: neither is an error of the prediction. With more
 * workers than processors it is unknown whether they wait for others or for each other: for these
 * counts the prediction is held against threads that only decode, between the parts. The part with
 * the median error counts.
 *
 * @param images all of them
 * @param seconds of each run
 * @param unread for runs of the first epoch
 * @param decoding what has measured the figures
 */
record Trials(
    ImageDataset images,
    PipelineOptions pipeline,
    int batchSize,
    int seconds,
    UnreadImages unread,
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
        pipeline,
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
        Trial.run(images, pipeline, batchSize, each, 1, Duration.ofSeconds(2L * seconds));
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
    List<Run> parts = new ArrayList<>();
    DecodeProbe.Now before = decoding.now(busy, pacing);
    for (int i = 0; i < PARTS; i++) {
      boolean first = epoch == Epoch.FIRST;
      ImageDataset some = first ? images.subset(unread.take(share)) : images;
      Trial trial = Trial.run(some, pipeline, batchSize, workers, first ? 1 : Long.MAX_VALUE, part);
      DecodeProbe.Now after = decoding.now(busy, pacing);
      MachineFigures then = machine(workers, busy, trial, before, after);
      double predicted = figures.on(then).model(epoch).predict(workers);
      parts.add(new Run(workers, epoch, then, predicted, Optional.of(trial)));
      before = after;
    }
    parts.sort(Comparator.comparingDouble(each -> each.errorPercent().orElseThrow()));
    Run median = parts.get(PARTS / 2);
    List<Trial> trials = parts.stream().map(each -> each.trial().orElseThrow()).toList();
    return new Run(
        workers,
        epoch,
        median.machine(),
        median.predicted(),
        median.trial().map(of -> of.of(trials)));
  }

  /** The machine as it was between two measurements, for the threads of a trial. */
  private MachineFigures machine(
      int workers, int busy, Trial trial, DecodeProbe.Now before, DecodeProbe.Now after) {
    MachineFigures machine = figures.machine();
    if (ThreadTimes.tellQueue() && workers == busy) {
      double pace = (before.pace() + after.pace()) / 2;
      return machine.with(new MachineFigures.Speedup(busy, busy * pace * trial.share()));
    }
    double speedup = (before.speedup() + after.speedup()) / 2;
    return machine.atPace(speedup / machine.speedup(busy));
  }
}
