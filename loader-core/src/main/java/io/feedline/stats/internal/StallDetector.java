package io.feedline.stats.internal;

import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The detector of stalls and of their causes: why a batch was not complete when the consumer asked.
 *
 * <h2>Implementation note</h2>
 *
 * <p>It keeps the usual times of batches, as decaying means, and the time for which workers have
 * lately had no room to prepare a batch. A stall has the first of these causes that applies:
 *
 * <ol>
 *   <li><b>start-up</b>: the first batch since an iteration began, for which nothing was prepared;
 *   <li><b>the garbage collector</b> or <b>other</b>, if all threads stood still for half of the
 *       wait or more: the collector reports how long it stopped them, and the consumer's timer was
 *       late if the process was stopped;
 *   <li><b>one slow sample</b>, if it took half of the wait or more, and five times the usual time
 *       of a sample;
 *   <li><b>no room</b>, if the batch took the usual time, and the workers have stood still for want
 *       of room for half of the wait or more since the last stall of this cause. Such time counts
 *       up to the time of four batches, or of the batches that {@code prefetch} allows: a reserve
 *       for a pause of an hour would be useless;
 *   <li><b>other</b>, if other threads had the processors for half of the batch's time or more,
 *       while its workers queued for processors. If the workers themselves were too many for the
 *       processors, the batch's own work is to blame;
 *   <li><b>the garbage collector</b>, if it took, in many short stops, more of the batch's time
 *       than the stage that would be blamed took without these stops;
 *   <li><b>the stage</b> that took most of the batch's time or, if the batch took twice as long as
 *       usual, took most more than usual. Work that workers do at the same time counts as if shared
 *       evenly;
 *   <li><b>one slow sample</b>, if the consumer saw one worker alone at the batch and the batch's
 *       samples were not timed;
 *   <li><b>other</b>.
 * </ol>
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class StallDetector {

  /** A sample is slow if it takes this many times the usual; JPEGs of a dataset differ less. */
  private static final int SLOW = 5;

  /** A batch is unusual if it takes more than this many times the usual time. */
  private static final int UNUSUAL = 2;

  /** The share of the wait that a batch's time must reach to explain the wait. */
  private static final double UNEXPLAINED = 0.25;

  private static final int MEMORY = 16;

  /** The smallest limit of {@link #idleForRoom}, in multiples of the usual time of a batch. */
  private static final int ROOM_BATCHES = 4;

  /** The smallest share of a wait for which a finding blames or mentions garbage collections. */
  private static final double COLLECTED = 0.1;

  private final long threshold;
  private final int maxOpenBatches;
  private final long prefetchBytes;
  private final int processors;
  private int workers;
  private int prefetch;
  private final Stages stages;
  private double[] usual = new double[Stages.OWN];
  private double usualLost;
  private double usualBatch;

  private double usualSample;
  private long learned;

  /** The nanoseconds for which workers lately had no room, up to a limit. */
  private double idleForRoom;

  private boolean startingUp;

  /** Creates a detector for which a wait of {@code threshold} nanoseconds or more is a stall. */
  public StallDetector(long threshold, int maxOpenBatches, long prefetchBytes, LoaderClock clock) {
    this.threshold = threshold;
    this.maxOpenBatches = maxOpenBatches;
    this.prefetchBytes = prefetchBytes;
    this.processors = clock.machine().processors();
    this.stages = clock.stages();
  }

  public void setting(int newWorkers, int newPrefetch) {
    workers = newWorkers;
    prefetch = newPrefetch;
  }

  public void startUp() {
    startingUp = true;
    idleForRoom = 0;
  }

  public void idleForRoom(long nanos) {
    double most = Math.max(ROOM_BATCHES, prefetch) * usualBatch();
    idleForRoom = Math.min(most, idleForRoom + (double) nanos / workers());
  }

  private int workers() {
    return Math.max(1, workers);
  }

  double usualBatch() {
    return usualBatch;
  }

  /**
   * @param seenRow the row of the only worker that was seen at the batch during the wait; or -1
   * @param stopped how long the consumer's own thread was held up during the wait, collections
   *     included
   */
  record Wait(long nanos, int seenRow, long collecting, long stopped) {}

  /**
   * @param stages the time that each stage added to the batch
   * @param lost the time that was added because other threads had the processors
   * @param total the sum of both
   */
  private record Took(double[] stages, double lost, double total) {}

  /**
   * The cause that was found for a stall, with what is to blame.
   *
   * @param row the sample to blame, or -1
   * @param stage a number of {@link Stages}, or -1
   */
  public record Finding(Stalls.Cause cause, int row, int stage, long waited, String detail) {}

  /** Learns the batch's times, and returns the cause of a wait that is a stall; else null. */
  @Nullable Finding detect(FinishedBatch batch, Wait wait) {
    BatchTimes times = batch.times();
    boolean isStall = wait.nanos() >= threshold;
    Finding finding = null;
    // No object is made for the many batches that were neither waited for nor measured.
    if (times.measured() || isStall) {
      Took took = times.measured() ? took(batch) : new Took(new double[Stages.OWN], 0, 0);
      finding = isStall ? finding(took, times.slowest(), wait) : null;
      if (times.measured() && !stoodStill(wait)) {
        learn(times, took);
      }
    }
    startingUp = false;
    return finding;
  }

  private boolean stoodStill(Wait wait) {
    return wait.nanos() >= threshold
        && Stages.explains(Math.max(wait.collecting(), wait.stopped()), wait.nanos());
  }

  /** Returns the times that delayed the batch. */
  private Took took(FinishedBatch batch) {
    long[] elapsed = batch.times().elapsed();
    long[] queued = batch.times().queued();
    long[] cpu = batch.times().cpu();
    double[] took = new double[elapsed.length];
    int atOnce = Math.max(1, Math.min(workers(), batch.claimed()));
    double alone = 0;
    double queue = 0;
    for (int i = 0; i < took.length; i++) {
      boolean inTurn =
          i == Stages.COLLATE
              || i == Stages.BATCH_TRANSFORM
              || (i == Stages.READ && batch.readInTurn());
      int sharedBy = inTurn ? 1 : atOnce;
      took[i] = (double) (elapsed[i] - queued[i]) / sharedBy;
      alone += took[i];
      queue += (double) queued[i] / sharedBy;
    }
    double worked = BatchTimes.total(cpu);
    double share = Math.min(1, (double) atOnce / workers());
    // The time that the batch's own work would have spent in the queue, if nothing else ran.
    double own = Math.min(queue, Math.max(0, worked / (processors * share) - alone));
    for (int i = 0; i < took.length && worked > 0; i++) {
      took[i] += own * cpu[i] / worked;
    }
    return new Took(took, queue - own, alone + queue);
  }

  private Finding finding(Took batch, BatchTimes.Slowest slowest, Wait wait) {
    double[] took = batch.stages();
    double total = batch.total();
    long waited = wait.nanos();
    boolean unusual = learned > 0 && total > UNUSUAL * usualBatch();
    int most = 0;
    for (int i = 1; i < took.length; i++) {
      most = excess(took, i, unusual) > excess(took, most, unusual) ? i : most;
    }
    // Concatenated, since a format takes longer, and without workers every batch comes here.
    long percent = Math.round(100 * took[most] / total);
    String share =
        stages.name(most)
            + " took "
            + percent
            + "% of the "
            + words(total)
            + " that the batch took";
    if (startingUp) {
      String detail = "the first batch of an iteration; " + (total == 0 ? "not measured" : share);
      return new Finding(Stalls.Cause.START_UP, -1, total == 0 ? -1 : most, waited, detail);
    }
    if (stoodStill(wait)) {
      return Stages.explains(wait.collecting(), wait.stopped())
          ? collected(wait)
          : other(
              waited,
              "the process was stopped, or got no processor: the consumer woke up %s late"
                  .formatted(words(wait.stopped())));
    }
    if (slowest != null
        && Stages.explains(slowest.nanos(), waited)
        && learned > 0
        && (double) slowest.nanos() >= SLOW * usualSample) {
      String detail =
          "took %s, most of it %s; others take %s"
              .formatted(words(slowest.nanos()), stages.name(slowest.stage()), words(usualSample));
      return new Finding(Stalls.Cause.SLOW_SAMPLE, slowest.row(), slowest.stage(), waited, detail);
    }
    if (!unusual && Stages.explains(idleForRoom, (double) waited)) {
      String detail =
          "workers had stood still for %s; prefetch is %d, maxOpenBatches %d%s"
              .formatted(
                  words(idleForRoom),
                  prefetch,
                  maxOpenBatches,
                  prefetchBytes == Long.MAX_VALUE ? "" : ", prefetchBytes " + prefetchBytes);
      idleForRoom = Math.max(0, idleForRoom - waited);
      return new Finding(Stalls.Cause.NO_ROOM, -1, total == 0 ? -1 : most, waited, detail);
    }
    double lost = batch.lost() - (unusual ? usualLost : 0);
    if (total >= UNEXPLAINED * waited
        && Stages.explains(lost, total - (unusual ? usualBatch() : 0))) {
      return other(
          waited,
          "others had the processors, and workers queued for them for %d%% of the %s that the batch took"
              .formatted(Math.round(100 * batch.lost() / total), words(total)));
    }
    if (total >= UNEXPLAINED * waited) {
      // Stages contain the collector's stops, in proportion to their time.
      double collecting = total * Math.min(1, (double) wait.collecting() / waited);
      boolean collected = wait.collecting() >= COLLECTED * waited;
      if (collected
          && collecting >= excess(took, most, unusual) - collecting * took[most] / total) {
        return collected(wait);
      }
      String usually = unusual ? ", where it takes " + words(usualOf(most)) + " as a rule" : "";
      String also = collected ? "; " + collected(wait).detail() : "";
      return new Finding(causeOf(most), -1, most, waited, share + usually + also);
    }
    if (wait.seenRow() >= 0) {
      return new Finding(
          Stalls.Cause.SLOW_SAMPLE, wait.seenRow(), -1, waited, "was the last that was waited for");
    }
    return other(
        waited, "of the wait, %s are explained by the batch's samples".formatted(words(total)));
  }

  private static Finding collected(Wait wait) {
    String detail = "the garbage collector stopped all threads for " + words(wait.collecting());
    return new Finding(Stalls.Cause.COLLECTOR, -1, -1, wait.nanos(), detail);
  }

  private static Finding other(long waited, String detail) {
    return new Finding(Stalls.Cause.OTHER, -1, -1, waited, detail);
  }

  private double excess(double[] took, int stage, boolean unusual) {
    return unusual ? took[stage] - usualOf(stage) : took[stage];
  }

  private double usualOf(int stage) {
    return stage < usual.length ? usual[stage] : 0;
  }

  private static Stalls.Cause causeOf(int stage) {
    return switch (stage) {
      case Stages.READ -> Stalls.Cause.READ;
      case Stages.DECODE -> Stalls.Cause.DECODE;
      case Stages.WRITE -> Stalls.Cause.WRITE;
      case Stages.COLLATE -> Stalls.Cause.COLLATE;
      case Stages.BATCH_TRANSFORM -> Stalls.Cause.BATCH_TRANSFORM;
      default -> Stalls.Cause.TRANSFORM;
    };
  }

  private void learn(BatchTimes times, Took batch) {
    learned++;
    double weight = 1.0 / Math.min(learned, MEMORY);
    double[] took = batch.stages();
    usualLost += weight * (batch.lost() - usualLost);
    if (took.length > usual.length) {
      usual = Arrays.copyOf(usual, took.length);
    }
    usualBatch = usualLost;
    for (int i = 0; i < usual.length; i++) {
      usual[i] += weight * ((i < took.length ? took[i] : 0) - usual[i]);
      usualBatch += usual[i];
    }
    double sample = times.meanWithoutSlowest();
    // Bounded, since the only timed sample of a batch may be a slow one.
    double credible = learned == 1 ? sample : Math.min(sample, SLOW * usualSample);
    usualSample += weight * (credible - usualSample);
  }

  private static String words(double nanos) {
    return words((long) nanos);
  }

  private static String words(long nanos) {
    return Durations.words(Duration.ofNanos(nanos));
  }

  /** Puts a finding into words; called outside the engine's lock, since it asks the dataset. */
  public Stall stall(Finding finding, ObservedBatch batch) {
    OptionalLong index = OptionalLong.empty();
    String detail = finding.detail();
    if (finding.row() >= 0) {
      index = OptionalLong.of(batch.index(finding.row()));
      String where = batch.describe(finding.row());
      detail =
          where.equals("index " + index.getAsLong())
              ? "sample %d %s".formatted(index.getAsLong(), detail)
              : "sample %d (%s) %s".formatted(index.getAsLong(), where, detail);
    }
    return new Stall(
        finding.cause(),
        finding.stage() < 0 ? "" : stages.name(finding.stage()),
        batch.epoch(),
        batch.number(),
        Duration.ofNanos(finding.waited()),
        index,
        detail);
  }
}
