package io.feedline.formats.hdf5;

import java.io.IOException;
import java.nio.file.Path;

/** Whether jHDF is there, which is an optional dependency. */
final class Hdf5Library {

  private Hdf5Library() {}

  /**
   * Opens a file.
   *
   * @throws IllegalStateException if jHDF is absent, naming what to add
   */
  static JhdfFile open(Path path, long cacheBytes) throws IOException {
    if (cacheBytes < 0) {
      throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
    }
    try {
      return JhdfFile.open(path, cacheBytes);
    } catch (NoClassDefFoundError absent) {
      throw new IllegalStateException(
          "%s cannot be opened: HDF5 is read by jHDF, which is not on the class path. Add io.jhdf:jhdf:0.13.0"
              .formatted(path),
          absent);
    }
  }
}
