package io.feedline.formats.mds;

import io.feedline.formats.store.internal.shards.ShardList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A shard as {@code index.json} describes it. Immutable.
 *
 * @param names of the columns, in the order of the samples
 * @param encodings of the columns, by streaming's names
 * @param sizes of the columns' values in bytes; 0 where each has its own
 * @param compression of the file, as streaming names it, or null
 * @param hashes which checksums its files have
 * @param raw the file as it is read
 * @param zip the file as it is stored, if that is compressed; otherwise null
 * @param samples how many it has
 * @param sizeLimit what the writer was told, or null
 */
record MdsShard(
    List<String> names,
    List<String> encodings,
    List<Integer> sizes,
    @Nullable String compression,
    List<String> hashes,
    FileInfo raw,
    FileInfo zip,
    long samples,
    @Nullable Long sizeLimit) {

  static final long VERSION = 2;
  static final String FORMAT = "mds";

  /** Offsets in a shard have 32 bits. */
  static final long MAX_BYTES = (1L << 32) - 1;

  /**
   * A file of a shard.
   *
   * @param basename its path below the directory of the index, with slashes: its name, unless
   *     several datasets were merged, or many tasks have written it
   * @param bytes its size
   * @param hashes its checksums, by algorithm
   */
  record FileInfo(String basename, long bytes, Map<String, String> hashes) {

    private static FileInfo parse(Fields fields) {
      if (fields == null) {
        return null;
      }
      String name = fields.get("basename", String.class);
      ShardList.requireBelow("'basename'", name);
      Map<String, String> hashes = new TreeMap<>();
      Fields digests = fields.child("hashes");
      if (digests == null) {
        throw new IllegalArgumentException(
            "'hashes' is missing, found " + fields.members().keySet());
      }
      for (Map.Entry<String, Object> hash : digests.members().entrySet()) {
        if (!(hash.getValue() instanceof String value)) {
          throw new IllegalArgumentException("a hash should be a string, found " + hash.getValue());
        }
        hashes.put(hash.getKey(), value);
      }
      return new FileInfo(name, fields.count("bytes", MAX_BYTES), hashes);
    }

    private Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("basename", basename);
      json.put("bytes", bytes);
      json.put("hashes", hashes);
      return json;
    }
  }

  /**
   * Reads a description.
   *
   * @throws IllegalArgumentException if it is not such a description, or of another version or
   *     format
   */
  static MdsShard parse(Map<?, ?> json) {
    Fields fields = new Fields(json);
    long version = fields.get("version", Long.class);
    String format = fields.get("format", String.class);
    if (version != VERSION || !format.equals(FORMAT)) {
      throw new IllegalArgumentException(
          "version %d of format '%s'; version 2 of mds is read".formatted(version, format));
    }
    List<String> names = fields.list("column_names", String.class);
    List<String> encodings = fields.list("column_encodings", String.class);
    List<Object> sizes = fields.list("column_sizes", Object.class);
    if (names.isEmpty() || names.size() != encodings.size() || names.size() != sizes.size()) {
      throw new IllegalArgumentException(
          "%d column_names, %d column_encodings and %d column_sizes"
              .formatted(names.size(), encodings.size(), sizes.size()));
    }
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("a column name comes twice in " + names);
    }
    List<Integer> known = new ArrayList<>();
    for (Object size : sizes) {
      if (size != null && !(size instanceof Long)) {
        throw new IllegalArgumentException("a column size should be an integer, found " + size);
      }
      long bytes = size == null ? 0 : (Long) size;
      if (bytes < 0 || bytes > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a column size of " + bytes);
      }
      known.add((int) bytes);
    }
    FileInfo raw = FileInfo.parse(fields.child("raw_data"));
    if (raw == null) {
      throw new IllegalArgumentException("'raw_data' is missing");
    }
    return new MdsShard(
        names,
        encodings,
        List.copyOf(known),
        fields.optional("compression", String.class),
        fields.list("hashes", String.class),
        raw,
        FileInfo.parse(fields.child("zip_data")),
        fields.count("samples", Integer.MAX_VALUE),
        fields.optional("size_limit", Long.class));
  }

  /** The file as it is stored. */
  FileInfo stored() {
    return zip == null ? raw : zip;
  }

  /**
   * Returns the identity of the shard for fingerprints: equal for another job's shards of the same
   * samples, which lie in other directories, if they have hashes.
   */
  String identity() {
    String name = raw.basename();
    int slash = name.lastIndexOf('/');
    if (slash >= 0 && !stored().hashes().isEmpty()) {
      name = name.substring(slash + 1) + stored().hashes();
    }
    return name + ":" + samples + ":" + raw.bytes();
  }

  /** Returns the description that {@link #parse} reads, with the keys in the order of streaming. */
  Map<String, Object> toJson() {
    Map<String, Object> json = config(names, encodings, sizes, compression, hashes, sizeLimit);
    json.put("raw_data", raw.toJson());
    json.put("samples", samples);
    json.put("zip_data", zip == null ? null : zip.toJson());
    return json;
  }

  /** Returns a shard's description of itself, without its size. */
  static Map<String, Object> config(
      List<String> names,
      List<String> encodings,
      List<Integer> sizes,
      String compression,
      List<String> hashes,
      Long sizeLimit) {
    Map<String, Object> json = new TreeMap<>();
    json.put("version", VERSION);
    json.put("format", FORMAT);
    json.put("compression", compression);
    json.put("hashes", hashes);
    json.put("size_limit", sizeLimit);
    json.put("column_names", names);
    json.put("column_encodings", encodings);
    json.put(
        "column_sizes",
        Arrays.asList(sizes.stream().map(size -> size == 0 ? null : size).toArray()));
    return json;
  }

  /** The members of a JSON object, each asked for as what it should be. */
  private record Fields(Map<?, ?> json) {

    Map<String, Object> members() {
      Map<String, Object> members = new LinkedHashMap<>();
      json.forEach((key, value) -> members.put(key.toString(), value));
      return members;
    }

    <T> T optional(String key, Class<T> type) {
      Object value = json.get(key);
      if (value != null && !type.isInstance(value)) {
        throw new IllegalArgumentException(
            "'%s' should be a %s, found %s".formatted(key, type.getSimpleName(), value));
      }
      return type.cast(value);
    }

    <T> T get(String key, Class<T> type) {
      T value = optional(key, type);
      if (value == null) {
        throw new IllegalArgumentException("'%s' is missing".formatted(key));
      }
      return value;
    }

    long count(String key, long most) {
      long value = get(key, Long.class);
      if (value < 0 || value > most) {
        throw new IllegalArgumentException(
            "'%s' should be from 0 to %d, found %d".formatted(key, most, value));
      }
      return value;
    }

    Fields child(String key) {
      Map<?, ?> value = optional(key, Map.class);
      return value == null ? null : new Fields(value);
    }

    <T> List<T> list(String key, Class<T> type) {
      List<T> list = new ArrayList<>();
      for (Object element : get(key, List.class)) {
        // Only a list of anything may have null in it.
        if (type != Object.class && !type.isInstance(element)) {
          throw new IllegalArgumentException(
              "'%s' should have %ss, found %s".formatted(key, type.getSimpleName(), element));
        }
        list.add(type.cast(element));
      }
      return list;
    }
  }
}
