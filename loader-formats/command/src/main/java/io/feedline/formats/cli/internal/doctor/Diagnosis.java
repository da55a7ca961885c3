package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.plan.LoaderModel;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.cli.internal.plan.Plan;
import io.feedline.formats.cli.internal.plan.StorageCheck;
import io.feedline.formats.cli.internal.plan.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The conclusions from the figures: the speed of a loader, its bottleneck, and the changes to make.
 *
 * @param workload what is needed: {@code n / t} images a second
 * @param epoch whose figures it was computed with
 * @param model of the loader
 * @param workers that were asked about
 * @param recommended as many as are needed, with something to spare; where the need cannot be met,
 *     as many as are of use
 * @param bottleneck with the workers that were asked about
 * @param changes that would help, the one with the highest gain first
 */
record Diagnosis(
    Workload workload,
    Epoch epoch,
    LoaderModel model,
    int workers,
    int recommended,
    Bottleneck bottleneck,
    List<Change> changes) {

  /** The part of what the other limits allow, from which on more workers are of little use. */
  private static final double ENOUGH = 0.9;

  /** The part of the highest rate that the recommended workers reach at least. */
  private static final double NEARLY_ALL = 0.97;

  /** The number of reads that a loader has in flight by default if it reads ahead. */
  static final int READS_AHEAD = 64;

  /** From this gain on a change is worth a line. */
  private static final double WORTHWHILE = 1.05;

  /** The part of a step that copying a batch may take before it is worth a line. */
  private static final double MUCH_COPYING = 0.05;

  /** The epochs that differ: later ones know what the first one reads and decodes. */
  enum Epoch {
    /** Reads are first reads, and images have no scan indexes yet, unless they lie beside them. */
    FIRST,
    LATER
  }

  /** The resource that limits a loader. */
  enum Bottleneck {
    /** The processors: more workers would only take turns. */
    CPU,
    /** Workers that wait for reads most of their time; more of them would wait for more at once. */
    READ_LATENCY,
    /** The storage, which gives no more however many reads are in flight. */
    READ_BANDWIDTH,
    /** A user's own pipeline, which takes most of an image's time. */
    TRANSFORM,
    /** Workers that compute, while processors are idle. */
    WORKERS,
    /** Nothing: the GPU's step is slower than the loader. */
    NONE
  }

  /** The kind of a change. */
  enum Kind {
    WORKERS(true),
    TRANSFORM(false),
    PACKING(false),
    SCAN_INDEX(true),
    SMALLER_IMAGES(true),
    CACHE(false),
    READING_AHEAD(true),
    BYTES_TO_DEVICE(true);

    private final boolean measured;

    Kind(boolean measured) {
      this.measured = measured;
    }

    /**
     * Tests whether the work that remains was measured. Otherwise the gain is the most that is
     * possible.
     */
    boolean measured() {
      return measured;
    }
  }

  /**
   * A change that would help.
   *
   * @param imagesPerSecond that would then be loaded, with everything else as it is
   * @param most the upper end of a range, where one number is not known before a trial; else the
   *     same
   * @param gain that over what is loaded without the change
   */
  record Change(Kind kind, double imagesPerSecond, double most, double gain) {}

  /**
   * All that was measured.
   *
   * @param readsAhead whether a loader reads ahead of its workers from this store without being
   *     asked, as from a remote one
   */
  record Figures(
      ReadFigures reads, DecodeFigures decoding, MachineFigures machine, boolean readsAhead) {

    /** The same on another machine, or at another time. */
    Figures on(MachineFigures other) {
      return new Figures(reads, decoding, other, readsAhead);
    }

    /** A loader as it is. */
    LoaderModel model(Epoch epoch) {
      return model(epoch, epoch);
    }

    /**
     * A loader as it is.
     *
     * @param reading whose reads count
     * @param decode whose work on images counts
     */
    LoaderModel model(Epoch reading, Epoch decode) {
      ReadFigures.Cost read = read(reading);
      double seconds = decode == Epoch.FIRST ? decoding.firstSeconds() : decoding.laterSeconds();
      LoaderModel model =
          new LoaderModel(
              read.waitSeconds() + decoding.waitSeconds(),
              read.cpuSeconds() + seconds,
              0,
              machine,
              reads.mostReadsPerSecond().orElse(Double.POSITIVE_INFINITY));
      return readsAhead ? readingAhead(model, reading) : model;
    }

    /** A read of one image, in the midst of others. */
    private ReadFigures.Cost read(Epoch epoch) {
      return reads.onBusyProcessors(epoch == Epoch.FIRST ? reads.first() : reads.again());
    }

    /**
     * The same with reads ahead: each image by itself, no more at once than a loader has by
     * Little's law, and no more a second than were seen.
     */
    private LoaderModel readingAhead(LoaderModel model, Epoch epoch) {
      ReadFigures.Cost read = read(epoch);
      double most = Math.min(READS_AHEAD / read.waitSeconds(), reads.fastest().readsPerSecond());
      return model
          .readingAhead(read.cpuSeconds())
          .withWait(decoding.waitSeconds())
          .withReadsPerSecond(Math.min(model.mostReadsPerSecond(), most));
    }
  }

  Diagnosis {
    changes = List.copyOf(changes);
  }

  /**
   * Judges.
   *
   * @param workload with its workers
   * @param epoch the one that is asked about
   */
  static Diagnosis of(Figures figures, Workload workload, Epoch epoch) {
    int workers = workload.workers().orElse(figures.machine().processors());
    return of(figures, workload, workers, epoch, recommended(figures, workload, epoch));
  }

  /**
   * Judges.
   *
   * @param workers 0 for the training's own thread
   * @param epoch the one that is asked about
   * @param recommended from earlier figures
   */
  static Diagnosis of(
      Figures figures, Workload workload, int workers, Epoch epoch, int recommended) {
    LoaderModel model = figures.model(epoch);
    double need = workload.examplesPerSecondOfGpu();
    return new Diagnosis(
        workload,
        epoch,
        model,
        workers,
        recommended,
        bottleneck(figures.decoding(), model, workers, need),
        trained(model, workers, need) >= need
            ? List.of()
            : changes(figures, workload, epoch, workers, recommended));
  }

  double need() {
    return workload.examplesPerSecondOfGpu();
  }

  /** Returns the prediction for the number of workers that was asked about. */
  double predicted() {
    return model.predict(Math.max(1, workers));
  }

  private static double trained(LoaderModel model, int workers, double need) {
    return trained(model.predict(Math.max(1, workers)), workers, need);
  }

  /**
   * Returns the images a second that reach a training, of so many that are loaded: without workers
   * its own thread loads them, and the GPU stands still meanwhile.
   */
  static double trained(double imagesPerSecond, int workers, double need) {
    return workers == 0 ? 1 / (1 / imagesPerSecond + 1 / need) : imagesPerSecond;
  }

  /** The processors that would be busy if as many images were loaded as are needed. */
  double processorsNeeded() {
    return need() * model.processorSeconds();
  }

  /** Numbers of workers to show: up to the processors, those asked about and recommended. */
  List<Integer> shown() {
    TreeSet<Integer> shown = new TreeSet<>(List.of(workers, recommended));
    int processors = model.machine().processors();
    for (int i = 1; i <= Math.max(processors, recommended); i = i < 4 ? i + 1 : 2 * i) {
      shown.add(i);
    }
    shown.add(processors);
    return new ArrayList<>(shown);
  }

  private static Bottleneck bottleneck(
      DecodeFigures decoding, LoaderModel model, int workers, double need) {
    double rate = trained(model, workers, need);
    if (rate >= need) {
      return Bottleneck.NONE;
    }
    double ofTransform = decoding.transformSeconds() + decoding.waitSeconds();
    if (ofTransform > (model.waitSeconds() + model.cpuSeconds()) / 2) {
      return Bottleneck.TRANSFORM;
    }
    double ceiling = Math.min(model.cpuLimit(), model.mostReadsPerSecond());
    if (rate < ENOUGH * ceiling) {
      return model.waitSeconds() > model.cpuSeconds()
          ? Bottleneck.READ_LATENCY
          : Bottleneck.WORKERS;
    }
    return model.mostReadsPerSecond() < model.cpuLimit()
        ? Bottleneck.READ_BANDWIDTH
        : Bottleneck.CPU;
  }

  /** The fewest workers that suffice, up to the part of their time from which on things queue. */
  static int recommended(Figures figures, Workload workload, Epoch epoch) {
    LoaderModel model = figures.model(epoch);
    double most = model.predict(Plan.MOST_WORKERS);
    double wanted =
        Math.min(workload.examplesPerSecondOfGpu() / StorageCheck.TIGHT, NEARLY_ALL * most);
    int workers = 1;
    while (workers < Plan.MOST_WORKERS && model.predict(workers) < wanted) {
      workers++;
    }
    return workers;
  }

  private static List<Change> changes(
      Figures figures, Workload workload, Epoch epoch, int workers, int recommended) {
    ReadFigures reads = figures.reads();
    DecodeFigures decoding = figures.decoding();
    // A change is for a whole training, in most of which images have their scan indexes.
    LoaderModel now = figures.model(epoch, Epoch.LATER);
    double need = workload.examplesPerSecondOfGpu();
    double rate = trained(now, workers, need);
    ToDoubleFunction<LoaderModel> changed = model -> trained(model, workers, need);
    double ownWait = decoding.waitSeconds();
    double readWait = now.waitSeconds() - ownWait;
    List<Change> changes = new ArrayList<>();
    if (recommended > workers) {
      changes.add(change(Kind.WORKERS, now.predict(recommended), rate));
    }
    LoaderModel untransformed = now.withWait(readWait).withLessCpu(decoding.transformSeconds());
    changes.add(change(Kind.TRANSFORM, changed.applyAsDouble(untransformed), rate));
    if (reads.bytes() < Plan.PACKED_READ) {
      double wait = ownWait + readWait * reads.bytes() / Plan.PACKED_READ;
      changes.add(change(Kind.PACKING, changed.applyAsDouble(now.withWait(wait)), rate));
    }
    if (epoch == Epoch.FIRST && !decoding.indexKept()) {
      double without = changed.applyAsDouble(figures.model(epoch));
      changes.add(change(Kind.SCAN_INDEX, rate, without));
    }
    if (decoding.smaller().changed() > 0) {
      LoaderModel smaller = smaller(now, figures, epoch);
      changes.add(change(Kind.SMALLER_IMAGES, changed.applyAsDouble(smaller), rate));
    }
    if (reads.caching() != ReadFigures.Caching.CACHED) {
      boolean kept = reads.caching() == ReadFigures.Caching.SECOND_READS;
      LoaderModel cached =
          now.withWait(ownWait + (kept ? figures.read(Epoch.LATER).waitSeconds() : 0))
              .withReadsPerSecond(Double.POSITIVE_INFINITY);
      changes.add(change(Kind.CACHE, changed.applyAsDouble(cached), rate));
    }
    ReadFigures.Cost read = figures.read(epoch);
    // Taking over bytes that were read ahead takes as long as a read from memory.
    if (!figures.readsAhead() && read.waitSeconds() > read.cpuSeconds()) {
      LoaderModel ahead = figures.readingAhead(now, epoch);
      double single = changed.applyAsDouble(ahead);
      // Neighbors are read together, and an image of two epochs is read once: how often is
      // unknown.
      double joined = changed.applyAsDouble(ahead.withReadsPerSecond(Double.POSITIVE_INFINITY));
      changes.add(new Change(Kind.READING_AHEAD, single, joined, single / rate));
    }
    changes.removeIf(change -> change.gain() < WORTHWHILE);
    if (!decoding.ownPipeline()) {
      double bytes =
          changed.applyAsDouble(
              now.withLessCpu(decoding.laterSeconds() - decoding.byteRowsSeconds()));
      if (bytes >= WORTHWHILE * rate || copyPart(figures, workload) >= MUCH_COPYING) {
        changes.add(change(Kind.BYTES_TO_DEVICE, Math.max(rate, bytes), rate));
      }
    }
    changes.sort(Comparator.comparingDouble(Change::imagesPerSecond).reversed());
    return changes;
  }

  private static LoaderModel smaller(LoaderModel now, Figures figures, Epoch epoch) {
    DecodeFigures.Smaller smaller = figures.decoding().smaller();
    double saved = figures.decoding().laterSeconds() - smaller.laterSeconds();
    double part = smaller.bytes() / figures.reads().bytes();
    // A read's processor time goes into its bytes; of a shard no file is opened for one.
    double unread =
        figures.readsAhead() ? 0 : figures.read(epoch).cpuSeconds() * Math.max(0, 1 - part);
    return now.withLessCpu(saved + unread).withReadsPerSecond(now.mostReadsPerSecond() / part);
  }

  private static Change change(Kind kind, double imagesPerSecond, double before) {
    return new Change(kind, imagesPerSecond, imagesPerSecond, imagesPerSecond / before);
  }

  /** The part of a step that a thread takes to copy a batch from memory to memory. */
  private static double copyPart(Figures figures, Workload workload) {
    return workload.examplesPerSecondOfGpu()
        * workload.rowBytes().orElse(0)
        / figures.machine().copyBytesPerSecond();
  }
}
