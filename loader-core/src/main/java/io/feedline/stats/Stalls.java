package io.feedline.stats;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The stalls of a loader, or of an epoch, by their cause. A snapshot.
 *
 * @param byCause the sum for each cause that occurred
 * @param recent the last 32 stalls of the loader in order; for an epoch, its stalls among these
 */
public record Stalls(Map<Cause, Sum> byCause, List<Stall> recent) {

  /**
   * The sum of several stalls.
   *
   * @param waited the consumer's wait in all these stalls
   */
  public record Sum(long count, Duration waited) {

    /** Returns the sum of this sum and another. */
    public Sum plus(Sum other) {
      return new Sum(count + other.count, waited.plus(other.waited));
    }
  }

  /** Returns the sum over all causes. */
  public Sum total() {
    return byCause.values().stream().reduce(new Sum(0, Duration.ZERO), Sum::plus);
  }

  /** Returns the sum of a cause. */
  public Sum of(Cause cause) {
    return byCause.getOrDefault(cause, new Sum(0, Duration.ZERO));
  }

  Stalls without(Cause cause) {
    Map<Cause, Sum> rest = new LinkedHashMap<>(byCause);
    rest.remove(cause);
    return new Stalls(rest, recent);
  }

  /** Returns the cause for which the consumer waited longest; empty if there was no stall. */
  public Optional<Cause> worst() {
    return byCause.entrySet().stream()
        .max(Comparator.comparing(entry -> entry.getValue().waited()))
        .map(Map.Entry::getKey);
  }

  /** Returns the sums by cause in the form of a run record. */
  public List<Map<String, Object>> figures() {
    return byCause.entrySet().stream()
        .map(
            each -> {
              Map<String, Object> figures = new LinkedHashMap<>();
              figures.put("cause", each.getKey().toString());
              figures.put("count", each.getValue().count());
              figures.put("waited_seconds", each.getValue().waited().toNanos() / 1e9);
              return figures;
            })
        .toList();
  }

  /** Returns the sums, for example {@code 12 stalls, 640 ms: 9 reading (500 ms), ...}. */
  @Override
  public String toString() {
    Sum total = total();
    if (total.count() == 0) {
      return "no stalls";
    }
    return byCause.entrySet().stream()
        .map(
            entry ->
                "%d %s (%s)"
                    .formatted(
                        entry.getValue().count(),
                        entry.getKey(),
                        Durations.words(entry.getValue().waited())))
        .collect(
            Collectors.joining(
                ", ",
                "%s, %s: "
                    .formatted(Counts.of(total.count(), "stall"), Durations.words(total.waited())),
                ""));
  }

  /**
   * A call of {@code next()} that waited for its batch for {@link
   * io.feedline.DataLoaderBuilder#stallThreshold} or longer, with the reason.
   *
   * @param cause the cause of the wait
   * @param stage the stage that took most of the time of the batch, or of its slow sample; the name
   *     of an {@link LoaderStats.Stage}. Empty if nothing was measured
   * @param epoch the batch's epoch
   * @param batch the batch's number in the epoch
   * @param waited how long the consumer waited
   * @param index the sample to blame; empty if no single sample is to blame
   * @param detail the evidence for the cause, in words and numbers
   */
  public record Stall(
      Cause cause,
      String stage,
      long epoch,
      long batch,
      Duration waited,
      OptionalLong index,
      String detail) {

    /** Returns the stall in the form of a run record. */
    public Map<String, Object> figures() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("cause", cause.toString());
      json.put("stage", stage);
      json.put("epoch", epoch);
      json.put("batch", batch);
      json.put("waited_seconds", waited.toNanos() / 1e9);
      json.put("index", index.isPresent() ? index.getAsLong() : null);
      json.put("detail", detail);
      return json;
    }

    /**
     * Returns the stall in a sentence, for example {@code batch 17 of epoch 3 waited for 52 ms: one
     * slow sample: sample 2190 (train/cat/7.jpg) took 60 ms, most of it reading; others take 2.1
     * ms}.
     */
    @Override
    public String toString() {
      return "batch %d of epoch %d waited for %s: %s: %s"
          .formatted(batch, epoch, Durations.words(waited), cause, detail);
    }
  }

  /** The cause of a stall. */
  public enum Cause {
    /** Reading took most of the time: storage is slow, or too few workers read at once. */
    READ("reading"),
    /** A function of {@code map} took most of the time; {@link Stall#stage} is its name. */
    TRANSFORM("transforming"),
    /** Decoding images, with their transforms, took most of the time. */
    DECODE("decoding"),
    /** Writing the samples into the batch took most of the time. */
    WRITE("writing"),
    /** Putting the batch together took most of the time. */
    COLLATE("collating"),
    /** The batch transform took most of the time. */
    BATCH_TRANSFORM("batch transform"),
    /** One sample took much longer than other samples; {@link Stall#index} is its index. */
    SLOW_SAMPLE("one slow sample"),
    /**
     * Workers had waited for the consumer to take or close batches, for long enough to make this
     * batch: {@code prefetch} or {@code prefetchBytes} is too small.
     */
    NO_ROOM("no room to prepare batches"),
    /** Copying this batch, or the batch before it, to the device took most of the time. */
    DEVICE_COPY("the device copy"),
    /** Nothing had been prepared: it is the first batch since an iteration began. */
    START_UP("start-up"),
    /** The garbage collector stopped all threads. */
    COLLECTOR("the garbage collector"),
    /** No measurement explains the wait: other processes ran, or the process was stopped. */
    OTHER("nothing the loader did");

    private final String words;

    Cause(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }
}
