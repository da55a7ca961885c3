package io.feedline.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The failure of data that do not follow their format: damaged, cut off, of another version, or of
 * an unsupported kind. For a store that fails, a {@link StoreException} or another {@link
 * IOException} is thrown instead. The message begins with the place as far as it is known: file,
 * record, offset.
 */
public final class FormatException extends IOException {

  private static final long serialVersionUID = 1;

  /** The file as text, since a {@link Path} is not serializable; null if the file is unknown. */
  private final String path;

  private final long record;
  private final long offset;

  private FormatException(String message, Throwable cause, String path, long record, long offset) {
    super(message, cause);
    this.path = path;
    this.record = record;
    this.offset = offset;
  }

  /**
   * Creates an exception without a place, for code that has only bytes; that code's caller adds the
   * place with {@link #at(String)}.
   *
   * @param problem what was found, and what was expected
   */
  public FormatException(String problem) {
    this(problem, null, null, -1, -1);
  }

  /** Creates an exception without a place, with a cause. */
  public FormatException(String problem, Throwable cause) {
    this(problem, cause, null, -1, -1);
  }

  /** Returns an exception whose message begins with a file. */
  public static FormatException in(Path file, String problem) {
    return new FormatException(file + ": " + problem, null, file.toString(), -1, -1);
  }

  /** Returns an exception whose message begins with a file, with a cause. */
  public static FormatException in(Path file, String problem, Throwable cause) {
    return new FormatException(file + ": " + problem, cause, file.toString(), -1, -1);
  }

  /**
   * Returns an exception whose message begins with a file, a record and an offset.
   *
   * @param record the record's number in the file, from 0
   * @param offset the offset of the record's beginning in the file, in bytes
   */
  public static FormatException at(Path file, long record, long offset, String problem) {
    return new FormatException(
        "%s, record %d at offset %d: %s".formatted(file, record, offset, problem),
        null,
        file.toString(),
        record,
        offset);
  }

  /** Returns this exception with a place, such as {@link Dataset#describe}, before its message. */
  public FormatException at(String place) {
    return new FormatException(place + ": " + getMessage(), this, path, record, offset);
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

  /** Returns the file, if it is known. */
  public Optional<String> path() {
    return Optional.ofNullable(path);
  }

  /** Returns the number of the record in the file, from 0, if it is known. */
  public OptionalLong record() {
    return record < 0 ? OptionalLong.empty() : OptionalLong.of(record);
  }

  /** Returns the offset of the record in the file in bytes, if it is known. */
  public OptionalLong offset() {
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }
}
