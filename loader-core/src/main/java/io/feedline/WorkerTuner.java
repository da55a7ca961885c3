package io.feedline;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tuner behind {@link DataLoaderBuilder#autoWorkers}: computes how many workers the consumer
 * needs, tries this number, and keeps it or returns to the number before.
 *
 * <h2>Implementation note</h2>
 *
 * <p>For each span of time, of {@value #SPAN_NANOS} ns or more, it measures the rate of samples,
 * the share of the span that the consumer waited, the number of workers with room to work, and the
 * number of processors that the workers kept busy.
 *
 * <p><b>How many.</b> By Little's law, the number of busy workers is the rate of samples times a
 * worker's time for a sample. A consumer that waits for the share {@code w} of its time could take
 * {@code 1 / (1 - w)} times the samples, and needs that many times the workers; a consumer that
 * does not wait needs only the busy workers. In both cases {@value #RESERVE} times this number is
 * taken. If workers use {@code p} of {@code P} processors, {@code P / p} times as many workers use
 * all processors. tf.data and Plumber compute the same.
 *
 * <p><b>Trials.</b> No figure shows at which number of workers storage reaches its limit, or
 * whether workers hinder each other. So each new number is a trial, over one span. If nothing else
 * is known, the number of processors is assumed to be right. A step away from this number is kept
 * if samples come faster by the share {@value #SLIGHT}. A step towards the number is kept unless
 * samples come slower by this share. Any step is kept if the consumer then hardly waits. Half as
 * many workers are tried if more workers did not help or are not possible, and if all processors
 * are busy and there are more workers than processors. Steps are large, so that their effect is
 * larger than noise.
 *
 * <p><b>Ahead.</b> If the consumer waits although the workers have no room, the consumer takes
 * batches in bursts, or the batches differ. Then prefetch is doubled instead, within a budget of
 * memory.
 *
 * <p><b>Patience.</b> The length of spans and the number of spans until the next trial are doubled
 * after a trial that failed, and after a step in the direction opposite to the step before. So
 * noise is averaged, and trials take a small share of the time. If spans in a row are all faster
 * than usual, or all slower, and the product of their factors is {@value #OTHER_WORK}, the workload
 * has changed, and nothing is known about it: more workers are tried at once, fewer after a while.
 *
 * <p>Its results depend only on its arguments, the clock among them.
 */
final class WorkerTuner implements Tuner {

  static final long SPAN_NANOS = 250_000_000;

  /** The share of the consumer's time, or of the rate of samples, that is not worth a change. */
  static final double SLIGHT = 0.05;

  /** The factor between the needed and the kept workers: a reserve against late batches. */
  static final double RESERVE = 1.5;

  /** The workload counts as changed if the rate of samples changes by this factor or more. */
  static final double OTHER_WORK = 2;

  /** The share of the processors, or of the workers, that counts as all of them. */
  private static final double BUSY = 0.9;

  private static final int MOST_TIMES = 8;

  /** The fewest batches of a span, unless the consumer waited for this many {@link #SPAN_NANOS}. */
  private static final int SPAN_BATCHES = 4;

  /** The first number of spans between trials; {@link #LONGEST_REST} is the largest number. */
  private static final int SHORTEST_REST = 8;

  private static final int LONGEST_REST = 64;

  /** If the consumer stays away longer than usual by this factor, it is doing something else. */
  private static final int PAUSE = 10;

  private static final int FIRST_WORKERS = 4;

  /**
   * The limits of a loader.
   *
   * @param open the number of batches that the consumer may hold
   * @param bytes the memory that batches may take before fewer are prepared; two always are
   *     prepared
   */
  record Limits(
      int workers, int prefetch, boolean fixedPrefetch, int open, long bytes, int processors) {

    static Limits of(LoaderOptions<?> options, boolean fixedPrefetch, Runtime runtime) {
      // By default the JVM's limit of direct memory is the size of its heap.
      long share = runtime.maxMemory() / 4;
      return new Limits(
          options.numWorkers(),
          options.prefetch(),
          fixedPrefetch,
          options.maxOpenBatches(),
          Math.min(
              options.allocator().budget(),
              Math.min(options.prefetchBytes().orElse(Long.MAX_VALUE), share)),
          runtime.availableProcessors());
    }
  }

  private enum Move {
    MORE,
    LESS
  }

  /**
   * The measurements of a span of time.
   *
   * @param perSample the nanoseconds for a sample
   * @param waits the share of the time for which the consumer waited
   * @param working the number of workers that had room to work
   * @param processors the number of processors that the workers kept busy
   */
  private record Span(double perSample, double waits, double working, double processors) {

    private static final double LAST_WEIGHT = 0.3;

    Span then(Span next) {
      return new Span(
          mix(perSample, next.perSample),
          mix(waits, next.waits),
          mix(working, next.working),
          mix(processors, next.processors));
    }

    private static double mix(double before, double last) {
      return before + LAST_WEIGHT * (last - before);
    }

    String took() {
      return Durations.words(Duration.ofNanos(Math.round(perSample)));
    }
  }

  private final Limits limits;
  private final LongSupplier cpuOfWorkers;
  private final DoubleSupplier shareOfProcessor;
  private int mostWorkers;

  private Setting setting;

  /** The ratio of prefetch to the number of batches that the workers need. */
  private int ahead = 1;

  private double batchSize;

  // The span under way.
  private boolean begun;
  private long lastAt;
  private long elapsed;
  private long waited;
  private long samples;
  private int batches;
  private long idleBefore;
  private long idleAtLast;
  private long cpuBefore;

  private double fairShare; // the share of a processor that a thread got in the last span

  /** The usual time between two batches for which the consumer does not wait. */
  private double usuallyAway;

  /** The number of batches to come that were in production before the setting changed. */
  private int unsettled;

  /** The usual span with the setting (in a trial: with the setting before); null if unknown. */
  private @Nullable Span usual;

  /** The logarithm of the factor by which the last spans are all faster, or slower, than usual. */
  private double surprise;

  private int sinceOtherWork;

  private @Nullable Move trial;

  private Setting before;

  /** The direction of the trial that failed last, as long as its result is valid. */
  private @Nullable Move failed;

  private @Nullable Move kept;

  /** The spans until the next trial of a change that does not seem to be needed. */
  private int rest;

  private int patience = SHORTEST_REST;

  /**
   * Creates a tuner that begins with a few workers.
   *
   * @param batchSize the samples of a batch, as far as that is known
   * @param cpuOfWorkers the processor time of all workers so far, in nanoseconds; 0 if unknown
   * @param shareOfProcessor the share that a thread gets which always computes: 1, or less if more
   *     threads are ready to run than there are processors
   */
  WorkerTuner(
      Limits limits, int batchSize, LongSupplier cpuOfWorkers, DoubleSupplier shareOfProcessor) {
    this.limits = limits;
    this.cpuOfWorkers = cpuOfWorkers;
    this.shareOfProcessor = shareOfProcessor;
    this.mostWorkers = limits.workers();
    this.batchSize = batchSize;
    int workers = Math.min(limits.workers(), Math.min(FIRST_WORKERS, limits.processors()));
    this.setting = new Setting(workers, prefetch(workers, ahead, 0), "the beginning");
  }

  @Override
  public Setting first() {
    return setting;
  }

  @Override
  public void limit(int workers) {
    mostWorkers = workers;
    setting = new Setting(workers, setting.prefetch(), setting.reason());
    trial = null;
    usual = null;
    beginSpan(idleAtLast);
  }

  @Override
  public @Nullable Setting taken(Take take) {
    long since = take.at() - lastAt;
    lastAt = take.at();
    long idleSince = take.idle() - idleAtLast;
    idleAtLast = take.idle();
    if (take.firstOfEpoch() || pause(since - take.waited())) {
      // After a pause, or at the start of an epoch, the wait says nothing about the setting.
      idleBefore += idleSince;
      if (!begun) {
        begun = true;
        beginSpan(take.idle());
      }
      return null;
    }
    batchSize += (take.samples() - batchSize) / 16;
    if (unsettled > 0) {
      if (--unsettled == 0) {
        beginSpan(take.idle());
      }
      return null;
    }
    elapsed += since;
    waited += Math.min(take.waited(), since);
    samples += take.samples();
    batches++;
    // A few batches are enough if each batch may take seconds.
    boolean known = samples > 0 && (batches >= SPAN_BATCHES || waited >= SPAN_BATCHES * SPAN_NANOS);
    // A short span is enough to see that a trial of fewer workers has failed.
    boolean slow = trial == Move.LESS && known && elapsed > RESERVE * usual.perSample() * samples;
    long span = slow ? SPAN_NANOS : SPAN_NANOS * patience / SHORTEST_REST;
    return known && elapsed >= span ? look(take) : null;
  }

  /** Tests whether a consumer was away long enough to do something else, such as validating. */
  private boolean pause(long away) {
    boolean pause = away > SPAN_NANOS && away > PAUSE * usuallyAway;
    // A consumer that stays slow no longer counts as away after some batches.
    usuallyAway += (Math.min((double) away, PAUSE * Math.max(1000, usuallyAway)) - usuallyAway) / 8;
    return pause;
  }

  private void beginSpan(long idle) {
    elapsed = 0;
    waited = 0;
    samples = 0;
    batches = 0;
    idleBefore = idle;
    cpuBefore = cpuOfWorkers.getAsLong();
  }

  // ---- the end of a span ------------------------------------------------------------------------

  private @Nullable Setting look(Take take) {
    double idle = (double) (take.idle() - idleBefore) / elapsed;
    Span span =
        new Span(
            (double) elapsed / samples,
            (double) waited / elapsed,
            Math.max(0, setting.workers() - idle),
            (double) (cpuOfWorkers.getAsLong() - cpuBefore) / elapsed);
    fairShare = shareOfProcessor.getAsDouble();
    beginSpan(take.idle());
    if (trial != null) {
      return decide(span, take);
    }
    rest = Math.max(0, rest - 1);
    learn(span);
    return usual == null ? null : decide(take);
  }

  private void learn(Span span) {
    sinceOtherWork++;
    if (usual == null) {
      usual = span;
      surprise = 0;
      return;
    }
    double difference = Math.log(span.perSample() / usual.perSample());
    surprise = difference * surprise > 0 ? surprise + difference : difference;
    usual = usual.then(span);
    if (Math.abs(surprise) > Math.log(OTHER_WORK)) {
      // This span may have begun with the workload before the change.
      usual = null;
      failed = null;
      patience = sinceOtherWork > patience ? SHORTEST_REST : patience;
      rest = patience;
      sinceOtherWork = 0;
    }
  }

  private @Nullable Setting decide(Take take) {
    int workers = setting.workers();
    int affordable = affordable(take.slotBytes());
    if (affordable < setting.prefetch()) {
      return change(workers, affordable, "batches take all of their memory", take);
    }
    if (usual.waits() > SLIGHT) {
      boolean noRoom = usual.working() < BUSY * workers;
      int further = noRoom ? prefetch(workers, 2 * ahead, take.slotBytes()) : 0;
      if (further > setting.prefetch()) {
        ahead *= 2;
        String reason = waitsWords() + ", and workers have no room";
        usual = null;
        return change(workers, further, reason, take);
      }
      return speedUp(take);
    }
    failed = null;
    int enough = (int) Math.max(1, Math.ceil(RESERVE * usual.working()));
    if (rest == 0 && workers >= RESERVE * enough) {
      long idle = Math.round(100 * (1 - usual.working() / workers));
      return attempt(
          Move.LESS, enough, "workers have no room for %d%% of their time".formatted(idle), take);
    }
    int wanted = prefetch(workers, ahead, take.slotBytes());
    return wanted > RESERVE * setting.prefetch()
        ? change(workers, wanted, "batches have become small", take)
        : null;
  }

  private @Nullable Setting speedUp(Take take) {
    int workers = setting.workers();
    boolean busy = processorsBusy();
    if (!busy && workers == mostWorkers && failed != Move.MORE) {
      // There are no more workers: now and then fewer are tried, which may do as well.
      failed = Move.MORE;
      rest = LONGEST_REST;
    } else if (!busy && failed != Move.MORE) {
      double demand = RESERVE / (1 - usual.waits());
      double times = Math.min(demand, limits.processors() / usual.processors());
      int more = Math.max(workers + 1, (int) (workers * Math.min(MOST_TIMES, times)));
      return attempt(Move.MORE, Math.min(more, mostWorkers), waitsWords(), take);
    } else if (rest == 0 || (busy && failed != Move.LESS)) {
      int fewer = Math.max(busy ? limits.processors() : 1, workers / 2);
      if (fewer < workers) {
        String reason = busy ? "all processors are busy" : "whether fewer do as well";
        return attempt(Move.LESS, fewer, reason, take);
      }
      failed = null;
    }
    return null;
  }

  /** Tests whether the processors are busy, so that more workers would only share them. */
  private boolean processorsBusy() {
    return usual.processors() >= BUSY * limits.processors()
        || (fairShare < 1 && RESERVE * usual.processors() >= fairShare * usual.working());
  }

  private String waitsWords() {
    return "the consumer waits for %d%% of its time".formatted(Math.round(100 * usual.waits()));
  }

  // ---- trials -----------------------------------------------------------------------------------

  private Setting attempt(Move move, int workers, String reason, Take take) {
    trial = move;
    before = setting;
    return change(workers, prefetch(workers, ahead, take.slotBytes()), reason, take);
  }

  private @Nullable Setting decide(Span span, Take take) {
    Move move = trial;
    trial = null;
    boolean towardsProcessors = (move == Move.MORE) == setting.workers() <= limits.processors();
    double faster = usual.perSample() / span.perSample();
    if (span.waits() <= SLIGHT || faster >= (towardsProcessors ? 1 - SLIGHT : 1 + SLIGHT)) {
      if (kept != null && kept != move) {
        rest();
      }
      kept = move;
      failed = move == Move.MORE ? null : failed;
      usual = span;
      surprise = 0;
      return decide(take);
    }
    String reason =
        "back: a sample takes %s, and took %s before".formatted(span.took(), usual.took());
    failed = move;
    rest();
    return change(before.workers(), before.prefetch(), reason, take);
  }

  private void rest() {
    rest = patience;
    patience = Math.min(LONGEST_REST, 2 * patience);
  }

  private Setting change(int workers, int prefetch, String reason, Take take) {
    // The ready batches, and those whose samples are being made, were begun with the old setting.
    int madeAtOnce = 1 + (int) (setting.workers() / batchSize);
    unsettled = Math.min(take.inFlight(), take.ready() + madeAtOnce);
    setting = new Setting(workers, prefetch, reason);
    return setting;
  }

  /** Returns {@code times} the batches ahead that workers need, as far as memory allows. */
  private int prefetch(int workers, int times, long slotBytes) {
    if (limits.fixedPrefetch()) {
      return limits.prefetch();
    }
    long wanted = (long) times * LoaderOptions.prefetchFor(workers, batchSize);
    return (int) Math.min(wanted, affordable(slotBytes));
  }

  private int affordable(long slotBytes) {
    if (limits.fixedPrefetch() || slotBytes == 0) {
      return limits.prefetch();
    }
    long slots = limits.bytes() / slotBytes;
    return (int) Math.min(limits.prefetch(), Math.max(2, slots - limits.open()));
  }
}
