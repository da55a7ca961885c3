package io.feedline;

import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The place of a {@link DataLoader} in its stream of batches: a few numbers, from which any loader
 * of the same data can continue, with any number of workers, prefetching and order of delivery.
 * Immutable.
 *
 * <p>Write it into a checkpoint as {@linkplain #toJson JSON}. The text contains a checksum of its
 * values, so that a changed text is refused:
 *
 * <pre>{@code
 * Files.writeString(checkpoint, loader.state().toJson());
 * }</pre>
 *
 * <p>In a later process, with a loader built in the same way:
 *
 * <pre>{@code
 * loader.resume(LoaderState.fromJson(Files.readString(checkpoint)));
 * }</pre>
 */
public final class LoaderState {

  private static final long VERSION = 1;

  /** The largest count: neither sums with it nor the number of the next epoch overflow. */
  static final long MOST = Long.MAX_VALUE / 2;

  private static final String CHECK = "check";

  private static final int MOST_KEYS = 10;

  /**
   * The values of a state.
   *
   * @param dataset the identity of the dataset
   * @param order the identity of the epoch's order
   * @param position the number of samples (with a batch sampler: batches) of the epoch that this
   *     rank has used up
   * @param ahead numbers of batches that were delivered before an earlier batch
   * @param batchSize 0 with a batch sampler
   * @param worldSize the number of ranks that share the order
   * @param offset the number of samples of the order (with a batch sampler: batches) before the
   *     first round of these ranks; a round has one sample for each rank. Not 0 if another number
   *     of ranks loaded an earlier part of the epoch, and the number of samples in that part is not
   *     a multiple of {@code worldSize}. All ranks together have used up {@code offset + position *
   *     worldSize}
   * @param samples the number of samples that were delivered or failed in the loader's life
   * @param failures the number of these samples that failed and were tolerated
   * @param stream the position of a stream, in numbers that only the stream understands; empty if a
   *     resumed epoch is read from its beginning, and for datasets with random access
   * @param transforms the texts of the transforms that samples and batches pass
   */
  record Values(
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
      List<Long> stream,
      List<String> transforms) {
    Values {
      ahead = List.copyOf(ahead);
      stream = List.copyOf(stream);
      transforms = List.copyOf(transforms);
    }
  }

  private final Values values;

  LoaderState(Values values) {
    this.values = values;
  }

  Values values() {
    return values;
  }

  /** Returns the identity of the dataset; a loader over another dataset refuses the state. */
  public String dataset() {
    return values.dataset();
  }

  /** Returns the number of the epoch, from 0. */
  public long epoch() {
    return values.epoch();
  }

  /** Returns how many samples (with a batch sampler: batches) of the epoch this rank has used. */
  public long position() {
    return values.position();
  }

  /** Returns the state as one line of JSON. */
  public String toJson() {
    Map<String, Object> json = json();
    json.put(CHECK, checksum(json));
    return Json.write(json);
  }

  private static String checksum(Map<String, Object> json) {
    return Digest.of(Json.write(json));
  }

  private Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feedline", VERSION);
    json.put("dataset", values.dataset());
    json.put("order", values.order());
    json.put("seed", values.seed());
    json.put("epoch", values.epoch());
    json.put("position", values.position());
    if (!values.ahead().isEmpty()) {
      json.put("ahead", values.ahead());
    }
    json.put("batch_size", values.batchSize());
    json.put("world_size", values.worldSize());
    if (values.offset() != 0) {
      json.put("offset", values.offset());
    }
    json.put("samples", values.samples());
    json.put("failures", values.failures());
    if (!values.stream().isEmpty()) {
      json.put("stream", values.stream());
    }
    if (!values.transforms().isEmpty()) {
      json.put("transforms", values.transforms());
    }
    return json;
  }

  /**
   * Reads a state from the text that {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if the text is no such state; the message says why
   */
  public static LoaderState fromJson(String text) {
    Map<String, Object> members = object(text);
    JsonMembers json = new JsonMembers("a loader's state", members);
    long version = json.whole("feedline");
    if (version != VERSION) {
      throw new IllegalArgumentException(
          ("a loader's state of version %d; this library reads version %d. Resume with the version"
                  + " of Feedline that wrote it")
              .formatted(version, VERSION));
    }
    long worldSize = json.whole("world_size", 1, Integer.MAX_VALUE);
    long samples = json.whole("samples", 0, MOST);
    Values values =
        new Values(
            json.string("dataset"),
            json.string("order"),
            json.whole("seed"),
            json.whole("epoch", 0, MOST),
            json.whole("position", 0, MOST),
            members.containsKey("ahead") ? json.wholes("ahead") : List.of(),
            (int) json.whole("batch_size", 0, Integer.MAX_VALUE),
            (int) worldSize,
            // The offset is less than a round, which has one sample for each rank.
            members.containsKey("offset") ? json.whole("offset", 0, worldSize - 1) : 0,
            samples,
            json.whole("failures", 0, samples),
            members.containsKey("stream") ? json.wholes("stream") : List.of(),
            members.containsKey("transforms") ? json.strings("transforms") : List.of());
    LoaderState state = new LoaderState(values);
    String checksum = checksum(state.json());
    if (!json.string(CHECK).equals(checksum)) {
      throw new IllegalArgumentException(
          "this loader's state has been changed since it was written: its values have the checksum %s, and 'check' is %s; resume from the text that LoaderState.toJson() wrote"
              .formatted(checksum, json.string(CHECK)));
    }
    return state;
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
          "this JSON is not a loader's state: it has the keys %s and not 'feedline', the version; give what LoaderState.toJson() wrote"
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

  @Override
  public boolean equals(Object other) {
    return other instanceof LoaderState that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Returns all values by name. */
  @Override
  public String toString() {
    return "LoaderState" + values.toString().substring("Values".length());
  }
}
