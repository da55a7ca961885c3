package io.feedline.formats.remote.internal.http;

import java.net.http.HttpHeaders;

/**
 * The mark of an object's content (RFC 9110, 8.8): a strong ETag; from a server without one, a weak
 * one or the time of the last change. Never a part of a message: a server may repeat in it what it
 * was sent.
 */
public final class Validator {

  private Validator() {}

  /** Returns the best one that an answer has; empty if absent. */
  public static String of(HttpHeaders headers) {
    String etag = headers.firstValue("etag").orElse("");
    String strong = strong(etag);
    if (!strong.isEmpty()) {
      return strong;
    }
    return etag.isEmpty() ? headers.firstValue("last-modified").orElse("") : etag;
  }

  /** Returns the one that an answer has of the same kind as another one; empty if absent. */
  static String like(String other, HttpHeaders headers) {
    if (isStrong(other)) {
      return strong(headers.firstValue("etag").orElse(""));
    }
    return headers.firstValue(other.startsWith("W/") ? "etag" : "last-modified").orElse("");
  }

  public static boolean isStrong(String validator) {
    return validator.startsWith("\"");
  }

  /** Returns an ETag that identifies the content; empty if it is a weak one, or none. */
  public static String strong(String etag) {
    if (etag.isEmpty() || etag.startsWith("W/") || !etag.chars().allMatch(c -> c > 31 && c < 127)) {
      return "";
    }
    return etag.startsWith("\"") ? etag : '"' + etag + '"';
  }
}
