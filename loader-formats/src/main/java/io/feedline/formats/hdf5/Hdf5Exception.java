package io.feedline.formats.hdf5;

import java.io.IOException;

/**
 * An HDF5 file is damaged, or not as a dataset needs it: an object is missing, has another type or
 * shape, or is stored in a way that is not supported. The message says what was found and expected,
 * and in which file and object.
 */
public final class Hdf5Exception extends IOException {

  private static final long serialVersionUID = 1L;

  Hdf5Exception(String message) {
    super(message);
  }

  Hdf5Exception(String message, Throwable cause) {
    super(message, cause);
  }
}
