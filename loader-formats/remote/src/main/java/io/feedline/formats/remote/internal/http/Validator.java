package io.feedline.formats.remote.internal.http;

import java.net.http.HttpHeaders;

/**
 * Validators, which change with an object's content (RFC 9110, section 8.8): a strong ETag, or else
 * a weak ETag or a time of change. Messages never contain a validator.
 */
public final class Validator {

  private Validator() {}

  public static String of(HttpHeaders headers) {
    String etag = headers.firstValue("etag").orElse("");
    String strong = strong(etag);
    if (!strong.isEmpty()) {
      return strong;
    }
    return etag.isEmpty() ? headers.firstValue("last-modified").orElse("") : etag;
  }

  /** Returns an answer's validator of the same kind as {@code other}; empty if absent. */
  static String like(String other, HttpHeaders headers) {
    if (isStrong(other)) {
      return strong(headers.firstValue("etag").orElse(""));
    }
    return headers.firstValue(other.startsWith("W/") ? "etag" : "last-modified").orElse("");
  }

  public static boolean isStrong(String validator) {
    return validator.startsWith("\"");
  }

  /** Returns an ETag, in quotes, if it is strong; empty if it is weak or absent. */
  public static String strong(String etag) {
    if (etag.isEmpty() || etag.startsWith("W/") || !etag.chars().allMatch(c -> c > 31 && c < 127)) {
      return "";
    }
    return etag.startsWith("\"") ? etag : '"' + etag + '"';
  }
}
