package io.feedline.formats.remote.internal.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * A request that is sent to a server once.
 *
 * @param method the method of HTTP, such as GET
 * @param address http or https, with a host; not printed, since its query may be secret
 * @param headers all headers but {@code Host} and the length of the body
 * @param body a buffer on the heap, empty if absent; not changed until the request is over
 */
public record Request(String method, URI address, Map<String, String> headers, ByteBuffer body) {

  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  public Request {
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException("an address must be http or https, was " + scheme);
    }
    if (address.getHost() == null) {
      throw new IllegalArgumentException(
          "'%s' is not a name of a host".formatted(address.getRawAuthority()));
    }
    headers.forEach(Request::requireOneLine);
  }

  private static void requireOneLine(String name, String value) {
    if (!value.chars().allMatch(each -> (each >= ' ' && each < 127) || each == '\t')) {
      throw new IllegalArgumentException(
          "the header %s has a character that HTTP does not allow".formatted(name));
    }
  }

  boolean isSecure() {
    return address.getScheme().equalsIgnoreCase("https");
  }

  int port() {
    if (address.getPort() != -1) {
      return address.getPort();
    }
    return isSecure() ? HTTPS : HTTP;
  }

  String host() {
    String host = address.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  boolean isRepeatable() {
    return !method.equals("POST");
  }

  boolean isHead() {
    return method.equals("HEAD");
  }

  /** Returns the bytes before the body; with {@code viaProxy} they have the whole address. */
  byte[] head(boolean viaProxy) {
    StringBuilder head = new StringBuilder(512).append(method).append(' ');
    if (viaProxy) {
      head.append("http://").append(authority(address));
    }
    String path = address.getRawPath();
    head.append(path.isEmpty() ? "/" : path);
    if (address.getRawQuery() != null) {
      head.append('?').append(address.getRawQuery());
    }
    head.append(" HTTP/1.1\r\nHost: ").append(authority(address)).append("\r\n");
    if (body.hasRemaining() || method.equals("PUT") || method.equals("POST")) {
      head.append("Content-Length: ").append(body.remaining()).append("\r\n");
    }
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
  }

  public static boolean isSameServer(URI one, URI other) {
    return one.getScheme().equalsIgnoreCase(other.getScheme())
        && authority(one).equalsIgnoreCase(authority(other));
  }

  /** Returns the host, and the port unless it is the default port, as in the header Host. */
  public static String authority(URI address) {
    int usual = address.getScheme().equalsIgnoreCase("https") ? HTTPS : HTTP;
    int port = address.getPort();
    return port == -1 || port == usual ? address.getHost() : address.getHost() + ":" + port;
  }
}
