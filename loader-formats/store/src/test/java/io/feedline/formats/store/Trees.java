package io.feedline.formats.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

public final class Trees {

  private Trees() {}

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

  /**
   * Returns the files of a tree, or the only file, by their paths, with their bytes; without those
   * that a reader keeps there, whose names begin with a dot.
   */
  public static Map<String, ByteBuffer> files(Path tree) throws IOException {
    Map<String, ByteBuffer> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().startsWith(".")) {
          files.put(tree.relativize(file).toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }

  public static void delete(Path directory, String prefix) {
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
