package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

public final class FileSamples {

  private final OpenFiles files = new OpenFiles(1);

  public byte[] read(Path file) throws IOException {
    return files.readAll(file, Integer.MAX_VALUE - 64);
  }

  /** Returns for each file the range of all its bytes; the end is found when the range is read. */
  public static List<FileRange> whole(Path... files) {
    return Stream.of(files).map(file -> new FileRange(file, 0, Long.MAX_VALUE)).toList();
  }

  /** Returns a file's path relative to a directory; refuses a name that leads out of it. */
  public static String below(Path directory, String name) throws FormatException {
    if (name.isBlank()) {
      throw new FormatException("the name of a file in %s is empty".formatted(directory));
    }
    try {
      Path root = directory.toAbsolutePath().normalize();
      Path file = root.resolve(name).normalize();
      if (file.startsWith(root) && !file.equals(root)) {
        return root.relativize(file).toString();
      }
    } catch (InvalidPathException invalid) {
      throw new FormatException(
          "'%s' is not the name of a file: %s".formatted(name, invalid.getReason()), invalid);
    }
    throw new FormatException(
        "the name '%s' leads out of the directory %s".formatted(name, directory));
  }
}
