package io.feedline.formats.cli.internal.doctor;

import io.feedline.data.Dataset;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.doctor.DecodeFigures.Kind;
import io.feedline.formats.cli.internal.doctor.DecodeFigures.Smaller;
import io.feedline.formats.cli.internal.plan.MachineFigures.Speedup;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.recode.internal.Recoding;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Measures what images in memory take of a processor, from their bytes to their rows, by the
 * thread's own CPU time. All images are decoded over and over, with other crops each time, until
 * the JVM has compiled the code and rounds take the same time.
 */
final class DecodeProbe {

  private static final long INDEX_BYTES = 64L << 20;
  private static final int STABLE_ROUNDS = 3;
  private static final int SLICES = 10;
  private static final int MOST_SLICES = 30;
  private static final double STABLE = 0.05;

  private final MemoryStore store;
  private final PipelineOptions pipeline;
  private final boolean indexKept;
  private final Duration time;
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final RowMemory rows;
  private Dataset<LabeledImage> known;
  private MemoryStore scaledFrom;
  private MemoryStore scaledTo;
  private double knownSeconds;
  private long epoch;

  /**
   * A probe that has not measured yet.
   *
   * @param indexKept whether the data's scan indexes lie beside them
   * @param time that the main measurement may take
   * @param rowsOfLoader how many rows the batches of a loader have
   */
  DecodeProbe(
      MemoryStore store,
      PipelineOptions pipeline,
      boolean indexKept,
      Duration time,
      long rowsOfLoader) {
    this.store = store;
    this.pipeline = pipeline;
    this.indexKept = indexKept;
    this.time = time;
    this.rows = new RowMemory(pipeline.rowBytes(), rowsOfLoader, processors);
  }

  /** Seconds of each image, without its scan index and with it. */
  private record Round(double[] first, double[] later) {
    double total() {
      return mean(first) + mean(later);
    }
  }

  /** Measures, which takes up to twice the time, and more for images of several megabytes. */
  DecodeFigures measure() throws Exception {
    warmUp();
    Round floats = untilStable();
    double first = mean(floats.first());
    double later = mean(floats.later());
    knownSeconds = later;
    return new DecodeFigures(
        pipeline.imageSize(),
        kinds(floats),
        indexKept ? later : first,
        later,
        later * part(store, pipeline.ofBytes(images(store))),
        smaller(later),
        pipeline.isOwn() ? Math.max(0, later - wholeSeconds()) : 0,
        pipeline.isOwn() ? waitSeconds() : 0,
        pipeline.isOwn(),
        indexKept);
  }

  /**
   * Measures how much more several threads decode than one, in turns, after {@link #measure}.
   *
   * @param most time for each number of threads
   */
  List<Speedup> speedups(Duration most) throws Exception {
    known = pipeline.of(images(store));
    pass(known, new double[store.images().size()]);
    TreeMap<Integer, Double> speedups = new TreeMap<>();
    for (int round = 0; round < STABLE_ROUNDS; round++) {
      for (int threads = 1; ; threads = Math.min(2 * threads, processors)) {
        double rate = decode(threads, most.dividedBy(STABLE_ROUNDS)).perSecond();
        speedups.merge(threads, rate * knownSeconds / STABLE_ROUNDS, Double::sum);
        if (threads == processors) {
          break;
        }
      }
    }
    return speedups.entrySet().stream()
        .map(each -> new Speedup(each.getKey(), each.getValue()))
        .toList();
  }

  /** Measures the pace of so many decoding threads now, after {@link #speedups}. */
  Now now(int threads, Duration most) throws Exception {
    LoadGenerator.Done done = decode(threads, most);
    return new Now(done.perSecond() * knownSeconds, knownSeconds / done.cpuSeconds());
  }

  /**
   * The pace of decoding threads, compared with one that decoded alone when the figures were taken.
   *
   * @param speedup how many processors of their own, of that time, they are worth
   * @param pace what a processor's time is worth of that
   */
  record Now(double speedup, double pace) {}

  private LoadGenerator.Done decode(int threads, Duration most) throws Exception {
    long round = epoch++;
    return LoadGenerator.work(
        threads,
        most,
        number -> pipeline.write(known, number % known.size(), round + number, rows.next()));
  }

  /**
   * Decodes with all processors, so that the JVM has compiled what it will before the time of one
   * thread is taken.
   */
  private void warmUp() throws Exception {
    int size = store.images().size();
    Map<Integer, Dataset<LabeledImage>> datasets = new ConcurrentHashMap<>();
    double before = Double.POSITIVE_INFINITY;
    boolean ever = false;
    // Where others have the processors, longer, until all were decoded once.
    for (int slice = 0; slice < SLICES || (!ever && slice < MOST_SLICES); slice++) {
      datasets.clear();
      LoadGenerator.Done done =
          LoadGenerator.work(
              processors,
              time.dividedBy(SLICES / 2),
              number ->
                  pipeline.write(
                      // Twice each: without a scan index, and with it.
                      datasets.computeIfAbsent(
                          number / size / 2, again -> pipeline.of(images(store))),
                      number % size,
                      number,
                      rows.next()));
      boolean whole = done.count() >= 2L * size;
      ever |= whole;
      if (whole && Math.abs(done.cpuSeconds() / before - 1) < STABLE) {
        return;
      }
      before = whole ? done.cpuSeconds() : Double.POSITIVE_INFINITY;
    }
  }

  private Round untilStable() throws Exception {
    long end = System.nanoTime() + time.toNanos();
    List<Round> rounds = new ArrayList<>();
    do {
      rounds.add(round());
    } while (!stable(rounds) && System.nanoTime() - end < 0);
    List<Round> last = rounds.subList(Math.max(0, rounds.size() - STABLE_ROUNDS), rounds.size());
    return new Round(
        means(last.stream().map(Round::first).toList()),
        means(last.stream().map(Round::later).toList()));
  }

  private static boolean stable(List<Round> rounds) {
    if (rounds.size() < STABLE_ROUNDS) {
      return false;
    }
    double[] last =
        rounds.subList(rounds.size() - STABLE_ROUNDS, rounds.size()).stream()
            .mapToDouble(Round::total)
            .sorted()
            .toArray();
    return last[STABLE_ROUNDS - 1] < (1 + STABLE) * last[0];
  }

  private Round round() throws Exception {
    Dataset<LabeledImage> samples = pipeline.of(images(store));
    double[] first = new double[store.images().size()];
    double[] later = new double[first.length];
    pass(samples, first);
    pass(samples, later);
    return new Round(first, later);
  }

  /** Decodes each image once, and takes its time. */
  private void pass(Dataset<LabeledImage> samples, double[] seconds) throws Exception {
    epoch++;
    long before = ThreadTimes.cpuNow();
    for (int i = 0; i < seconds.length; i++) {
      pipeline.write(samples, i, epoch, rows.next());
      long now = ThreadTimes.cpuNow();
      seconds[i] = (now - before) / 1e9;
      before = now;
    }
  }

  /** The images in memory, with scan indexes of their own. */
  ImageDataset images() {
    return images(store);
  }

  /**
   * Returns images that {@link #measure} has scaled, and then these as {@code convert --resize}
   * makes them; each waits for a read.
   *
   * @param wait how long
   */
  List<ImageDataset> scaled(Duration wait) {
    return Stream.of(scaledFrom, scaledTo)
        .map(
            of ->
                ImageDataset.of(wait.isZero() ? of : new DelayedStore(of, wait))
                    .withScanIndexBytes(INDEX_BYTES))
        .toList();
  }

  private static ImageDataset images(MemoryStore of) {
    return ImageDataset.of(of).withScanIndexBytes(INDEX_BYTES);
  }

  /** Returns the time to decode an image whole, with its scan index and without a pipeline. */
  private double wholeSeconds() throws Exception {
    ImageDataset samples = images(store);
    int size = store.images().size();
    double best = Double.POSITIVE_INFINITY;
    for (int round = 0; round <= STABLE_ROUNDS; round++) {
      long start = ThreadTimes.cpuNow();
      for (int i = 0; i < size; i++) {
        samples.get(i).image().pixels();
      }
      best = Math.min(best, (ThreadTimes.cpuNow() - start) / 1e9 / size);
    }
    return best;
  }

  /**
   * Returns the time that a pipeline waits for something other than a processor: the least of some
   * tries, since the JVM stops the thread now and then.
   */
  private double waitSeconds() throws Exception {
    known = pipeline.of(images(store));
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < STABLE_ROUNDS; i++) {
      least = Math.min(least, decode(1, time.dividedBy(SLICES * STABLE_ROUNDS)).waitSeconds());
    }
    return least;
  }

  /**
   * Returns the part that some images take of the time when they are changed, with their scan
   * indexes, in turns, as the pace of a machine changes.
   */
  private double part(MemoryStore whole, Dataset<LabeledImage> changed) throws Exception {
    Dataset<LabeledImage> same = pipeline.of(images(whole));
    double[] seconds = new double[whole.images().size()];
    List<Double> parts = new ArrayList<>();
    for (int round = 0; round <= STABLE_ROUNDS; round++) {
      pass(changed, seconds);
      double changedSeconds = mean(seconds);
      pass(same, seconds);
      parts.add(changedSeconds / mean(seconds));
    }
    // The first round is without scan indexes.
    return parts.stream().skip(1).sorted().skip(STABLE_ROUNDS / 2).findFirst().orElseThrow();
  }

  /** Scales as many of the images as there is time for, and compares these with themselves. */
  private Smaller smaller(double later) throws Exception {
    int side = Math.round(pipeline.imageSize() * 256f / 224);
    Recoding recoding = Recoding.of(StoreOptions.NONE.with("resize", Integer.toString(side)));
    List<EncodedImage> scaled = new ArrayList<>();
    int changed = 0;
    long end = System.nanoTime() + time.dividedBy(4).toNanos();
    for (EncodedImage image : store.images()) {
      EncodedImage made = recoding.apply(image);
      changed += made.equals(image) ? 0 : 1;
      scaled.add(made);
      if (System.nanoTime() - end > 0) {
        break;
      }
    }
    int size = scaled.size();
    List<EncodedImage> same = store.images().subList(0, size);
    scaledFrom = new MemoryStore(same, store.places());
    scaledTo = new MemoryStore(scaled, store.places());
    return new Smaller(
        side,
        (double) changed / size,
        meanBytes(store.images()) * meanBytes(scaled) / meanBytes(same),
        later * part(scaledFrom, pipeline.of(images(scaledTo))));
  }

  private List<Kind> kinds(Round round) throws JpegException {
    Map<String, List<Integer>> members = new TreeMap<>();
    for (int i = 0; i < store.images().size(); i++) {
      members.computeIfAbsent(kind(store.images().get(i)), name -> new ArrayList<>()).add(i);
    }
    List<Kind> kinds = new ArrayList<>();
    members.forEach(
        (name, at) ->
            kinds.add(
                new Kind(
                    name,
                    at.size(),
                    meanBytes(at.stream().map(store.images()::get).toList()),
                    mean(at.stream().mapToDouble(i -> round.first()[i]).toArray()),
                    mean(at.stream().mapToDouble(i -> round.later()[i]).toArray()))));
    kinds.sort(Comparator.comparingInt(Kind::images).reversed());
    return kinds;
  }

  private static String kind(EncodedImage image) throws JpegException {
    if (image.format() != ImageFormat.JPEG) {
      return image.format().toString();
    }
    String left = JpegImage.parse(image.bytes()).unsupported();
    return left == null ? "JPEG, baseline" : "JPEG, " + left;
  }

  private static double meanBytes(List<EncodedImage> images) {
    return images.stream().mapToInt(image -> image.bytes().length).average().orElse(0);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private static double[] means(List<double[]> rounds) {
    double[] means = new double[rounds.get(0).length];
    for (int i = 0; i < means.length; i++) {
      int at = i;
      means[i] = rounds.stream().mapToDouble(round -> round[at]).average().orElse(0);
    }
    return means;
  }
}
