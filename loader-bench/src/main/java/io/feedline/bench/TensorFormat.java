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
 * Arrays that {@link Throughput} reads as they are, beside the formats of encoded images, which it
 * finds by itself. {@link PackTensors} and {@code peers/make_hdf5.py} make such files.
 */
enum TensorFormat {
  /** A directory with data.mdb in it, of tensors in LZ4 frames. */
  LMDB_TENSORS,

  /** A file with the arrays images and labels. */
  HDF5_ARRAYS;

  private static final String IMAGES = "images";

  /**
   * Opens a file or a directory.
   *
   * @return the samples; the caller closes them
   * @throws IOException if it has no samples, or they cannot be listed
   */
  Source<?> open(Path data) throws IOException {
    return switch (this) {
      case LMDB_TENSORS -> source(LmdbTensors.of(data));
      case HDF5_ARRAYS ->
          source(Hdf5Dataset.builder(data).field("image", IMAGES).label("label", "labels").build());
    };
  }

  /**
   * The format of arrays that a name of a format stands for, if it does. {@code hdf5} does where
   * the file's images are arrays of numbers, and otherwise stands for encoded images.
   *
   * @throws IOException if the file cannot be looked at
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

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
