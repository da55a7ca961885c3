package io.feedline;

import io.feedline.internal.Durations;
import io.feedline.stats.internal.WorkerCpu;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The tuner behind {@link DataLoader#AUTO}: tries a change, measures, and keeps it or goes back.
 *
 * <h2>Implementation note</h2>
 *
 * <p>It looks at spans of time: {@value #SPAN_NANOS} ns or more, and some batches. Of each it knows
 * what a sample took, for which share of the time the consumer waited, for which share workers had
 * no room, and how many processors the workers kept busy.
 *
 * <p><b>More.</b> While the consumer waits for more than {@value #WAITS} of its time, twice as many
 * workers are tried, or as many as would end its waits, up to {@value #MOST_TIMES} times as many:
 * storage with latency rewards that, and they are kept if samples come faster by {@value #GAIN}, or
 * by half of what was waited. Not where workers that compute find all processors busy, with their
 * own work or with that of others: more of them would share what there is.
 *
 * <p><b>Ahead.</b> Where the consumer waits and the workers have no room, it comes in bursts, or
 * batches differ: then prefetch is doubled instead, within a budget of memory.
 *
 * <p><b>Less.</b> Three quarters of the workers are tried where more have brought nothing, or where
 * the processors are busy and there are more workers than processors; so many as are needed, and
 * half as many again, where the consumer does not wait and the workers have no room. They are kept
 * if the consumer does not wait, or samples come as fast, by {@value #LOSS}.
 *
 * <p><b>Noise.</b> Where spans differ by themselves, on a machine that others use, a trial takes as
 * many more of them, up to {@value #MOST_SPANS}. And where the consumer waits, the number of
 * processors is what is right if nothing is known: below it more workers are kept unless they are
 * slower, and fewer only if they are faster.
 *
 * <p><b>Hysteresis.</b> The shares at which more and fewer are tried are far apart. Batches that
 * were in production when a setting changed are not measured. A trial that failed, and a turn in
 * the direction of change, double the number of spans until the next one, up to {@value
 * #LONGEST_REST}: then trials take so little of the time that a wrong one costs less than a
 * percent. A workload that changes ends such a rest, unless it has changed as lately.
 *
 * <p>A function of what it is told, its clock included.
 */
final class WorkerTuner implements Tuner {

  static final long SPAN_NANOS = 250_000_000;
  static final double WAITS = 0.05;
  static final double GAIN = 0.05;
  static final double LOSS = 0.03;
  static final int LONGEST_REST = 64;

  /** The batches of a span; fewer while each trial succeeds, since these are far apart. */
  private static final int SPAN_BATCHES = 4;

  private static final int FIRST_SPAN_BATCHES = 2;

  /** The wait after which a span needs no more batches, each of which may take seconds. */
  private static final long LONG_WAIT_NANOS = 2 * SPAN_NANOS;

  /** The largest factor by which workers become more at once. */
  private static final int MOST_TIMES = 8;

  private static final int SHORTEST_REST = 2;

  /** The most spans of a trial. */
  private static final int MOST_SPANS = 8;

  /** The share of the time that a consumer waits which need not be thought of. */
  private static final double KEEPS_UP = 0.01;

  /** The share of the time that one waits which does nothing else. */
  private static final double KNOWS_NO_NEED = 0.995;

  /** The share of their time for which workers have no room that says they are too many. */
  private static final double IDLE = 1 / 3.0;

  /** The share of the processors at which workers keep them busy. */
  private static final double BUSY = 0.9;

  /** The part of its fair share of a processor that a worker has if it waits for little else. */
  private static final double COMPUTES = 0.5;

  /** The number of workers kept beyond need while the consumer is slow. */
  private static final double RESERVE = 1.5;

  /** By which factor more batches ahead are wanted than there are, before they are given. */
  private static final double MANY = 1.5;

  /** By which factor samples take longer, or shorter, where the workload has changed. */
  private static final double OTHER_WORK = 1.4;

  /** By which factor the consumer stays away longer than usual where it does something else. */
  private static final int PAUSE = 10;

  /** A difference that needs no second look, if it is more than the noise. */
  private static final double CLEAR = 0.2;

  /** The weight of the last span in the usual values. */
  private static final double LAST_WEIGHT = 0.3;

  private static final int FIRST_WORKERS = 4;

  /**
   * The limits of a loader.
   *
   * @param workers the most workers
   * @param prefetch the most batches ahead
   * @param fixedPrefetch whether there are always as many
   * @param open how many batches the consumer may hold
   * @param bytes the most memory of batches before fewer are prepared; two always are
   * @param processors the processors that the JVM may use
   */
  record Limits(
      int workers, int prefetch, boolean fixedPrefetch, int open, long bytes, int processors) {

    /** Returns the limits of a loader. */
    static Limits of(LoaderOptions<?> options, boolean fixedPrefetch, Runtime runtime) {
      // By default the JVM's limit of direct memory is that of its heap.
      long share = runtime.maxMemory() / 4;
      return new Limits(
          options.numWorkers(),
          options.prefetch(),
          fixedPrefetch,
          options.maxOpenBatches(),
          Math.min(options.allocator().budget(), Math.min(options.prefetchBytes(), share)),
          runtime.availableProcessors());
    }
  }

  private enum Move {
    MORE,
    LESS,
    AHEAD
  }

  /** The measurements of a span of time. */
  private record Span(
      double perSample, double waits, double idle, double processors, double fairShare) {

    /** Returns what is usual, after another span. */
    Span then(Span next, double weight) {
      return new Span(
          mix(perSample, next.perSample, weight),
          mix(waits, next.waits, weight),
          mix(idle, next.idle, weight),
          mix(processors, next.processors, weight),
          mix(fairShare, next.fairShare, weight));
    }

    private static double mix(double before, double last, double weight) {
      return before + weight * (last - before);
    }

    String took() {
      return Durations.words(Duration.ofNanos(Math.round(perSample)));
    }
  }

  private final Limits limits;
  private final WorkerCpu cpu;
  private int mostWorkers;

  private Setting setting;

  /** By how much prefetch is more than the workers need. */
  private int ahead = 1;

  /** Samples of a batch, on average. */
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

  /** The usual time between two batches in which the consumer is away. */
  private double usuallyAway;

  private long cpuBefore;

  /** Batches to come that were in production before the setting changed. */
  private int unsettled;

  /** The usual values with this setting, or with the one before while another is tried. */
  private Span usual;

  /** The number of spans in the usual values. */
  private int usualSpans;

  /** The number of spans in a row that were very different. */
  private int unusual;

  /** The number of spans since the workload last changed. */
  private int sinceOtherWork;

  /** By how much spans usually differ from that, as a share. */
  private double noise;

  /** The setting on trial; null: none. */
  private @Nullable Move trial;

  /** The measurements of the trial, over so many spans. */
  private Span tried;

  private int trialSpans;
  private Setting before;
  private int aheadBefore;

  /** The trial that failed last, while nothing has been kept since. */
  private Move failed;

  /** The direction of the last change that was kept. */
  private Move kept;

  /** Tests whether no trial has failed yet. */
  private boolean starting = true;

  private int rest;
  private int nextRest = SHORTEST_REST;

  /**
   * A tuner of a loader.
   *
   * @param batchSize samples of a batch, as far as that is known
   */
  WorkerTuner(Limits limits, int batchSize, WorkerCpu cpu) {
    this.limits = limits;
    this.cpu = cpu;
    this.mostWorkers = limits.workers();
    this.batchSize = batchSize;
    int workers = Math.min(limits.workers(), Math.min(FIRST_WORKERS, limits.processors()));
    this.setting = new Setting(workers, prefetch(workers, 1, 0), "the beginning");
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
    beginSpan(idleAtLast);
  }

  @Override
  public Setting taken(Take take) {
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
      // Behind one that was waited for long, all but those that are done are made with the setting
      // that is new.
      unsettled =
          take.waited() >= LONG_WAIT_NANOS ? Math.min(unsettled - 1, take.ready()) : unsettled - 1;
      if (unsettled == 0) {
        beginSpan(take.idle());
      }
      return null;
    }
    elapsed += since;
    waited += Math.min(take.waited(), since);
    samples += take.samples();
    batches++;
    int enough = starting ? FIRST_SPAN_BATCHES : SPAN_BATCHES;
    boolean known = batches >= enough || waited >= LONG_WAIT_NANOS;
    if (elapsed < SPAN_NANOS || !known || samples == 0) {
      return null;
    }
    long cpuNow = cpu.ofWorkers();
    Span span =
        new Span(
            (double) elapsed / samples,
            (double) waited / elapsed,
            (double) (take.idle() - idleBefore) / elapsed / setting.workers(),
            (double) (cpuNow - cpuBefore) / elapsed,
            cpu.fairShare());
    beginSpan(take.idle());
    return trial == null ? watch(span, take) : judge(span, take);
  }

  /**
   * Tests whether a consumer that was away for so long has done something else, such as validating.
   */
  private boolean pause(long away) {
    boolean pause = away > SPAN_NANOS && away > PAUSE * usuallyAway;
    // One that becomes slow for good is believed after some batches.
    usuallyAway += (Math.min((double) away, PAUSE * Math.max(1000, usuallyAway)) - usuallyAway) / 8;
    return pause;
  }

  private void beginSpan(long idle) {
    elapsed = 0;
    waited = 0;
    samples = 0;
    batches = 0;
    idleBefore = idle;
    cpuBefore = cpu.ofWorkers();
  }

  // ---- what to try ----------------------------------------------------------------------------

  private Setting watch(Span span, Take take) {
    learn(span);
    int affordable = affordable(take.slotBytes());
    if (affordable < setting.prefetch()) {
      return change(setting.workers(), affordable, "batches take all of their memory", take);
    }
    if (rest > 0) {
      rest--;
      return null;
    }
    if (usualSpans < spansNeeded(false)) {
      return null;
    }
    int workers = setting.workers();
    boolean noRoom = span.idle() > IDLE;
    if (span.waits() > WAITS) {
      return noRoom ? giveRoom(span, take) : speedUp(span, take);
    }
    if (noRoom && span.waits() < KEEPS_UP) {
      return tryFewer(needed(span), idleWords(span), take);
    }
    int wanted = prefetch(workers, ahead, take.slotBytes());
    return wanted > MANY * setting.prefetch()
        ? change(workers, wanted, "batches have become small", take)
        : null;
  }

  private void learn(Span span) {
    sinceOtherWork++;
    if (usual == null) {
      usual = span;
      usualSpans = 1;
      return;
    }
    double factor = span.perSample() / usual.perSample();
    double most = Math.max(OTHER_WORK, 1 + 3 * noise);
    boolean clearly = factor > most * most || factor < 1 / (most * most);
    unusual = clearly ? 2 : factor > most || factor < 1 / most ? unusual + 1 : 0;
    noise += LAST_WEIGHT * (Math.min(1, Math.abs(factor - 1)) - noise);
    if (unusual < 2) {
      usual = usual.then(span, LAST_WEIGHT);
      usualSpans++;
      return;
    }
    unusual = 0;
    usual = span;
    usualSpans = 1;
    if (sinceOtherWork > nextRest) {
      failed = null;
      rest = 0;
      nextRest = sinceOtherWork > 2 * LONGEST_REST ? SHORTEST_REST : nextRest;
      sinceOtherWork = 0;
    }
  }

  private Setting giveRoom(Span span, Take take) {
    int workers = setting.workers();
    if (prefetch(workers, 2 * ahead, take.slotBytes()) > setting.prefetch()) {
      return failed == Move.AHEAD
          ? speedUp(span, take)
          : attempt(Move.AHEAD, workers, 2 * ahead, waitsWords(span) + ", and they wait", take);
    }
    return tryFewer(workers, idleWords(span), take);
  }

  private Setting speedUp(Span span, Take take) {
    int workers = setting.workers();
    if (processorsBusy(usual)) {
      return workers > limits.processors()
          ? tryFewer(workers, "all processors are busy", take)
          : null;
    }
    if (failed == Move.MORE) {
      return tryFewer(workers, "whether fewer do as well", take);
    }
    if (workers == mostWorkers) {
      // Fewer may do as well, which is worth a look now and then.
      failed = Move.MORE;
      nextRest = LONGEST_REST;
      rest();
      return null;
    }
    int most = mostWorkers;
    if (computes(span) && fewerThanProcessors()) {
      // One to a processor is what such workers can use: beyond that, a step of its own.
      most = Math.min(most, limits.processors());
    }
    return attempt(Move.MORE, Math.min(times(span) * workers, most), ahead, waitsWords(span), take);
  }

  /**
   * Returns by how many times more workers are tried: as many as would end the wait, if the
   * consumer shows by its own work how fast they have to be, or twice as many.
   */
  private static int times(Span span) {
    return span.waits() > KNOWS_NO_NEED
        ? 2
        : (int) Math.max(2, Math.min(MOST_TIMES, Math.ceil(1 / (1 - span.waits()))));
  }

  /**
   * Tests whether more workers would only share the processors, with each other or with other
   * processes.
   */
  private boolean processorsBusy(Span span) {
    double working = setting.workers() * (1 - span.idle());
    return span.processors() >= BUSY * limits.processors()
        || (span.fairShare() < 1 && span.processors() >= COMPUTES * working * span.fairShare());
  }

  /** Tests whether workers wait for little else than a processor. */
  private boolean computes(Span span) {
    double working = setting.workers() * (1 - span.idle());
    return span.processors() >= COMPUTES * working;
  }

  private Setting tryFewer(int atMost, String reason, Take take) {
    int workers = setting.workers();
    int fewer = Math.min(atMost, Math.max(1, Math.min(workers - 1, workers * 3 / 4)));
    return fewer < workers ? attempt(Move.LESS, fewer, ahead, reason, take) : null;
  }

  /** Returns the number of needed workers, and some more. */
  private int needed(Span span) {
    double working = setting.workers() * (1 - span.idle());
    return (int) Math.max(1, Math.ceil(RESERVE * working));
  }

  private static String waitsWords(Span span) {
    return "the consumer waits for %d%% of its time".formatted(Math.round(100 * span.waits()));
  }

  private static String idleWords(Span span) {
    return "workers have no room for %d%% of their time".formatted(Math.round(100 * span.idle()));
  }

  // ---- trials ---------------------------------------------------------------------------------

  private Setting attempt(Move move, int workers, int newAhead, String reason, Take take) {
    trial = move;
    trialSpans = 0;
    before = setting;
    aheadBefore = ahead;
    ahead = newAhead;
    return change(workers, prefetch(workers, newAhead, take.slotBytes()), reason, take);
  }

  private Setting judge(Span last, Take take) {
    trialSpans++;
    tried = trialSpans == 1 ? last : tried.then(last, 1.0 / trialSpans);
    Span span = tried;
    Move move = trial;
    boolean doubtful = move == Move.LESS && fewerThanProcessors() && span.waits() > WAITS;
    double factor = span.perSample() / usual.perSample();
    boolean worse = factor > 1 + Math.max(CLEAR, 2 * noise);
    boolean better = factor < 1 / (1 + Math.max(CLEAR, 2 * noise)) && !doubtful;
    if (trialSpans < spansNeeded(doubtful) && !worse && !better) {
      return null;
    }
    trial = null;
    if (helped(move, span)) {
      boolean turned = kept != null && (kept == Move.LESS) != (move == Move.LESS);
      kept = move;
      failed = move == Move.LESS ? failed : null;
      usual = null;
      if (turned) {
        rest();
      }
      return watch(span, take);
    }
    String reason =
        "back: a sample takes %s, and took %s before".formatted(span.took(), usual.took());
    failed = move;
    starting = false;
    ahead = aheadBefore;
    rest();
    int prefetch = prefetch(before.workers(), ahead, take.slotBytes());
    return change(Math.min(before.workers(), mostWorkers), prefetch, reason, take);
  }

  private boolean fewerThanProcessors() {
    return setting.workers() < limits.processors();
  }

  /** Returns the number of spans that tell as much as one would if all were alike. */
  private int spansNeeded(boolean doubtful) {
    if (doubtful) {
      return MOST_SPANS;
    }
    double share = noise / GAIN;
    return (int) Math.max(1, Math.min(MOST_SPANS, Math.ceil(share * share)));
  }

  private boolean helped(Move move, Span span) {
    double factor = span.perSample() / usual.perSample();
    double gain = Math.min(GAIN, usual.waits() / 2);
    if (move == Move.LESS) {
      return span.waits() <= WAITS
          || factor <= (fewerThanProcessors() ? 1 - Math.max(2 * GAIN, noise) : 1 + LOSS);
    }
    if (move == Move.MORE && setting.workers() <= limits.processors()) {
      return factor <= 1 + Math.max(LOSS, noise);
    }
    return factor <= 1 - gain;
  }

  private void rest() {
    rest = nextRest;
    nextRest = Math.min(LONGEST_REST, 2 * nextRest);
  }

  private Setting change(int workers, int prefetch, String reason, Take take) {
    if (workers == setting.workers() && prefetch == setting.prefetch()) {
      return null;
    }
    setting = new Setting(workers, prefetch, reason);
    unsettled = take.inFlight();
    beginSpan(take.idle());
    return setting;
  }

  /** Returns the number of batches ahead that so many workers need, within the memory. */
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
