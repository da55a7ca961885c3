package io.feedline.formats.mds;

import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.internal.JsonMembers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The description of a shard in {@code index.json}. Immutable.
 *
 * @param sizes the sizes of the columns' values in bytes; 0 for a column whose values differ in
 *     size
 * @param raw the file that is read, not compressed
 * @param zip the compressed file; null if the shard is not compressed
 */
record MdsShard(
    List<String> names,
    List<String> encodings,
    List<Integer> sizes,
    @Nullable String compression,
    List<String> hashes,
    FileInfo raw,
    @Nullable FileInfo zip,
    long samples,
    @Nullable Long sizeLimit) {

  static final long VERSION = 2;
  static final String FORMAT = "mds";

  static final long MAX_BYTES = (1L << 32) - 1;

  /** A file of a shard; {@code basename} is its path below the directory of the index. */
  record FileInfo(String basename, long bytes, Map<String, String> hashes) {

    private static FileInfo parse(JsonMembers json) {
      String name = json.string("basename");
      ShardList.requireBelow("'basename'", name);
      return new FileInfo(name, json.whole("bytes", 0, MAX_BYTES), json.object("hashes").strings());
    }

    private Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("basename", basename);
      json.put("bytes", bytes);
      json.put("hashes", hashes);
      return json;
    }
  }

  static MdsShard parse(Object json) {
    JsonMembers members = JsonMembers.of("its description", json);
    long version = members.whole("version");
    String format = members.string("format");
    if (version != VERSION || !format.equals(FORMAT)) {
      throw new IllegalArgumentException(
          "version %d of format '%s'; version 2 of mds is read".formatted(version, format));
    }
    List<String> names = members.strings("column_names");
    List<String> encodings = members.strings("column_encodings");
    List<?> sizes = members.list("column_sizes");
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
    return new MdsShard(
        names,
        encodings,
        List.copyOf(known),
        members.has("compression") ? members.string("compression") : null,
        members.strings("hashes"),
        FileInfo.parse(members.object("raw_data")),
        members.has("zip_data") ? FileInfo.parse(members.object("zip_data")) : null,
        members.whole("samples", 0, Integer.MAX_VALUE),
        members.has("size_limit") ? members.whole("size_limit") : null);
  }

  FileInfo stored() {
    return zip == null ? raw : zip;
  }

  /**
   * Returns the name, number of samples and size of the shard. Checksums, if there are any, replace
   * the directory in the name, so that two jobs' shards of the same samples are equal.
   */
  String identity() {
    String name = raw.basename();
    int slash = name.lastIndexOf('/');
    if (slash >= 0 && !stored().hashes().isEmpty()) {
      name = name.substring(slash + 1) + stored().hashes();
    }
    return name + ":" + samples + ":" + raw.bytes();
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = config(names, encodings, sizes, compression, hashes, sizeLimit);
    json.put("raw_data", raw.toJson());
    json.put("samples", samples);
    json.put("zip_data", zip == null ? null : zip.toJson());
    return json;
  }

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
}
