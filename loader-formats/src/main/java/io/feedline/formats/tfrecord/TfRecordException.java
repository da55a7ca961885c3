package io.feedline.formats.tfrecord;

import java.io.IOException;

/**
 * A TFRecord file, a record or the {@code tf.train.Example} in it is not as it must be. The message
 * says what was found and expected, and, from a dataset or reader, in which file, record and
 * offset.
 */
public final class TfRecordException extends IOException {

  private static final long serialVersionUID = 1L;

  TfRecordException(String message) {
    super(message);
  }

  TfRecordException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Of a record, which is counted from 0. */
  static TfRecordException of(Object file, long record, long offset, String problem) {
    return new TfRecordException(where(file, record, offset) + ": " + problem);
  }

  /** A place, as errors and descriptions name it. */
  static String where(Object file, long record, long offset) {
    return "%s, record %d at offset %d".formatted(file, record, offset);
  }
}
