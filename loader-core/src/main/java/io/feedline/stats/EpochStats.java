package io.feedline.stats;

import io.feedline.data.Dataset;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The figures of one pass over an epoch, or of all that a loader has done: what was delivered, how
 * long its consumer waited, and where the workers' time went. A snapshot.
 *
 * <p>Stages count for the batches that were delivered, when they are: a batch that was prepared in
 * the epoch before counts here, one that was dropped nowhere. Their times are measured on whole
 * batches: on each where samples take 200 microseconds or more, and on some of cheaper ones, each
 * of which then counts for others.
 *
 * @param epoch which epoch; empty: all together
 * @param batches delivered
 * @param samples delivered in them
 * @param failures batches that ended in an exception
 * @param tolerated samples that failed and were skipped or substituted
 * @param bytesRead the bytes of the samples as they are stored, where the dataset reports them:
 *     those of loader-formats and text do
 * @param elapsed from the beginning of the epoch to its last batch so far; for all together, the
 *     sum of these
 * @param waits how long the consumer waited in {@code next()}, batch by batch
 * @param stages what the workers did, in the order of the work, a user's own stages last; those
 *     that took no time are left out
 * @param workers how busy the workers were
 * @param slotsInUse how many of the slots were in use when the consumer came for a batch, being
 *     written, finished or with the consumer: the mean share, 0 to 1
 * @param readiness how many of the batches that may be prepared ahead were finished when the
 *     consumer came for one, on average: 0 to 1. Near 1 the loader waits for its consumer, near 0
 *     the consumer for it
 * @param stalls the waits that took long, by their cause
 */
public record EpochStats(
    OptionalLong epoch,
    long batches,
    long samples,
    long failures,
    long tolerated,
    long bytesRead,
    Duration elapsed,
    Waits waits,
    List<Stage> stages,
    Workers workers,
    double slotsInUse,
    double readiness,
    Stalls stalls) {

  /**
   * The distribution of how long {@code next()} waited.
   *
   * @param count waits, those of no time included: one for each batch
   * @param total all of them together
   * @param p50 half of them were no longer than this (to within 2%, as all below); never above max
   * @param p90 90 in 100 were no longer
   * @param p99 99 in 100 were no longer
   * @param p999 999 in 1000 were no longer
   * @param max the longest
   */
  public record Waits(
      long count,
      Duration total,
      Duration p50,
      Duration p90,
      Duration p99,
      Duration p999,
      Duration max) {}

  /**
   * A stage of the work: {@code reading} (the dataset is asked for the sample), {@code
   * transforming} (functions of {@code map}, what reads after them, and changes of an image's
   * pixels when they are decoded), {@code decoding} (of images of loader-formats, cropped and
   * resized), {@code writing} (the sample writes itself into its row of the batch; of images, the
   * finished pixels are rounded, normalized and stored), {@code collating} (putting the batch
   * together), {@code batch transform}, a stage that was named in {@link Dataset#map(String,
   * io.feedline.transform.Transform)}, or a transform or an operation on pixels of a class of the
   * user's, by the class's simple name. Lambdas without a name are {@code transforming}.
   *
   * @param name what the stage is called
   * @param elapsed how long it took, the times of all workers added
   * @param cpu how much of that a processor worked for it; zero where the JVM does not tell
   * @param queued how much of it the workers were ready while other threads, of this process or
   *     others, had the processors; zero where the system does not tell, as only Linux does. The
   *     rest was waiting for storage or locks, or, where queued is not known, for a processor
   */
  public record Stage(String name, Duration elapsed, Duration cpu, Duration queued) {}

  /**
   * The workers' time.
   *
   * @param count worker threads, where their number changed those at the last batch; 0: the
   *     consumer's own thread made the batches
   * @param occupancy the share of their time that went into stages, 0 to 1
   * @param waitedForRoom how long they waited since the consumer had not taken or closed enough
   *     batches to begin another ({@code prefetch}, {@code prefetchBytes}, {@code maxOpenBatches}),
   *     their times added
   * @param waitedForEpoch how long they waited since the epoch had no more samples to begin, and
   *     the next one had not begun
   * @param waitedToRead how long they waited while another of them read from the stream
   * @param contention the share of them, 0 to 1, that waited for a lock which another worker held:
   *     a monitor ({@code synchronized}), or a lock of java.util.concurrent that knows its owner,
   *     such as a {@code ReentrantLock}. On average over looks at their threads, ten a second at
   *     most, while the consumer waited; 0 where it never did. Near 1 the lock is the limit, and
   *     more workers would wait for it too
   */
  public record Workers(
      int count,
      double occupancy,
      Duration waitedForRoom,
      Duration waitedForEpoch,
      Duration waitedToRead,
      double contention) {}

  /** Returns the figures of a stage by its name; empty where it took no time. */
  public Optional<Stage> stage(String name) {
    return stages.stream().filter(stage -> stage.name().equals(name)).findFirst();
  }

  /**
   * Returns, for example {@code epoch 3: 128 batches, 4096 samples, 450.6 MB read in 9.8 s; reading
   * 1.2 s (10% CPU), decoding 17 s (98% CPU); workers 93% busy; 3 stalls, 60 ms: 3 reading (60
   * ms)}.
   */
  @Override
  public String toString() {
    String where = epoch.isPresent() ? "epoch " + epoch.getAsLong() : "all epochs";
    String work =
        stages.stream()
            .map(
                stage ->
                    "%s %s (%d%% CPU)"
                        .formatted(
                            stage.name(),
                            Durations.words(stage.elapsed()),
                            Math.round(
                                100.0
                                    * stage.cpu().toNanos()
                                    / Math.max(1, stage.elapsed().toNanos()))))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s: %s, %s, %.1f MB read in %s; %s; workers %.0f%% busy; %s",
        where,
        Counts.of(batches, "batch"),
        Counts.of(samples, "sample"),
        bytesRead / 1e6,
        Durations.words(elapsed),
        work.isEmpty() ? "nothing measured" : work,
        100 * workers.occupancy(),
        stalls);
  }
}
