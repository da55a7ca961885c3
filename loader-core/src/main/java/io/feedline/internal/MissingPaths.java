package io.feedline.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Words for paths at which there is nothing. */
public final class MissingPaths {

  private MissingPaths() {}

  /**
   * Returns the part of a message that says how far a path leads, by its absolute form: most often
   * a name is misspelled, or the program runs in another directory than was thought.
   *
   * @return for example {@code ; the nearest directory that exists is /data}; empty if not even a
   *     root exists
   */
  public static String nearest(Path missing) {
    Path directory = missing.toAbsolutePath().normalize();
    while (directory != null && !Files.isDirectory(directory)) {
      directory = directory.getParent();
    }
    return directory == null ? "" : "; the nearest directory that exists is " + directory;
  }

  /** Returns the failure of writing a file whose directory does not exist. */
  public static NoSuchFileException ofDirectory(Path file, @Nullable IOException cause) {
    NoSuchFileException failure =
        new NoSuchFileException(
            file.toString(), null, "its directory does not exist" + nearest(file));
    failure.initCause(cause);
    return failure;
  }

  /**
   * Tests whether the directory of a missing file is there and has other entries: then this file is
   * missing, and not the disk, the mount or the share that had it.
   */
  public static boolean isOneOfSeveral(Path missing) {
    Path directory = missing.toAbsolutePath().getParent();
    if (directory == null) {
      return false;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return entries.iterator().hasNext();
    } catch (IOException | RuntimeException unreadable) {
      return false;
    }
  }
}
