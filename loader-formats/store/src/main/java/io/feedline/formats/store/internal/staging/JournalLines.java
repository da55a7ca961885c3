package io.feedline.formats.store.internal.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.Quarantine;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

final class JournalLines {
  static final JournalLines NONE = new JournalLines(List.of(), 0);

  static final String IDENTITY = "identity";
  private static final String SHARD = "shard";

  /** The key in a line that notes a checkpoint of a format without shards. */
  static final String CHECKPOINT = "at";

  /** The key of the number of samples, in the last line of a complete output. */
  static final String COMPLETE = "complete";

  static final String LEFT_OUT = "left-out";

  /** The key of the number of samples written before, in a {@link #LEFT_OUT} line. */
  private static final String BEHIND = "behind";

  /** The key of a number of samples; earlier notes of samples left out after them do not count. */
  private static final String LEFT_OUT_UP_TO = "left-out-up-to";

  private final List<Map<String, Object>> lines;
  private final long bytes;

  private JournalLines(List<Map<String, Object>> lines, long bytes) {
    this.lines = lines;
    this.bytes = bytes;
  }

  static JournalLines of(Path file) throws IOException {
    return Presence.exists(file) ? of(Files.readAllBytes(file)) : NONE;
  }

  static JournalLines of(byte[] journal) {
    String text = new String(journal, UTF_8);
    List<Map<String, Object>> lines = new ArrayList<>();
    long bytes = 0;
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      String line = text.substring(from, end + 1);
      try {
        lines.add(Json.read(line));
      } catch (IllegalArgumentException torn) {
        // A power cut has torn this line; the lines behind it do not count.
        break;
      }
      bytes += line.getBytes(UTF_8).length;
      from = end + 1;
    }
    return new JournalLines(lines, bytes);
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  boolean isComplete() {
    return complete() >= 0;
  }

  long complete() {
    Map<String, Object> last = lines.isEmpty() ? Map.of() : lines.get(lines.size() - 1);
    return last.get(COMPLETE) instanceof Long samples ? samples : -1;
  }

  @SuppressWarnings("unchecked") // Json reads objects as Map<String, Object>.
  List<Map<String, Object>> checkpoints() {
    List<Map<String, Object>> checkpoints = new ArrayList<>();
    for (Map<String, Object> line : lines) {
      if (line.get(CHECKPOINT) instanceof Map<?, ?> checkpoint) {
        checkpoints.add((Map<String, Object>) checkpoint);
      }
    }
    return List.copyOf(checkpoints);
  }

  static Map<String, Object> shard(PackedShard shard) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("name", shard.path());
    values.put("samples", shard.samples());
    values.put("bytes", shard.bytes());
    values.put("description", shard.description());
    return Map.of(SHARD, values);
  }

  List<PackedShard> shards() {
    List<PackedShard> shards = new ArrayList<>();
    for (Map<String, Object> line : lines) {
      if (line.containsKey(SHARD)) {
        JsonMembers shard = JsonMembers.of("a shard in the journal", line.get(SHARD));
        shards.add(
            new PackedShard(
                shard.string("name"),
                shard.whole("samples"),
                shard.whole("bytes"),
                "",
                shard.string("description")));
      }
    }
    return shards;
  }

  static Map<String, Object> leftOut(Quarantine.Entry sample, long written) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put(BEHIND, written);
    values.put("index", sample.index());
    values.put("description", sample.description());
    values.put("cause", sample.cause());
    return Map.of(LEFT_OUT, values);
  }

  static Map<String, Object> leftOutUpTo(long written) {
    return Map.of(LEFT_OUT_UP_TO, written);
  }

  /** Returns the left-out samples that no line takes back, with the samples written before each. */
  Map<Quarantine.Entry, Long> leftOut() {
    Map<Quarantine.Entry, Long> found = new LinkedHashMap<>();
    for (Map<String, Object> line : lines) {
      if (line.get(LEFT_OUT_UP_TO) instanceof Long written) {
        found.values().removeIf(behind -> behind > written);
      }
      if (line.get(LEFT_OUT) instanceof Map<?, ?> sample
          && sample.get(BEHIND) instanceof Long behind
          && sample.get("index") instanceof Long index) {
        found.put(
            new Quarantine.Entry(
                index,
                String.valueOf(sample.get("description")),
                String.valueOf(sample.get("cause"))),
            behind);
      }
    }
    return found;
  }

  String last(String name) {
    String last = "";
    for (Map<String, Object> line : lines) {
      if (line.get(name) instanceof String text) {
        last = text;
      }
    }
    return last;
  }

  /** Returns whether the journal has this identity; if not, fails unless a restart is requested. */
  boolean fit(Path where, Map<String, String> identity, boolean restart) throws IOException {
    String difference = differenceFrom(identity);
    if (difference != null && !restart) {
      throw new IOException(
          "%s is the unfinished output of something else (%s): give that command again, or ask for"
                  .formatted(where, difference)
              + " a restart (--restart), which throws it away");
    }
    return difference == null;
  }

  private @Nullable String differenceFrom(Map<String, String> identity) {
    if (lines.isEmpty() || !(lines.get(0).get(IDENTITY) instanceof Map<?, ?> begun)) {
      return "it does not say of what";
    }
    TreeSet<String> names = new TreeSet<>(identity.keySet());
    begun.keySet().forEach(name -> names.add(String.valueOf(name)));
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String was = begun.get(name) == null ? "nothing" : String.valueOf(begun.get(name));
      String is = identity.getOrDefault(name, "nothing");
      if (!was.equals(is)) {
        differences.add("%s was %s, is %s".formatted(name, was, is));
      }
    }
    try {
      List<PackedShard> unused = shards();
    } catch (IllegalArgumentException damaged) {
      differences.add(damaged.getMessage());
    }
    return differences.isEmpty() ? null : String.join("; ", differences);
  }
}
