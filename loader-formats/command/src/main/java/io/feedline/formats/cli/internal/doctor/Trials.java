package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.image.dataset.ImageDataset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param loading of all images, with the workers that were asked about
 * @param time of each run
 * @param unread for runs of the first epoch
 * @param decoding what has measured the figures
 * @param need the images a second that the GPU can take
 */
record Trials(
    Loading loading,
    Duration time,
    UnreadImages unread,
    DecodeProbe decoding,
    Figures figures,
    double need) {

  private static final int PARTS = 5;

  /** The rounds in which two ways of loading take turns. */
  private static final int ROUNDS = 3;

  /** The time in which the pace is measured, in parts of that which then follows. */
  private static final double PACING = 0.4;

  /** Runs loaders with these numbers of workers. */
  List<Run> run(Set<Integer> workers) throws Exception {
    TreeMap<Integer, Epoch> epochs = new TreeMap<>();
    workers.forEach(
        each ->
            epochs.put(
                each,
                Examination.worthwhile(
                    figures, each, loading.images().size(), time.toNanos() / 1e9)));
    long parts = PARTS * epochs.values().stream().filter(Epoch.FIRST::equals).count();
    long share = parts == 0 ? 0 : unread.left() / parts;
    // The JVM has not compiled the loader itself yet.
    Trial.run(
        loading.withImages(decoding.images()).withWorkers(figures.machine().processors()),
        0,
        Long.MAX_VALUE,
        part());
    boolean allRead = false;
    List<Run> runs = new ArrayList<>();
    // First epochs come first, while there are images that were not read.
    for (int each : epochs.keySet().stream().sorted(Comparator.comparing(epochs::get)).toList()) {
      boolean later = epochs.get(each) == Epoch.LATER;
      if (later && !allRead) {
        // Reads that wait are those of an epoch before.
        Loading before = loading.withWorkers(each).withReadAhead(Diagnosis.READS_AHEAD);
        Trial.run(before, 0, 1, time.multipliedBy(2));
        allRead = true;
      }
      runs.add(run(each, epochs.get(each), share));
    }
    return runs;
  }

  private Duration part() {
    return time.dividedBy(PARTS);
  }

  /** Loads in several ways by turns, and compares; other load of the machine hits all. */
  Map<String, Attempt> inTurns(Loading base, Map<String, Loading> others) {
    Map<String, List<Double>> gains = new LinkedHashMap<>();
    Map<String, Double> rates = new HashMap<>();
    // Each turn begins with other images than the one before, which has left its own in memory.
    long seed = 0;
    // The first round, in which the JVM compiles what is new, does not count.
    for (int round = 0; round <= ROUNDS; round++) {
      double before = Trial.run(base, seed++, Long.MAX_VALUE, part()).imagesPerSecond();
      for (Map.Entry<String, Loading> other : others.entrySet()) {
        double rate = Trial.run(other.getValue(), seed++, Long.MAX_VALUE, part()).imagesPerSecond();
        if (round > 0) {
          double gain = trained(other.getValue(), rate) / trained(base, before);
          gains.computeIfAbsent(other.getKey(), name -> new ArrayList<>()).add(gain);
          rates.merge(other.getKey(), rate / ROUNDS, Double::sum);
        }
      }
    }
    Map<String, Attempt> attempts = new LinkedHashMap<>();
    gains.forEach((name, each) -> attempts.put(name, Attempt.of(rates.get(name), each)));
    return attempts;
  }

  private double trained(Loading how, double imagesPerSecond) {
    return Diagnosis.trained(imagesPerSecond, how.workers(), need);
  }

  /**
   * A change that was made, and loaded in turns with the loader as it was.
   *
   * @param imagesPerSecond with it, on average
   * @param gain the median over the rounds: of the images a second that reach a training, those
   *     with it by those without
   * @param least the lowest of the rounds
   * @param most the highest
   */
  record Attempt(double imagesPerSecond, double gain, double least, double most) {

    /**
     * The width of the rounds' range on either side of the median within which two equal loaders
     * stay, 95 times of 100: by Student's t for three rounds, 4.30 / sqrt(3) standard deviations,
     * of which the range of three has 1.69.
     */
    private static final double BY_CHANCE = 1.5;

    /** Tests whether the gain is more than chance makes of two equal loaders. */
    boolean isClear() {
      return Math.abs(Math.log(gain)) > BY_CHANCE * Math.log(most / least);
    }

    static Attempt of(double imagesPerSecond, List<Double> gains) {
      List<Double> sorted = gains.stream().sorted().toList();
      int last = sorted.size() - 1;
      return new Attempt(imagesPerSecond, sorted.get(last / 2), sorted.get(0), sorted.get(last));
    }
  }

  private Run run(int workers, Epoch epoch, long share) throws Exception {
    Duration part = part();
    Duration pacing = Duration.ofNanos(Math.round(PACING * part.toNanos()));
    Loading asked = loading.withWorkers(workers);
    int busy = Math.min(asked.threads(), figures.machine().processors());
    List<Run> parts = new ArrayList<>();
    DecodeProbe.Now before = decoding.now(busy, pacing);
    for (int i = 0; i < PARTS; i++) {
      boolean first = epoch == Epoch.FIRST;
      ImageDataset all = loading.images();
      ImageDataset some = first ? all.subset(unread.take(share)) : all;
      Trial trial = Trial.run(asked.withImages(some), 0, first ? 1 : Long.MAX_VALUE, part);
      DecodeProbe.Now after = decoding.now(busy, pacing);
      MachineFigures then = machine(asked.threads(), busy, trial, before, after);
      double predicted = figures.on(then).model(epoch).predict(asked.threads());
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
      int threads, int busy, Trial trial, DecodeProbe.Now before, DecodeProbe.Now after) {
    MachineFigures machine = figures.machine();
    if (ThreadTimes.tellQueue() && threads == busy) {
      double pace = (before.pace() + after.pace()) / 2;
      return machine.with(new MachineFigures.Speedup(busy, busy * pace * trial.share()));
    }
    double speedup = (before.speedup() + after.speedup()) / 2;
    return machine.atPace(speedup / machine.speedup(busy));
  }
}
