package io.feedline.formats.remote.internal.s3;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.StringJoiner;

/** Conversions between keys of objects and URIs, which have keys in percent-encoded UTF-8. */
public final class KeyText {

  private static final String UNRESERVED = "-._~";
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private KeyText() {}

  /** Returns the URI of a key in the bucket, or on the host, of another URI. */
  public static URI uri(URI of, String key) {
    String kept =
        UNRESERVED + (of.getScheme().equals("hf") ? "/@" : "/"); // hf: an @ precedes a revision
    return URI.create(of.getScheme() + "://" + of.getRawAuthority() + "/" + encoded(key, kept));
  }

  public static String key(URI uri) {
    String path = uri.getPath();
    return path == null || path.isEmpty() ? "" : path.substring(1);
  }

  /** Encodes a key for the path of a URI, as AWS's signature requires; slashes stay slashes. */
  public static String encoded(String key) {
    return encoded(key, UNRESERVED + "/");
  }

  public static String encodedValue(String value) {
    return encoded(value, UNRESERVED);
  }

  /** Returns the encoded query of an address, with the question mark. */
  public static String query(SortedMap<String, String> values) {
    StringJoiner joined = new StringJoiner("&", "?", "");
    values.forEach((name, value) -> joined.add(name + "=" + encodedValue(value)));
    return joined.toString();
  }

  private static String encoded(String text, String kept) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xFF);
      if ((c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || kept.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    return encoded.toString();
  }

  /** Decodes a text of S3's listings, in which a plus sign is a space, as in forms of HTML. */
  static String formDecoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
