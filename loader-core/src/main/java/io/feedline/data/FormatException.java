package io.feedline.data;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The failure of data that do not follow their format: damaged, cut off, of another version, or of
 * an unsupported kind. For a store that fails, a {@link StoreException} or another {@link
 * IOException} is thrown instead. The message begins with the place as far as it is known: file,
 * record, offset.
 */
public final class FormatException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a place, for code that has only bytes; its caller adds the place
   * with {@link #at(String)}.
   *
   * @param problem what was found, and what was expected
   */
  public FormatException(String problem) {
    super(problem);
  }

  /** Creates an exception without a place, with a cause. */
  public FormatException(String problem, Throwable cause) {
    super(problem, cause);
  }

  /** Returns an exception about a file. */
  public static FormatException in(Path file, String problem) {
    return new FormatException(file + ": " + problem);
  }

  /** Returns an exception about a file, with a cause. */
  public static FormatException in(Path file, String problem, Throwable cause) {
    return new FormatException(file + ": " + problem, cause);
  }

  /**
   * Returns an exception about a record of a file.
   *
   * @param record the record's number in the file, from 0
   * @param offset the offset of the record's beginning in the file, in bytes
   */
  public static FormatException at(Path file, long record, long offset, String problem) {
    return new FormatException(
        "%s, record %d at offset %d: %s".formatted(file, record, offset, problem));
  }

  /**
   * Returns this exception with a place in front of its message, such as the text of {@link
   * Dataset#describe}.
   */
  public FormatException at(String place) {
    return new FormatException(place + ": " + getMessage(), this);
  }

  /**
   * Returns a failure with a place in front of its message: a {@link FormatException} if the data
   * are broken, a {@link StoreException} if the store of the data failed.
   */
  public static IOException at(String place, IOException failure) {
    String message = place + ": " + failure.getMessage();
    return StoreException.isBehind(failure)
        ? new StoreException(message, failure)
        : new FormatException(message, failure);
  }
}
