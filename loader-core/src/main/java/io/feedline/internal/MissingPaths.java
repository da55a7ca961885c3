package io.feedline.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Messages about paths at which nothing exists. */
public final class MissingPaths {

  private MissingPaths() {}

  /**
   * Returns the part of a message that names the nearest existing directory above a path: most
   * often a name is misspelled, or the program runs in another directory than was thought. For
   * example {@code ; the nearest directory that exists is /data}; empty if not even a root exists.
   */
  public static String nearest(Path missing) {
    Path directory = missing.toAbsolutePath().normalize();
    while (directory != null && !Files.isDirectory(directory)) {
      directory = directory.getParent();
    }
    return directory == null ? "" : "; the nearest directory that exists is " + directory;
  }

  public static NoSuchFileException at(Path missing) {
    return new NoSuchFileException(
        missing.toString(), null, "there is no such file or directory" + nearest(missing));
  }

  public static IOException ofDirectory(Path file, @Nullable IOException cause) {
    return new IOException(
        file + " cannot be written: its directory does not exist" + nearest(file), cause);
  }
}
