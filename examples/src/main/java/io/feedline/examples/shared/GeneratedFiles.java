package io.feedline.examples.shared;

import java.io.IOException;
import java.nio.file.Path;

/** Generated files. Equal parameters make equal files. */
public interface GeneratedFiles {

  /** Returns the directory of the generated files. */
  Path directory();

  /**
   * Makes the files with all processors, unless they exist.
   *
   * @param made called after each file, by several threads at once
   * @return the directory
   */
  Path make(Runnable made) throws IOException;

  /** Makes the files with all processors, unless they exist. */
  default Path make() throws IOException {
    return make(() -> {});
  }
}
