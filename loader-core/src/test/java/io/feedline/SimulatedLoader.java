package io.feedline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A loader in simulated time, event by event: workers claim the samples of a batch one after
 * another, read each from storage that has a latency and a greatest rate, and queue for the
 * processors; the consumer takes whole batches in their order. Times are in microseconds.
 */
final class SimulatedLoader {

  static final int MOST_WORKERS = 64;

  private static final double THREAD_START = 300;

  /**
   * The work of each sample, and of the consumer.
   *
   * @param cpu processor time of a sample
   * @param latency the time of a read
   * @param storage the most reads a second, for all workers together
   * @param consumer the consumer's time for a batch
   * @param burst batches that the consumer takes at once, after the time for all of them
   * @param fairShare the share of a processor that others leave to a thread
   */
  record Work(
      double cpu, double latency, double storage, double consumer, int burst, double fairShare) {}

  /**
   * The machine and its samples.
   *
   * @param spread by how much one sample differs from another
   * @param noise by how much all samples of a tenth of a second take more or less
   */
  record Scene(int processors, int batch, Spread spread, double noise, long seed) {}

  /** The factor by which a sample takes longer than the mean. */
  enum Spread {
    NONE,
    EVEN,
    EXPONENTIAL,
    /** One in fifty takes ten times as long as the others. */
    RARE;

    double next(SplittableRandom random) {
      return switch (this) {
        case NONE -> 1;
        case EVEN -> 0.5 + random.nextDouble();
        case EXPONENTIAL -> -Math.log(1 - random.nextDouble());
        case RARE -> (random.nextInt(50) == 0 ? 10 : 1) / 1.18;
      };
    }
  }

  private enum Kind {
    CLAIM,
    HAS_READ,
    HAS_COMPUTED,
    CONSUMER_COMES
  }

  private record Event(double at, long number, Kind kind, int worker) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(number, other.number) : Double.compare(at, other.at);
    }
  }

  private static final class Rows {
    private int claimed;
    private int done;
  }

  final List<String> changes = new ArrayList<>();
  private final Scene scene;
  private final SplittableRandom random;
  private Work work;

  /** Null: the setting is fixed. */
  private final Tuner tuner;

  private Tuner.Setting setting;

  private double now;
  private long events;
  private final PriorityQueue<Event> coming = new PriorityQueue<>();
  private double slowness = 1;
  private double slownessUntil;

  private final ArrayDeque<Rows> inFlight = new ArrayDeque<>();
  private Rows current = new Rows();
  private final Rows[] worksOn = new Rows[MOST_WORKERS];
  private int started;
  private final List<Integer> surplus = new ArrayList<>();
  private final List<Integer> withoutRoom = new ArrayList<>();
  private double idle;
  private double idleSince;
  private double storageFree;
  private int computing;
  private final ArrayDeque<Integer> computeNext = new ArrayDeque<>();
  private double cpuUsed;

  /** When the consumer began to wait; negative: it does not. */
  private double waitsSince = -1;

  private long taken;

  /** A loader with a fixed number of workers, or with 0 one that tunes itself. */
  SimulatedLoader(Scene scene, Work work, int workers) {
    this.scene = scene;
    this.random = new SplittableRandom(scene.seed());
    this.work = work;
    this.tuner = workers == 0 ? tuner() : null;
    this.setting =
        tuner == null
            ? new Tuner.Setting(workers, LoaderOptions.prefetchFor(workers, scene.batch()), "")
            : tuner.first();
    current.claimed = scene.batch();
    start();
    happens(0, Kind.CONSUMER_COMES, 0);
  }

  private Tuner tuner() {
    int prefetch = Math.max(16, LoaderOptions.prefetchFor(MOST_WORKERS, scene.batch()));
    return new WorkerTuner(
        new WorkerTuner.Limits(
            MOST_WORKERS, prefetch, false, 2, Long.MAX_VALUE, scene.processors()),
        scene.batch(),
        () -> (long) (1000 * cpuUsed),
        () -> work.fairShare());
  }

  /** Lets the work be another one from now on. */
  void become(Work other) {
    work = other;
  }

  /** Lets so many seconds pass, and returns the samples a second that the consumer took. */
  double run(double seconds) {
    double end = now + 1e6 * seconds;
    long before = taken;
    while (coming.peek().at() <= end) {
      Event event = coming.poll();
      now = event.at();
      switch (event.kind()) {
        case CLAIM -> claim(event.worker());
        case HAS_READ -> {
          computeNext.add(event.worker());
          compute();
        }
        case HAS_COMPUTED -> finish(event.worker());
        case CONSUMER_COMES -> take();
      }
    }
    now = end;
    return (taken - before) * scene.batch() / seconds;
  }

  private void happens(double at, Kind kind, int worker) {
    coming.add(new Event(at, events++, kind, worker));
  }

  private void start() {
    while (started < setting.workers()) {
      happens(now + THREAD_START, Kind.CLAIM, started++);
    }
  }

  private void wake(List<Integer> workers) {
    workers.forEach(worker -> happens(now, Kind.CLAIM, worker));
    workers.clear();
  }

  private void claim(int worker) {
    if (worker >= setting.workers()) {
      surplus.add(worker);
      return;
    }
    if (current.claimed == scene.batch()) {
      if (inFlight.size() >= setting.prefetch()) {
        countIdle();
        withoutRoom.add(worker);
        return;
      }
      current = new Rows();
      inFlight.add(current);
    }
    current.claimed++;
    worksOn[worker] = current;
    storageFree = Math.max(now, storageFree) + 1e6 / work.storage();
    double begins = storageFree - 1e6 / work.storage();
    happens(begins + work.latency() * factor(), Kind.HAS_READ, worker);
  }

  private double factor() {
    if (now >= slownessUntil) {
      slowness = 1 / (1 + scene.noise() * (2 * random.nextDouble() - 1));
      slownessUntil = now + 100_000;
    }
    return slowness * scene.spread().next(random);
  }

  private void compute() {
    while (computing < scene.processors() && !computeNext.isEmpty()) {
      computing++;
      // Each thread beyond the processors costs all of them a little.
      int beyond = Math.max(0, setting.workers() - scene.processors());
      double cpu = work.cpu() * factor() * (1 + 0.002 * beyond);
      cpuUsed += cpu;
      happens(now + cpu / work.fairShare(), Kind.HAS_COMPUTED, computeNext.poll());
    }
  }

  private void finish(int worker) {
    computing--;
    compute();
    Rows rows = worksOn[worker];
    if (++rows.done == scene.batch() && waitsSince >= 0) {
      take();
    }
    claim(worker);
  }

  private boolean done(Rows rows) {
    return rows.done == scene.batch();
  }

  private void take() {
    if (inFlight.isEmpty() || !done(inFlight.peek())) {
      waitsSince = waitsSince < 0 ? now : waitsSince;
      return;
    }
    double waited = waitsSince < 0 ? 0 : now - waitsSince;
    waitsSince = -1;
    inFlight.poll();
    taken++;
    tune(waited);
    countIdle();
    wake(withoutRoom);
    double away = taken % work.burst() == 0 ? work.consumer() * work.burst() : 0;
    happens(now + away, Kind.CONSUMER_COMES, 0);
  }

  private void tune(double waited) {
    countIdle();
    Tuner.Setting next =
        tuner == null
            ? null
            : tuner.taken(
                new Tuner.Take(
                    (long) (1000 * now),
                    (long) (1000 * waited),
                    scene.batch(),
                    (long) (1000 * idle),
                    inFlight.size(),
                    (int) inFlight.stream().filter(this::done).count(),
                    1 << 20,
                    taken == 1));
    if (next != null) {
      setting = next;
      changes.add("%.2f s: %s".formatted(now / 1e6, next));
      start();
      wake(surplus);
    }
  }

  private void countIdle() {
    idle += withoutRoom.size() * (now - idleSince);
    idleSince = now;
  }
}
