package io.feedline.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory for work in progress, beside the place where the result is to be: what is done is
 * renamed into place, so nobody ever sees half of it. Closing deletes what is left.
 *
 * @param path the directory
 */
record Unfinished(Path path) implements AutoCloseable {

  /** Makes a hidden one. */
  static Unfinished in(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new Unfinished(Files.createTempDirectory(parent, ".unfinished-"));
  }

  /** Renames something in here, or all of it, to its final name. */
  void finish(Path done, Path target) throws IOException {
    Files.move(done, target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    List<Path> left;
    try (Stream<Path> tree = Files.walk(path)) {
      left = tree.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException renamed) {
      return;
    }
    for (Path each : left) {
      Files.delete(each);
    }
  }
}
