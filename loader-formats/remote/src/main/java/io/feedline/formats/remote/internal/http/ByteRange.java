package io.feedline.formats.remote.internal.http;

import java.net.http.HttpHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A range of an object, which has {@code size} bytes; {@code validator} is empty if unknown. */
public record ByteRange(long first, long length, long size, String validator) {

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  public ByteRange from(int had) {
    return had == 0 ? this : new ByteRange(first + had, length - had, size, validator);
  }

  public long last() {
    return first + length - 1;
  }

  public String header() {
    return "bytes=" + first + "-" + last();
  }

  boolean isWhole() {
    return first == 0 && length == size;
  }

  /** Tests whether an answer contains another version of the object. */
  boolean isReplaced(int status, HttpHeaders headers) {
    String now = Validator.like(validator, headers);
    if (!validator.isEmpty() && !now.isEmpty()) {
      return !now.equals(validator);
    }
    Matcher range = CONTENT_RANGE.matcher(headers.firstValue("content-range").orElse(""));
    return status == 206 && range.matches() && !isOfSize(range);
  }

  private boolean isOfSize(Matcher range) {
    return range.group(3).equals("*") || Long.parseLong(range.group(3)) == size;
  }

  /** Returns the reason why an answer does not contain the range; empty if it does. */
  String mismatch(int status, HttpHeaders headers) {
    long bytes = length(headers, length);
    if (!headers.firstValue("content-encoding").orElse("identity").equalsIgnoreCase("identity")) {
      return "the server has encoded the body, though identity was asked for";
    }
    if (status == 200) {
      if (!isWhole()) {
        return "the server answers a request for a range with the whole object: it cannot read"
            + " ranges";
      }
    } else if (status == 206) {
      String given = headers.firstValue("content-range").orElse("");
      Matcher range = CONTENT_RANGE.matcher(given);
      if (!range.matches()) {
        return "the server does not say which range it sends";
      }
      if (Long.parseLong(range.group(1)) != first || Long.parseLong(range.group(2)) != last()) {
        return "the server sends bytes %s-%s".formatted(range.group(1), range.group(2));
      }
      if (!isOfSize(range)) {
        return "the object has %s bytes now, and not %d".formatted(range.group(3), size);
      }
    } else {
      return "status %d is not an answer to a request for a range".formatted(status);
    }
    if (Validator.isStrong(validator) && Validator.like(validator, headers).isEmpty()) {
      return "the server does not say which version of the object it sends";
    }
    return bytes == length ? "" : "the server announces %d bytes".formatted(bytes);
  }

  static long length(HttpHeaders headers, long otherwise) {
    String length = headers.firstValue("content-length").orElse("");
    return LENGTH.matcher(length).matches() ? Long.parseLong(length) : otherwise;
  }
}
