package io.feedline.formats.image;

import java.io.IOException;

/**
 * The bytes are not an image that can be decoded: truncated, corrupt, of an unknown or unsupported
 * format, or larger than is allowed. The message says what was found, where, and what was expected;
 * a loader adds the path and the index.
 */
public final class ImageFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  ImageFormatException(String message) {
    super(message);
  }

  ImageFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
