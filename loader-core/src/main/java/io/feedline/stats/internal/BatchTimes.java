package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The times of one batch: the workers' measurements of its samples, a share for each worker, and
 * the time of putting the batch together. A batch that is not measured has only the bytes that were
 * read, and the time for which workers waited for each other.
 *
 * <p>A share is written by its worker alone, before the worker counts the row as finished, and read
 * when the batch is done. So no method needs a lock.
 */
public final class BatchTimes {

  static final class Share {
    private long[] elapsed = new long[Stages.OWN];
    private long[] cpu = new long[Stages.OWN];
    private long[] queued = new long[Stages.OWN];
    private int timed;
    private long bytes;
    private long waitedToRead;
    private int slowestRow = -1;
    private int slowestStage;
    private long slowest;
    private Share next;

    void add(int row, long[] nanos, long[] cpuNanos, long[] queuedNanos) {
      elapsed = sum(elapsed, nanos);
      cpu = sum(cpu, cpuNanos);
      queued = sum(queued, queuedNanos);
      long took = 0;
      for (int i = 0; i < nanos.length; i++) {
        took += nanos[i] - queuedNanos[i];
      }
      if (took > slowest || slowestRow < 0) {
        slowest = took;
        slowestRow = row;
        slowestStage = longest(nanos, queuedNanos);
      }
      timed++;
    }

    private static int longest(long[] nanos, long[] queued) {
      int longest = 0;
      for (int i = 1; i < nanos.length; i++) {
        longest = nanos[i] - queued[i] > nanos[longest] - queued[longest] ? i : longest;
      }
      return longest;
    }

    void read(long more) {
      bytes += more;
    }

    void waitedToRead(long nanos) {
      waitedToRead += nanos;
    }
  }

  private static long[] sum(long[] into, long[] more) {
    long[] sum = more.length > into.length ? Arrays.copyOf(into, more.length) : into;
    for (int i = 0; i < more.length; i++) {
      sum[i] += more[i];
    }
    return sum;
  }

  /** Returns the sum, by a loop: the code runs too seldom for the JVM to compile a stream. */
  static long total(long[] nanos) {
    long total = 0;
    for (long each : nanos) {
      total += each;
    }
    return total;
  }

  private final ObservedBatch batch;
  private final LoaderClock clock;
  private final double weight;
  private @Nullable Share shares;
  private int stage;
  private long mark;
  private long cpuMark;
  private final long[] elapsed;
  private final long[] cpu;
  private final long[] queued;
  private @Nullable WorkerClock assembler;

  /**
   * @param weight the number of batches that this batch represents; 0 if it is not measured
   */
  public BatchTimes(ObservedBatch batch, LoaderClock clock, double weight) {
    this.batch = batch;
    this.clock = clock;
    this.weight = weight;
    this.elapsed = measured() ? new long[Stages.OWN] : null;
    this.cpu = measured() ? new long[Stages.OWN] : null;
    this.queued = measured() ? new long[Stages.OWN] : null;
  }

  ObservedBatch batch() {
    return batch;
  }

  boolean measured() {
    return weight > 0;
  }

  double weight() {
    return weight;
  }

  synchronized Share newShare() {
    Share share = new Share();
    share.next = shares;
    shares = share;
    return share;
  }

  // ---- putting the batch together: by the worker that finished its last row --------------------

  public void assembledBy(@Nullable WorkerClock clock) {
    assembler = clock;
  }

  public void beginCollating() {
    begin(Stages.COLLATE);
  }

  public void beginTransforming() {
    end();
    begin(Stages.BATCH_TRANSFORM);
  }

  public void assembled() {
    end();
    if (measured()) {
      clock.events().assembled(this);
    }
  }

  private void begin(int first) {
    if (measured()) {
      stage = first;
      cpuMark = clock.cpu();
      mark = clock.now();
    }
  }

  private void end() {
    if (measured()) {
      long took = clock.now() - mark;
      long worked = clock.cpu() - cpuMark;
      elapsed[stage] += took;
      cpu[stage] += worked;
      queued[stage] += assembler == null ? 0 : assembler.queuedOf(took - worked);
    }
  }

  // ---- afterwards -------------------------------------------------------------------------------

  long assembling(int ofStage) {
    return measured() ? elapsed[ofStage] : 0;
  }

  long bytes() {
    return sum(share -> share.bytes);
  }

  long waitedToRead() {
    return sum(share -> share.waitedToRead);
  }

  /** Returns the times of a measured batch's stages, all workers together. */
  long[] elapsed() {
    return withShares(elapsed, share -> share.elapsed);
  }

  long[] cpu() {
    return withShares(cpu, share -> share.cpu);
  }

  long[] queued() {
    return withShares(queued, share -> share.queued);
  }

  private long sum(ToLongFunction<Share> part) {
    long sum = 0;
    for (Share share = shares; share != null; share = share.next) {
      sum += part.applyAsLong(share);
    }
    return sum;
  }

  private long[] withShares(long[] assembling, Function<Share, long[]> part) {
    long[] sum = assembling.clone();
    for (Share share = shares; share != null; share = share.next) {
      sum = sum(sum, part.apply(share));
    }
    return sum;
  }

  /**
   * @param nanos the time of the sample, less its time in the queue for a processor
   */
  record Slowest(int row, long nanos, int stage) {}

  @Nullable Slowest slowest() {
    Share most = null;
    for (Share share = shares; share != null; share = share.next) {
      if (share.timed > 0 && (most == null || share.slowest > most.slowest)) {
        most = share;
      }
    }
    return most == null ? null : new Slowest(most.slowestRow, most.slowest, most.slowestStage);
  }

  double meanWithoutSlowest() {
    long sum = 0;
    int timed = 0;
    for (Share share = shares; share != null; share = share.next) {
      sum += total(share.elapsed) - total(share.queued);
      timed += share.timed;
    }
    return timed <= 1 ? sum : (double) (sum - slowest().nanos()) / (timed - 1);
  }
}
