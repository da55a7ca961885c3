package io.feedline.formats.recordio;

import java.io.IOException;

/**
 * A RecordIO file, its index, or a record is not as it must be. The message says what was found and
 * expected and, from a dataset, in which file, at which key and position.
 */
public final class RecordIoException extends IOException {

  private static final long serialVersionUID = 1L;

  RecordIoException(String message) {
    super(message);
  }

  RecordIoException(String message, Throwable cause) {
    super(message, cause);
  }
}
