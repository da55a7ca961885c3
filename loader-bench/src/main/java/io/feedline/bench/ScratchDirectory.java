package io.feedline.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory. The caller closes it, which deletes the directory with its content. */
final class ScratchDirectory implements AutoCloseable {
  private final Path path;

  private ScratchDirectory(Path path) {
    this.path = path;
  }

  /**
   * Creates a temporary directory whose name begins with the prefix.
   *
   * @throws IOException if the directory cannot be created
   */
  static ScratchDirectory create(String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(prefix));
  }

  Path path() {
    return path;
  }

  /**
   * Deletes the directory; may be called twice.
   *
   * @throws UncheckedIOException if something cannot be deleted
   */
  @Override
  public void close() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> childrenFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path each : childrenFirst) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
