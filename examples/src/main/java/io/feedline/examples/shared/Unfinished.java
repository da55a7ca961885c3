package io.feedline.examples.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory for unfinished files, beside the place of the result. A finished result is renamed,
 * so a reader never sees an incomplete result. Closing deletes the remaining files.
 *
 * @param path the directory
 */
public record Unfinished(Path path) implements AutoCloseable {

  /** Writes the content of a directory. */
  public interface Filling {
    void fill(Path directory) throws IOException;
  }

  /**
   * Makes a directory, unless it exists. The directory appears only when it is complete.
   *
   * @param filling writes the files, the same in every process; if several processes write at once,
   *     the result of the fastest is kept
   * @return the target
   */
  public static Path directory(Path target, Filling filling) throws IOException {
    if (Files.isDirectory(target)) {
      return target;
    }
    try (Unfinished unfinished = in(target.toAbsolutePath().getParent())) {
      filling.fill(unfinished.path());
      unfinished.finish(unfinished.path(), target);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (FileSystemException e) {
      if (!Files.isDirectory(target)) {
        throw e;
      }
      // Another process was faster.
    }
    return target;
  }

  /** Makes a hidden directory in a directory. */
  public static Unfinished in(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new Unfinished(Files.createTempDirectory(parent, ".unfinished-"));
  }

  /** Renames a file in this directory, or this directory, to its final name. */
  public void finish(Path done, Path target) throws IOException {
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
