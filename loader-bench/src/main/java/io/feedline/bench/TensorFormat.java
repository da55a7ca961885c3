package io.feedline.bench;

import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.formats.hdf5.Hdf5Dataset;
import io.feedline.formats.lmdb.LmdbTensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The formats of arrays that {@link Throughput} reads, in addition to the registered formats of
 * encoded images. {@link PackTensors} and {@code peers/make_hdf5.py} make such files.
 */
enum TensorFormat {
  /** A directory with the file data.mdb, with tensors in LZ4 frames. */
  LMDB_TENSORS,

  /** A file with the arrays images and labels. */
  HDF5_ARRAYS;

  private static final String IMAGES = "images";

  /**
   * Opens a file or a directory of this format.
   *
   * @return the samples; the caller closes them
   * @throws IOException if there are no samples, or they cannot be listed
   */
  Source<?> open(Path data) throws IOException {
    return switch (this) {
      case LMDB_TENSORS -> source(LmdbTensors.of(data));
      case HDF5_ARRAYS ->
          source(Hdf5Dataset.builder(data).field("image", IMAGES).label("label", "labels").build());
    };
  }

  /**
   * Returns the format of arrays with a given name; empty if the name is that of a format of
   * encoded images. {@code hdf5} is a format of arrays if the file's images are arrays of numbers.
   *
   * @throws IOException if the file cannot be read
   */
  static Optional<TensorFormat> of(String name, Path data) throws IOException {
    for (TensorFormat format : values()) {
      if (format.toString().equals(name)) {
        return Optional.of(format);
      }
    }
    return name.equals("hdf5") && Files.isRegularFile(data) && hasNumbers(data)
        ? Optional.of(HDF5_ARRAYS)
        : Optional.empty();
  }

  private static boolean hasNumbers(Path file) throws IOException {
    try (Hdf5Dataset images = Hdf5Dataset.of(file, IMAGES)) {
      return images.size() >= 0;
    } catch (FormatException otherwise) {
      return false;
    }
  }

  private static <T> Source<T> source(Dataset<T> tensors) {
    return new Source<>(tensors, tensors);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
