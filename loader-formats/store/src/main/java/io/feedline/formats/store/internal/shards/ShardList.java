package io.feedline.formats.store.internal.shards;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.EntryName;
import io.feedline.internal.Digest;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * {@code shards.json}: the shards of a store whose format has no index of its own, in their order.
 * It is in the form of WebDataset's {@code wids}, with a few members more:
 *
 * <pre>{@code
 * {"__kind__": "wids-shard-index-v1", "wids_version": 1,
 *  "format": "webdataset", "classes": ["cat", "dog"], "options": {...},
 *  "shardlist": [{"url": "JOB/00000-0/data-000000.tar", "nsamples": 3, "filesize": 1536, "sha256": "..."}]}
 * }</pre>
 *
 * <p>Lists of {@code wids} itself are read, too: without {@code format}, the list is of WebDataset;
 * without {@code sha256}, the hash of a shard is empty, and is not compared; shards without samples
 * are left out. URLs must be paths below the directory, or begin with the directory's own URL.
 */
public record ShardList(
    String format, List<String> classes, Map<String, String> options, List<PackedShard> shards) {

  public static final String NAME = "shards.json";

  private static final String KIND = "wids-shard-index-v1";
  private static final long VERSION = 1;
  private static final String WEBDATASET = "webdataset";

  private static final Pattern HASH = Pattern.compile("([0-9a-f]{64})?");

  private static final int HEAD_BYTES = 1024;

  public ShardList {
    classes = List.copyOf(classes);
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    shards = List.copyOf(shards);
  }

  /** Finds the list: {@code shards.json} in a directory, or the path if it is a list itself. */
  public static Optional<Path> fileAt(Path path) throws IOException {
    String name = String.valueOf(path.getFileName());
    if (!name.endsWith(".json")) {
      Path file = path.resolve(NAME);
      return Presence.isDirectory(path) && Presence.isFile(file)
          ? Optional.of(file)
          : Optional.empty();
    }
    return Presence.isFile(path) && (name.equals(NAME) || beginsWithKind(path))
        ? Optional.of(path)
        : Optional.empty();
  }

  private static boolean beginsWithKind(Path file) throws IOException {
    try (OpenFile open = OpenFile.of(file)) {
      byte[] head = new byte[(int) Math.min(HEAD_BYTES, open.length())];
      open.read(0, head, 0, head.length);
      return new String(head, UTF_8).contains('"' + KIND + '"');
    }
  }

  public static ShardList read(Path file) throws IOException {
    byte[] bytes;
    try (OpenFiles files = new OpenFiles(1)) {
      bytes = files.readAll(file, Integer.MAX_VALUE - 64);
    }
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return parse(Json.read(text), file);
    } catch (CharacterCodingException noText) {
      throw FormatException.in(file, "it should be JSON in UTF-8, and is not UTF-8", noText);
    } catch (IllegalArgumentException broken) {
      throw FormatException.in(file, broken.getMessage(), broken);
    }
  }

  public static ShardList parse(Map<String, Object> json, Path file) throws IOException {
    if (!KIND.equals(json.get("__kind__"))
        || !Long.valueOf(VERSION).equals(json.getOrDefault("wids_version", VERSION))
        || !(json.get("shardlist") instanceof List<?> listed)) {
      throw new IllegalArgumentException(
          "expected \"__kind__\" %s of version %d and a \"shardlist\", found %s, version %s and %s"
              .formatted(
                  KIND, VERSION, json.get("__kind__"), json.get("wids_version"), json.keySet()));
    }
    if (!(json.getOrDefault("format", WEBDATASET) instanceof String format)) {
      throw new IllegalArgumentException(
          "expected the name of a \"format\", found " + json.get("format"));
    }
    String uri = file.resolveSibling("").toUri().toString();
    String directory = uri.endsWith("/") ? uri : uri + "/";
    List<PackedShard> shards = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < listed.size(); i++) {
      try {
        PackedShard shard = shard(listed.get(i), file, directory);
        if (shard != null && !paths.add(shard.path())) {
          throw new IllegalArgumentException(shard.path() + " comes twice");
        }
        if (shard != null) {
          shards.add(shard);
        }
      } catch (IllegalArgumentException broken) {
        throw new IllegalArgumentException(
            "shard %d: %s".formatted(i, broken.getMessage()), broken);
      }
    }
    return new ShardList(
        format,
        ClassList.names(new JsonMembers("the list", json)),
        JsonMembers.of("'options'", json.getOrDefault("options", Map.of())).strings(),
        shards);
  }

  /** Returns a shard of the list; null for a shard without samples. */
  private static PackedShard shard(Object json, Path file, String directory) throws IOException {
    if (!(json instanceof Map<?, ?> members)) {
      throw new IllegalArgumentException("it should be an object, found " + json);
    }
    if (!(members.get("url") instanceof String url)) {
      throw new IllegalArgumentException("expected a \"url\", found " + members.keySet());
    }
    long samples = count(members, "nsamples", -1);
    if (samples == 0) {
      return null;
    }
    String path = url.startsWith(directory) ? url.substring(directory.length()) : url;
    requireBelow("\"url\"", path);
    Object hash = members.containsKey("sha256") ? members.get("sha256") : "";
    if (!(hash instanceof String sha256) || !HASH.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "%s: expected a \"sha256\" of 64 hexadecimal digits in lower case, found %s"
              .formatted(path, hash));
    }
    long bytes =
        members.containsKey("filesize")
            ? count(members, "filesize", -1)
            : FileStamp.of(file.resolveSibling(path)).size();
    return new PackedShard(path, samples, bytes, sha256, "");
  }

  private static long count(Map<?, ?> members, String name, long least) {
    if (!(members.get(name) instanceof Long number) || number <= least) {
      throw new IllegalArgumentException(
          "expected a \"%s\" of %d or more, found %s"
              .formatted(name, least + 1, members.get(name)));
    }
    return number;
  }

  public static void requireBelow(String name, String path) {
    boolean plain = path.chars().noneMatch(c -> c == '\\' || c == ':' || c < ' ' || c == 0x7F);
    if (!plain || !EntryName.isBelow(path)) {
      throw new IllegalArgumentException(
          ("%s should be the path of a file below the index's directory, with slashes and without"
                  + " '..', found '%s'")
              .formatted(name, path));
    }
  }

  public byte[] toBytes() {
    return bytes(toJson());
  }

  public static byte[] bytes(Map<String, Object> json) {
    return (Json.write(json) + "\n").getBytes(UTF_8);
  }

  public Map<String, Object> toJson() {
    List<Map<String, Object>> listed = new ArrayList<>();
    for (PackedShard shard : shards) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("url", shard.path());
      members.put("nsamples", shard.samples());
      members.put("filesize", shard.bytes());
      if (!shard.sha256().isEmpty()) {
        members.put("sha256", shard.sha256());
      }
      listed.add(members);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("__kind__", KIND);
    json.put("wids_version", VERSION);
    json.put("format", format);
    json.put("classes", classes);
    json.put("options", options);
    json.put("shardlist", listed);
    return json;
  }

  ShardList only(PackedShard shard) {
    return new ShardList(format, List.of(), options, List.of(shard));
  }

  public long[] sizes() {
    return shards.stream().mapToLong(PackedShard::samples).toArray();
  }

  /** Returns a fingerprint, which is equal for stores of the same samples by different jobs. */
  public String fingerprint(String type) {
    long samples = LongStream.of(sizes()).sum();
    return type + ":" + samples + ":" + Digest.ofLines(shards.stream().map(ShardList::line));
  }

  private static String line(PackedShard shard) {
    String name = shard.path().substring(shard.path().lastIndexOf('/') + 1);
    return name + ":" + shard.samples() + ":" + shard.bytes() + ":" + shard.sha256();
  }
}
