package io.feedline.spark;

import java.net.URI;
import java.nio.file.Path;

/** Paths by the texts that tasks are given. */
final class TaskPaths {

  private TaskPaths() {}

  static Path of(String text) {
    return text.contains("://") || text.startsWith("file:")
        ? Path.of(URI.create(text))
        : Path.of(text);
  }
}
