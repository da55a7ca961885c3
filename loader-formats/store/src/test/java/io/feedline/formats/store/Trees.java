package io.feedline.formats.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Trees of files, in tests. */
public final class Trees {

  private Trees() {}

  /** Copies a directory and all that is in it. */
  public static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Deletes all in a directory whose names begin with a text, and what is in it. */
  static void delete(Path directory, String prefix) {
    try (Stream<Path> entries = Files.list(directory)) {
      List<Path> found =
          entries.filter(path -> path.getFileName().toString().startsWith(prefix)).toList();
      for (Path each : found) {
        try (Stream<Path> files = Files.walk(each)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
