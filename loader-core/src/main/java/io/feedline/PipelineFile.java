package io.feedline;

import io.feedline.data.FormatException;
import io.feedline.internal.Circumstances;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.MissingPaths;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The file of a pipeline beside its model: an object in JSON (RFC 8259).
 *
 * <pre>{@code
 * {"feedline":"0.1.0",
 *  "classes":["cat","dog"],
 *  "pipeline":{"version":1,"transform":[{"DecodeImage":{...}},{"Resize":{...}}]}}
 * }</pre>
 *
 * <p>{@code feedline} is the version of Feedline that wrote the file, and is not checked; {@code
 * classes} may be empty; {@code pipeline} is the text of {@link Transforms#toJson}.
 *
 * @param classes the names of the classes, by number
 */
record PipelineFile(RandomTransform<?, ?> transform, List<String> classes) {

  static final String NAME = "pipeline.json";

  private static final Set<String> MEMBERS = Set.of("feedline", "classes", "pipeline");

  static PipelineFile read(Path path, Class<?>... own) throws IOException {
    Path file = file(path);
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException absent) {
      FileNotFoundException missing =
          new FileNotFoundException(
              "%s does not exist%s; Preprocessor.save writes it beside a model"
                  .formatted(file, MissingPaths.nearest(file)));
      missing.initCause(absent);
      throw missing;
    }
    try {
      return parse(text, own);
    } catch (IllegalArgumentException e) {
      throw FormatException.in(file, e.getMessage(), e);
    }
  }

  private static PipelineFile parse(String text, Class<?>... own) {
    JsonMembers json = JsonMembers.read("the pipeline", text);
    for (String name : json.members().keySet()) {
      if (!MEMBERS.contains(name)) {
        throw new IllegalArgumentException(
            "the pipeline has no member '%s'; known are %s".formatted(name, MEMBERS));
      }
    }
    String pipeline = Json.write(json.object("pipeline").members());
    return new PipelineFile(Transforms.fromJson(pipeline, own), json.strings("classes"));
  }

  /** Writes the file and returns its path. Replaces an older file once the new is complete. */
  Path write(Path path) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feedline", Circumstances.version());
    json.put("classes", classes);
    json.put("pipeline", Json.read(Transforms.toJson(transform)));
    Path file = file(path);
    Path partial = file.resolveSibling("." + file.getFileName() + ".partial");
    Files.writeString(partial, Json.write(json) + "\n");
    return Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path file(Path path) {
    return Files.isDirectory(path) ? path.resolve(NAME) : path;
  }
}
