package io.feedline;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The stalls of a loader, or of an epoch, by their cause. A snapshot.
 *
 * @param byCause how many there were and how long they lasted; no entry for a cause that there was
 *     not
 * @param recent the last 32 of the loader, or those of them that are the epoch's, in their order
 */
public record Stalls(Map<Stall.Cause, Sum> byCause, List<Stall> recent) {

  /**
   * Stalls together.
   *
   * @param count how many
   * @param waited how long the consumer waited in them
   */
  public record Sum(long count, Duration waited) {

    Sum plus(Sum other) {
      return new Sum(count + other.count, waited.plus(other.waited));
    }
  }

  /** Returns all of them together. */
  public Sum total() {
    return byCause.values().stream().reduce(new Sum(0, Duration.ZERO), Sum::plus);
  }

  /** Returns those of a cause. */
  public Sum of(Stall.Cause cause) {
    return byCause.getOrDefault(cause, new Sum(0, Duration.ZERO));
  }

  /** Returns the cause for which the consumer waited longest; empty where there was no stall. */
  public Optional<Stall.Cause> worst() {
    return byCause.entrySet().stream()
        .max(Comparator.comparing(entry -> entry.getValue().waited()))
        .map(Map.Entry::getKey);
  }

  /** Returns, for example {@code 12 stalls, 640 ms: 9 reading (500 ms), 3 start-up (140 ms)}. */
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
                "%d stalls, %s: ".formatted(total.count(), Durations.words(total.waited())),
                ""));
  }
}
