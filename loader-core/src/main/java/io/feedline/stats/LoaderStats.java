package io.feedline.stats;

import io.feedline.batch.HostAllocator;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.JsonMembers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The figures of a loader so far, and the use of its time: a snapshot.
 *
 * <pre>{@code
 * LoaderStats stats = loader.stats();
 * System.out.println(stats.total());
 * stats.epoch(3).ifPresent(System.out::println);
 * }</pre>
 */
public final class LoaderStats {

  private final EpochStats total;
  private final List<EpochStats> epochs;
  private final int batchesReady;
  private final int batchesOpen;
  private final long hostBytes;
  private final Tuning tuning;

  /**
   * Creates the figures of a loader. A program gets the figures of its own loader from {@code
   * loader.stats()}.
   *
   * @param figures {@code batches_ready}, {@code batches_open} and {@code host_bytes}
   */
  public LoaderStats(
      EpochStats total, List<EpochStats> epochs, Tuning tuning, Map<String, Object> figures) {
    JsonMembers json = new JsonMembers("loader", figures);
    this.total = total;
    this.epochs = List.copyOf(epochs);
    this.tuning = tuning;
    this.batchesReady = (int) json.count("batches_ready");
    this.batchesOpen = (int) json.count("batches_open");
    this.hostBytes = json.count("host_bytes");
  }

  /** Returns the figures of all epochs together. */
  public EpochStats total() {
    return total;
  }

  /**
   * Returns the figures of each of the last 16 epochs, and of the epoch under way, in the order in
   * which they were begun; for an epoch that was begun several times, the figures of the last time.
   */
  public List<EpochStats> epochs() {
    return epochs;
  }

  /** Returns the number of batches that are finished and not yet taken. */
  public int batchesReady() {
    return batchesReady;
  }

  /** Returns the number of batches that are taken and not yet closed. */
  public int batchesOpen() {
    return batchesOpen;
  }

  /** Returns the memory that the slots have taken from their {@link HostAllocator}, in bytes. */
  public long hostBytes() {
    return hostBytes;
  }

  /** Returns the present numbers of workers and of batches ahead, and the changes of both. */
  public Tuning tuning() {
    return tuning;
  }

  /**
   * Returns the figures of an epoch; empty if it was not begun, or is older than the epochs that
   * are kept.
   */
  public Optional<EpochStats> epoch(long number) {
    return epochs.stream().filter(stats -> stats.epoch().orElse(-1) == number).findFirst();
  }

  /** Returns the waits of {@link io.feedline.DataLoaderBuilder#stallThreshold} or longer. */
  public Stalls stalls() {
    return total.stalls();
  }

  /** Returns the number of batches that were delivered. */
  public long batches() {
    return total.batches();
  }

  /** Returns the number of samples in the delivered batches. */
  public long samples() {
    return total.samples();
  }

  /** Returns the number of batches that ended in an exception. */
  public long failures() {
    return total.failures();
  }

  /** Returns the number of samples that failed and were skipped or substituted. */
  public long tolerated() {
    return total.tolerated();
  }

  /**
   * Returns how long the consumer has waited in {@code next()} and {@code hasNext()}, in all: each
   * wait from the call until the consumer's thread sees that the batch is complete. A consumer that
   * measures its calls itself measures more: some microseconds for the hand-over, and the time
   * until it gets a processor again if there are more threads than processors.
   */
  public Duration waited() {
    return total.waits().total();
  }

  /**
   * Returns the figures in a sentence, for example {@code 128 batches, 4096 samples, waited 1.3 s
   * (half up to 2 ms, 99% up to 35 ms, at most 40 ms), 2 batches ready, 1 open, 154.1 MB}.
   */
  @Override
  public String toString() {
    String failed =
        failures() == 0 && tolerated() == 0
            ? ""
            : Counts.of(failures(), "failed batch")
                + ", "
                + Counts.of(tolerated(), "tolerated sample")
                + ", ";
    return String.format(
        Locale.ROOT,
        "%s, %s, %swaited %s (half up to %s, 99%% up to %s, at most %s), %s ready, %d open, %.1f MB",
        Counts.of(batches(), "batch"),
        Counts.of(samples(), "sample"),
        failed,
        Durations.words(waited()),
        Durations.words(total.waits().p50()),
        Durations.words(total.waits().p99()),
        Durations.words(total.waits().max()),
        Counts.of(batchesReady, "batch"),
        batchesOpen,
        hostBytes / 1e6);
  }

  /**
   * The workers and the batches ahead, and the changes that {@link
   * io.feedline.DataLoaderBuilder#autoWorkers} has made to them. A snapshot.
   *
   * @param workers the present worker threads; 0 if the consumer's own thread makes the batches
   * @param prefetch the batches prepared ahead of the consumer
   * @param changed the number of changes
   * @param changes the last 32 changes at most, in their order
   */
  public record Tuning(int workers, int prefetch, long changed, List<Change> changes) {

    /**
     * A change, made when the consumer took a batch.
     *
     * @param epoch the batch's epoch
     * @param batch the batch's number in the epoch, from 0 on
     * @param workers the workers from this batch on
     * @param prefetch the batches ahead from this batch on
     * @param reason the reason in words
     */
    public record Change(long epoch, long batch, int workers, int prefetch, String reason) {

      /**
       * Returns the change in a sentence, for example {@code batch 12 of epoch 0: 8 workers,
       * prefetch 2: the consumer waits for 96% of its time}.
       */
      @Override
      public String toString() {
        return "batch %d of epoch %d: %s, prefetch %d: %s"
            .formatted(batch, epoch, Counts.of(workers, "worker"), prefetch, reason);
      }
    }

    /** Returns the numbers of workers and batches, and a line for each of the last changes. */
    @Override
    public String toString() {
      String now = "%s, prefetch %d".formatted(Counts.of(workers, "worker"), prefetch);
      return changes.isEmpty()
          ? now
          : changes.stream()
              .map(change -> "\n  " + change)
              .collect(
                  Collectors.joining(
                      "", now + "; " + Counts.of(changed, "change") + ", the last:", ""));
    }
  }
}
