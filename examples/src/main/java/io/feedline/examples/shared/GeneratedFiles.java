package io.feedline.examples.shared;

import java.io.IOException;
import java.nio.file.Path;

/** Generated files; equal parameters give equal files. */
public interface GeneratedFiles {

  /** Returns the directory of the generated files. */
  Path directory();

  /**
   * Makes the files, unless they are there, with all processors.
   *
   * @param made run after each, by several threads at once
   * @return the directory
   */
  Path make(Runnable made) throws IOException;

  /** Makes the files, unless they are there, with all processors. */
  default Path make() throws IOException {
    return make(() -> {});
  }
}
