package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The index {@code {"version": 2, "shards": [...]}}; streaming ignores the optional "classes". */
record MdsIndex(List<MdsShard> shards, List<String> classes) {

  static final String NAME = "index.json";

  static MdsIndex read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    String text;
    try (OpenFiles files = new OpenFiles(1)) {
      byte[] bytes = files.readAll(file, Integer.MAX_VALUE - 64);
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new FormatException(file + ": it should be JSON in UTF-8, and is not UTF-8", e);
    } catch (FileNotFoundException absent) {
      FileNotFoundException failure =
          new FileNotFoundException(
              file + ": there is no such file, so this is not a finished MDS dataset");
      failure.initCause(absent);
      throw failure;
    }
    Map<String, Object> json;
    try {
      json = Json.read(text);
    } catch (IllegalArgumentException e) {
      throw new FormatException(file + ": " + e.getMessage(), e);
    }
    if (!Long.valueOf(MdsShard.VERSION).equals(json.get("version"))
        || !(json.get("shards") instanceof List<?> shards)) {
      throw new FormatException(
          "%s: expected version 2 and a list of shards, found version %s and %s"
              .formatted(file, json.get("version"), json.keySet()));
    }
    // Feedline writes classes even if there are no samples; without them, writing has not ended.
    if (shards.isEmpty()
        && !json.containsKey("classes")
        && !Presence.exists(file.resolveSibling(ClassList.FILE_NAME))) {
      throw new FormatException(
          file
              + ": it lists no shards, so there is not one sample; is the dataset written to its end?");
    }
    List<MdsShard> parsed = new ArrayList<>();
    for (Object shard : shards) {
      try {
        parsed.add(MdsShard.parse(shard));
      } catch (IllegalArgumentException e) {
        throw new FormatException(
            "%s: shard %d: %s".formatted(file, parsed.size(), e.getMessage()), e);
      }
    }
    try {
      return new MdsIndex(parsed, ClassList.names(new JsonMembers(file.toString(), json)));
    } catch (IllegalArgumentException e) {
      throw new FormatException(e.getMessage(), e);
    }
  }

  static Map<String, String> columns(List<MdsShard> shards) {
    Map<String, String> columns = new LinkedHashMap<>();
    if (!shards.isEmpty()) {
      MdsShard first = shards.get(0);
      for (int i = 0; i < first.names().size(); i++) {
        columns.put(first.names().get(i), first.encodings().get(i));
      }
    }
    return columns;
  }

  static void write(StagedOutput output) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put(
        "shards", output.shards().stream().map(each -> Json.read(each.description())).toList());
    json.put("version", MdsShard.VERSION);
    output.write(output.path().resolve(NAME), Json.write(json).getBytes(StandardCharsets.UTF_8));
  }
}
