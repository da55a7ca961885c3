package io.feedline.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory. The caller closes it, which deletes it with all that is in it. */
final class ScratchDirectory implements AutoCloseable {
  private final Path path;

  private ScratchDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @param prefix the beginning of its name
   * @throws IOException if it cannot be made
   */
  static ScratchDirectory create(String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(prefix));
  }

  /** Returns its path. */
  Path path() {
    return path;
  }

  /**
   * Deletes it; may be called twice.
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
