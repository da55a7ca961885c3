package io.feedline;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tuner behind {@link DataLoaderBuilder#autoWorkers}: computes how many workers the consumer
 * needs, tries that, and keeps it or goes back.
 *
 * <h2>Implementation note</h2>
 *
 * <p>It measures spans of time, of {@value #SPAN_NANOS} ns or more. A span has the rate of samples,
 * the consumer's share of waiting, the number of workers with room to work, and the number of
 * processors that they kept busy.
 *
 * <p><b>How many.</b> By Little's law, the number of busy workers is the rate of samples times a
 * worker's time for a sample. A consumer that waits for the share {@code w} of its time could take
 * {@code 1 / (1 - w)} times the samples, and needs that many times the workers; a consumer that
 * does not wait needs only the busy workers. In both cases {@value #RESERVE} times that are taken.
 * If workers use {@code p} of {@code P} processors, {@code P / p} times as many workers use all.
 * tf.data and Plumber compute the same.
 *
 * <p><b>Trials.</b> No figure shows from which setting on storage gives no more, or whether workers
 * are in each other's way, so settings must be tried. So each new number is a trial, over one span.
 * The number of processors is right if nothing else is known: a step away from it is kept if
 * samples come faster by {@value #SLIGHT}, a step towards it unless they come slower by as much,
 * and each if the consumer waits no longer. Where more workers did not help, or cannot be, or where
 * all processors are busy and there are more workers than processors, half as many are tried. Steps
 * are large, so that what they change is more than noise.
 *
 * <p><b>Ahead.</b> Where the consumer waits and the workers have no room, it comes in bursts, or
 * batches differ: then prefetch is doubled instead, within a budget of memory.
 *
 * <p><b>Patience.</b> A trial that failed, and a turn in the direction of change, double both the
 * length of spans and the number of them until the next trial. So noise is averaged where there is
 * noise, and the share of the time that trials take stays small. Where spans in a row are all
 * faster than usual, or all slower, and their factors together make {@value #OTHER_WORK}, the
 * workload is another one, of which nothing is known: more workers are tried at once, fewer after a
 * while.
 *
 * <p>A function of its arguments, its clock included.
 */
final class WorkerTuner implements Tuner {

  static final long SPAN_NANOS = 250_000_000;

  /** The share of the consumer's time, or of the rate of samples, that is not worth a change. */
  static final double SLIGHT = 0.05;

  /** The factor from the needed workers to the kept workers, a reserve against late batches. */
  static final double RESERVE = 1.5;

  /** The factor between the rates of samples of two workloads. */
  static final double OTHER_WORK = 2;

  /** The share of the processors, or of the workers, that counts as all of them. */
  private static final double BUSY = 0.9;

  private static final int MOST_TIMES = 8;

  /**
   * The batches of a span; a span also ends when the consumer has waited this many times its least
   * length.
   */
  private static final int SPAN_BATCHES = 4;

  /** The number of spans between two trials, at first and at most; spans grow by the same ratio. */
  private static final int SHORTEST_REST = 8;

  private static final int LONGEST_REST = 64;

  /** If the consumer stays away longer than usual by this factor, it is doing something else. */
  private static final int PAUSE = 10;

  private static final int FIRST_WORKERS = 4;

  /**
   * The limits of a loader.
   *
   * @param open batches that the consumer may hold
   * @param bytes the most memory of batches before fewer are prepared; two always are
   */
  record Limits(
      int workers, int prefetch, boolean fixedPrefetch, int open, long bytes, int processors) {

    static Limits of(LoaderOptions<?> options, boolean fixedPrefetch, Runtime runtime) {
      // By default the JVM's limit of direct memory is that of its heap.
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
   * @param perSample nanoseconds
   * @param waits the share of the time for which the consumer waited
   * @param working workers that had room to work
   * @param processors that the workers kept busy
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

  /** By how much prefetch is more than the workers need. */
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

  private double fairShare; // of a processor, in the last span

  /** The usual time between two batches in which the consumer is away. */
  private double usuallyAway;

  /** Batches to come that were in production before the setting changed. */
  private int unsettled;

  /**
   * The usual values with the present setting, during a trial with the setting before it; null if
   * unknown.
   */
  private @Nullable Span usual;

  /**
   * The logarithm of the factor by which the last spans differ from the usual values, all in one
   * direction.
   */
  private double surprise;

  private int sinceOtherWork;

  private @Nullable Move trial;

  private Setting before;

  /** The trial that failed last, while nothing has been kept since and the work is the same. */
  private @Nullable Move failed;

  private @Nullable Move kept;

  /** The spans until the next trial of a change that does not seem to be needed. */
  private int rest;

  private int patience = SHORTEST_REST;

  /**
   * @param batchSize samples of a batch, as far as that is known
   * @param cpuOfWorkers the processor time of all workers so far, in nanoseconds; 0 if unknown
   * @param shareOfProcessor that an always computing thread gets: 1, or less if more threads are
   *     ready to run than there are processors
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
      // The consumer's other work, and the missing preparation, say nothing.
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
    // Fewer workers that are far too few need no second look.
    boolean slow = trial == Move.LESS && known && elapsed > RESERVE * usual.perSample() * samples;
    long span = slow ? SPAN_NANOS : SPAN_NANOS * patience / SHORTEST_REST;
    return known && elapsed >= span ? look(take) : null;
  }

  /**
   * Tests whether a consumer was away long enough to have done something else, such as validating.
   */
  private boolean pause(long away) {
    boolean pause = away > SPAN_NANOS && away > PAUSE * usuallyAway;
    // A consumer that stays slow counts as slow after some batches.
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
      return judge(span, take);
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
      // This span may have begun with the work of before.
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
      // Fewer may do as well, which is worth a look now and then.
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

  /**
   * Tests whether more workers would only share the processors, with each other or with other
   * processes.
   */
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

  private @Nullable Setting judge(Span span, Take take) {
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
    // Only the samples under way are made with both settings.
    int madeAtOnce = 1 + (int) (setting.workers() / batchSize);
    unsettled = Math.min(take.inFlight(), take.ready() + madeAtOnce);
    setting = new Setting(workers, prefetch, reason);
    return setting;
  }

  /** Returns the number of batches ahead that the workers need, within the memory. */
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
