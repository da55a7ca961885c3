package io.feedline.formats.webdataset;

import io.feedline.Json;
import io.feedline.formats.support.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The names of the classes, beside the shards: {@code {"classes":["cat","dog"]}}. */
final class ClassesFile {

  static final String NAME = "classes.json";

  private ClassesFile() {}

  /**
   * The classes that a directory names; empty if it has no such file.
   *
   * @throws WebDatasetException if the file is something else
   * @throws IOException if it cannot be read
   */
  static List<String> read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = Files.readString(file);
    try {
      if (Json.read(text).get("classes") instanceof List<?> classes
          && classes.stream().allMatch(String.class::isInstance)) {
        return classes.stream().map(String.class::cast).toList();
      }
    } catch (IllegalArgumentException e) {
      throw new WebDatasetException(file + ": " + e.getMessage(), e);
    }
    throw new WebDatasetException(file + ": expected {\"classes\":[names]}");
  }

  static void write(Path directory, List<String> classes) throws IOException {
    String text = Json.write(Map.of("classes", classes)) + "\n";
    WholeFile.write(directory.resolve(NAME), text.getBytes(StandardCharsets.UTF_8));
  }
}
