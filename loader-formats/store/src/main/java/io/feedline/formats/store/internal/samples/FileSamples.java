package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A dataset whose samples are whole files: an image, and perhaps a mask or an annotation. Holds
 * nothing open. Thread-safe, as far as a subclass is.
 *
 * @param <T> a sample
 */
public abstract class FileSamples<T> implements ReadAheadDataset<T> {

  private final OpenFiles files = new OpenFiles(1);

  /** A dataset of files. */
  protected FileSamples() {}

  /**
   * Returns the files that a sample is read from, the image's first.
   *
   * @param index within the size
   */
  protected abstract List<Path> files(long index);

  /**
   * Makes a sample.
   *
   * @param index within the size
   * @param paths its files
   * @throws FormatException if it is damaged, without its place
   * @throws IOException if a file cannot be read
   */
  protected abstract T sample(long index, List<Path> paths) throws IOException;

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, with its path
   */
  protected final byte[] bytes(Path file) throws IOException {
    return files.readAll(file, Integer.MAX_VALUE - 64);
  }

  /**
   * Returns the path of a file that is named in another one, below a directory. The name may have
   * {@code .}, {@code ..} and empty parts, or be absolute, as long as it stays in the directory.
   *
   * @param name as it is written there, with slashes
   * @throws FormatException if it is empty, no name of a file, or leads out of the directory
   */
  protected static String below(Path directory, String name) throws FormatException {
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

  /**
   * Reads a sample's files; images are decoded when they are written into a batch.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if one is damaged; the message names it
   * @throws IOException if one cannot be read
   */
  @Override
  public final T get(long index) throws IOException {
    return sample(index, files(Objects.checkIndex(index, size())));
  }

  /** Returns the files, whole; how long they are shows when they are read. */
  @Override
  public final List<FileRange> parts(long index) {
    return files(index).stream().map(file -> new FileRange(file, 0, Long.MAX_VALUE)).toList();
  }

  @Override
  public final Path anyFile() {
    return files(0).get(0);
  }

  /** Returns the path of the image; for an index that is out of range, the index in words. */
  @Override
  public final String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : files(index).get(0).toString();
  }

  @Override
  public String toString() {
    return name();
  }
}
