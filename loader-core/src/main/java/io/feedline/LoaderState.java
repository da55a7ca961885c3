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
 * of the same data continues, whatever its workers, prefetching and order of delivery. Immutable.
 *
 * <p>As {@link #toJson JSON} it goes into a checkpoint. The text has a checksum of its values, so
 * that a changed text is refused:
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

  /** The greatest count: additions to it do not overflow, nor does the next epoch. */
  static final long MOST = Long.MAX_VALUE / 2;

  private static final String CHECK = "check";

  private static final int MOST_KEYS = 10;

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
      List<Long> stream) {
    Values {
      ahead = List.copyOf(ahead);
      stream = List.copyOf(stream);
    }
  }

  private final Values values;
  private final List<String> transforms;

  LoaderState(Values values) {
    this(values, List.of());
  }

  LoaderState(Values values, List<String> transforms) {
    this.values = values;
    this.transforms = List.copyOf(transforms);
  }

  List<String> transforms() {
    return transforms;
  }

  /** Returns the identity of the dataset; a loader over another dataset refuses the state. */
  public String dataset() {
    return values.dataset();
  }

  String order() {
    return values.order();
  }

  long seed() {
    return values.seed();
  }

  /** Returns the epoch. */
  public long epoch() {
    return values.epoch();
  }

  /**
   * Returns how many samples of the epoch this rank has used up; with a batch sampler, how many
   * batches.
   */
  public long position() {
    return values.position();
  }

  List<Long> ahead() {
    return values.ahead();
  }

  int batchSize() {
    return values.batchSize();
  }

  int worldSize() {
    return values.worldSize();
  }

  long offset() {
    return values.offset();
  }

  long samples() {
    return values.samples();
  }

  long failures() {
    return values.failures();
  }

  List<Long> stream() {
    return values.stream();
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
    json.put("dataset", dataset());
    json.put("order", order());
    json.put("seed", seed());
    json.put("epoch", epoch());
    json.put("position", position());
    if (!ahead().isEmpty()) {
      json.put("ahead", ahead());
    }
    json.put("batch_size", batchSize());
    json.put("world_size", worldSize());
    if (offset() != 0) {
      json.put("offset", offset());
    }
    json.put("samples", samples());
    json.put("failures", failures());
    if (!stream().isEmpty()) {
      json.put("stream", stream());
    }
    if (!transforms.isEmpty()) {
      json.put("transforms", transforms);
    }
    return json;
  }

  /**
   * Returns the state that {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if the text is not such a state, saying why
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
            // The offset is less than a round of the ranks.
            members.containsKey("offset") ? json.whole("offset", 0, worldSize - 1) : 0,
            samples,
            json.whole("failures", 0, samples),
            members.containsKey("stream") ? json.wholes("stream") : List.of());
    LoaderState state =
        new LoaderState(
            values, members.containsKey("transforms") ? json.strings("transforms") : List.of());
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
    return other instanceof LoaderState that
        && values.equals(that.values)
        && transforms.equals(that.transforms);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Returns all values by name, and the transforms if there are any. */
  @Override
  public String toString() {
    String text = "LoaderState" + values.toString().substring("Values".length());
    return transforms.isEmpty() ? text : text + " with transforms " + transforms;
  }
}
