package io.feedline.formats.cli.internal.plan;

import java.util.Comparator;
import java.util.List;

/**
 * The demand on a storage, beside its capacity.
 *
 * <p>Each limit is looked at by itself. A device that can do only one thing at a time, such as a
 * disk that either seeks or transfers, gives less than that where two limits are near.
 *
 * @param storage what is read from
 * @param readsInFlight how many reads are on their way at any time, on average: by Little's law,
 *     reads a second times the latency of one
 * @param limits one of each kind, in the order of the kinds
 */
public record StorageCheck(Storage storage, double readsInFlight, List<Limit> limits) {

  /** From this load on reads wait for each other noticeably: a rule of thumb. */
  public static final double TIGHT = 0.7;

  /** The kind of a limit. */
  enum Kind {
    /** Reads in flight: how many the workers can wait for at once. */
    LATENCY("latency", "latency"),
    READS("reads/s", "reads_per_second"),
    BANDWIDTH("bandwidth", "bandwidth");

    private final String words;
    private final String key;

    Kind(String words, String key) {
      this.words = words;
      this.key = key;
    }

    /** The name in JSON. */
    String key() {
      return key;
    }

    /** The name for people. */
    @Override
    public String toString() {
      return words;
    }
  }

  /** The verdict on a storage: whether it is fast enough. */
  enum Verdict {
    SUFFICES,
    TIGHT,
    TOO_SLOW
  }

  /**
   * One of a storage's limits.
   *
   * @param needed how much the training needs of it
   * @param given how much there is, in the same unit
   */
  record Limit(Kind kind, double needed, double given) {
    /** The part of it that is used; above 1, the factor that is missing. */
    double load() {
      return needed / given;
    }
  }

  public StorageCheck {
    limits = List.copyOf(limits);
  }

  /**
   * Compares.
   *
   * @param mostInFlight how many reads the workers of all loaders can wait for at once
   */
  static StorageCheck of(
      Storage storage, double readsPerSecond, double bytesPerSecond, double mostInFlight) {
    double inFlight = readsPerSecond * storage.latencySeconds();
    return new StorageCheck(
        storage,
        inFlight,
        List.of(
            new Limit(Kind.LATENCY, inFlight, mostInFlight),
            new Limit(Kind.READS, readsPerSecond, storage.readsPerSecond()),
            new Limit(Kind.BANDWIDTH, bytesPerSecond, storage.bytesPerSecond())));
  }

  /** The limit with the highest load; the training reaches it first. */
  Limit nearest() {
    return limits.stream().max(Comparator.comparingDouble(Limit::load)).orElseThrow();
  }

  Verdict verdict() {
    double load = nearest().load();
    if (load > 1) {
      return Verdict.TOO_SLOW;
    }
    return load > TIGHT ? Verdict.TIGHT : Verdict.SUFFICES;
  }
}
