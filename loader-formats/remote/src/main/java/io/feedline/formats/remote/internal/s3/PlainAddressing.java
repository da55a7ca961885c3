package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The addressing of files of an HTTP server, by their URIs. Follows redirects. */
public class PlainAddressing implements Addressing {

  @Override
  public boolean lists() {
    return false;
  }

  @Override
  public URI object(URI uri) {
    return uri;
  }

  @Override
  public Question page(URI prefix, String token, int most) throws IOException {
    throw new IOException(
        prefix
            + ": HTTP has no listings, so this cannot be gone through as a directory. Name the"
            + " files (train-{000..007}.tar), take a format with an index (mds), or s3://");
  }

  @Override
  public Request request(String method, URI address, Map<String, String> headers, ByteBuffer body) {
    return new Request(method, address, common(headers), body);
  }

  public static Map<String, String> common(Map<String, String> headers) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("User-Agent", "feedline");
    all.put("Accept-Encoding", "identity");
    all.putAll(headers);
    return all;
  }

  @Override
  public URI redirected(URI from, Reply reply) {
    return reply.isRedirect() ? location(from, reply) : null;
  }

  /** Returns the address of a redirect; null if absent or unsafe, such as https to http. */
  public static @Nullable URI location(URI from, Reply reply) {
    String location = reply.header("location");
    if (location.isEmpty()) {
      return null;
    }
    try {
      URI to = from.resolve(location);
      String scheme = String.valueOf(to.getScheme()).toLowerCase(Locale.ROOT);
      boolean safe = scheme.equals("https") || (scheme.equals("http") && !isHttps(from));
      return safe && to.getHost() != null && to.getUserInfo() == null ? to : null;
    } catch (IllegalArgumentException noUri) {
      return null; // not printed, since it may hold a signature
    }
  }

  private static boolean isHttps(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  @Override
  public String advice(Reply reply) {
    return switch (reply.status()) {
      case 400 -> "Servers that expect https:// answer so to http://";
      case 401, 403 -> "It is read without credentials";
      case 405, 501 -> "It must answer HEAD and GET with ranges";
      default -> reply.isRedirect() ? "This redirect is not followed" : "It cannot be read";
    };
  }
}
