package io.feedline;

import io.feedline.internal.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The place of a {@link DataLoader} in its stream of batches: a few numbers, from which any loader
 * of the same data continues, whatever its workers, prefetching and order of delivery. Immutable.
 *
 * <p>As {@link #toJson JSON} it goes into a checkpoint.
 *
 * @param dataset identifies the dataset; another one is refused
 * @param order identifies the order of the epoch; another one is refused
 * @param seed the loader's seed
 * @param epoch the epoch
 * @param position how many samples of the epoch this rank has used up; with a batch sampler, how
 *     many batches
 * @param ahead numbers of batches that were delivered although an earlier one was not; empty where
 *     batches come in order
 * @param batchSize the samples of a batch; 0 with a batch sampler
 * @param worldSize how many ranks share the order
 * @param offset how many samples of the order (with a batch sampler: batches) come before those
 *     that these ranks share in rounds: 0, but where they have gone on from another number of ranks
 *     that had used up no multiple of theirs. All ranks together have used up {@code offset +
 *     position * worldSize}
 * @param samples how many samples were delivered or failed in the loader's life
 * @param failures how many of them failed and were tolerated
 * @param stream where a stream stands, so that resuming seeks to that place; empty where it reads
 *     on from the beginning of the epoch, and for datasets with random access. Its numbers are the
 *     stream's own
 */
public record LoaderState(
    String dataset,
    String order,
    long seed,
    long epoch,
    long position,
    List<Long> ahead,
    int batchSize,
    int worldSize,
    long offset,
    long samples,
    long failures,
    List<Long> stream) {

  /**
   * The version that is written. Version 1 also had {@code past}: how many words a sampler in
   * PyTorch's order had drawn before the epoch. Where all epochs before it ran to their end the
   * order is the same today, which {@link DataLoader#resume} finds out by {@code order}; otherwise
   * it is that of {@code TorchRandomSampler.startingAt(epoch, past)}.
   */
  private static final long VERSION = 2;

  /** The version of states with an offset, which those before would overlook. */
  private static final long OFFSET_VERSION = 3;

  private static final long OLDEST_VERSION = 1;

  /** The keys of another JSON that an error names. */
  private static final int MOST_KEYS = 10;

  /** Copies the lists. */
  public LoaderState {
    ahead = List.copyOf(ahead);
    stream = List.copyOf(stream);
  }

  /** Returns the state as one line of JSON. */
  public String toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feedline", offset == 0 ? VERSION : OFFSET_VERSION);
    json.put("dataset", dataset);
    json.put("order", order);
    json.put("seed", seed);
    json.put("epoch", epoch);
    json.put("position", position);
    if (!ahead.isEmpty()) {
      json.put("ahead", ahead);
    }
    json.put("batch_size", batchSize);
    json.put("world_size", worldSize);
    if (offset != 0) {
      json.put("offset", offset);
    }
    json.put("samples", samples);
    json.put("failures", failures);
    if (!stream.isEmpty()) {
      json.put("stream", stream);
    }
    return Json.write(json);
  }

  /**
   * Returns the state that {@link #toJson} wrote, also in earlier versions.
   *
   * @throws IllegalArgumentException if the text is not such a state, saying why
   */
  public static LoaderState fromJson(String text) {
    Map<String, Object> json = object(text);
    long version = number(json, "feedline");
    if (version < OLDEST_VERSION || version > OFFSET_VERSION) {
      throw new IllegalArgumentException(
          ("a loader's state of version %d; this library reads versions %d to %d. Resume with the"
                  + " version of Feedline that wrote it, or a newer one")
              .formatted(version, OLDEST_VERSION, OFFSET_VERSION));
    }
    return new LoaderState(
        string(json, "dataset"),
        string(json, "order"),
        number(json, "seed"),
        count(json, "epoch"),
        count(json, "position"),
        numbers(json, "ahead"),
        intCount(json, "batch_size"),
        intCount(json, "world_size"),
        json.containsKey("offset") ? count(json, "offset") : 0,
        count(json, "samples"),
        count(json, "failures"),
        numbers(json, "stream"));
  }

  private static Map<String, Object> object(String text) {
    Map<String, Object> json;
    try {
      json = Json.read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ("a loader's state cannot be read: %s. It is one line of JSON, as LoaderState.toJson()"
                  + " writes it; where that was cut off or overwritten, resume from an earlier"
                  + " checkpoint, or begin without one")
              .formatted(text.isBlank() ? "the text is empty" : e.getMessage()),
          e);
    }
    if (!json.containsKey("feedline")) {
      throw new IllegalArgumentException(
          "this JSON is no loader's state: it has the keys %s and not 'feedline', the version; give what LoaderState.toJson() wrote"
              .formatted(briefly(json.keySet())));
    }
    return json;
  }

  private static String briefly(Set<String> keys) {
    return keys.size() <= MOST_KEYS
        ? keys.toString()
        : "%s and %d more"
            .formatted(keys.stream().limit(MOST_KEYS).toList(), keys.size() - MOST_KEYS);
  }

  private static String string(Map<String, Object> json, String key) {
    if (json.get(key) instanceof String string) {
      return string;
    }
    throw new IllegalArgumentException(
        "'%s' should be a string in a loader's state, found %s".formatted(key, json.get(key)));
  }

  private static long number(Map<String, Object> json, String key) {
    if (json.get(key) instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException(
        "'%s' should be an integer in a loader's state, found %s".formatted(key, json.get(key)));
  }

  private static long count(Map<String, Object> json, String key) {
    long number = number(json, key);
    if (number < 0) {
      throw new IllegalArgumentException(
          "'%s' should be 0 or more in a loader's state, found %d".formatted(key, number));
    }
    return number;
  }

  private static int intCount(Map<String, Object> json, String key) {
    long number = count(json, key);
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "'%s' should fit 31 bits in a loader's state, found %d".formatted(key, number));
    }
    return (int) number;
  }

  private static List<Long> numbers(Map<String, Object> json, String key) {
    Object value = json.getOrDefault(key, List.of());
    if (value instanceof List<?> list && list.stream().allMatch(Long.class::isInstance)) {
      return list.stream().map(Long.class::cast).toList();
    }
    throw new IllegalArgumentException(
        "'%s' should be an array of integers in a loader's state, found %s".formatted(key, value));
  }
}
