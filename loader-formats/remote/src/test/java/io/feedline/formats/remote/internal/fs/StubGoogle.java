package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket that answers as the documentation of Google Cloud Storage's XML API has it: generations
 * and their conditions, listings of version 2, resumable uploads in multiples of 256 KiB. It wants
 * a token.
 */
public final class StubGoogle implements AutoCloseable {

  public static final String TOKEN = "ya29.MARKERMARKERmarker";

  private static final int UNIT = 1 << 18;
  private static final Pattern RANGE = Pattern.compile("bytes ([0-9]+)-([0-9]+)/([0-9]+|\\*)");

  private record Stored(byte[] bytes, long generation) {}

  private static final class Session {
    private final String key;
    private final String condition;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Stored made;

    Session(String key, String condition) {
      this.key = key;
      this.condition = condition;
    }
  }

  private final AtomicLong generations = new AtomicLong(1_700_000_000_000_000L);
  private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private volatile String token = TOKEN;

  private final LocalServer server = new LocalServer(this::handle);

  public URI endpoint() {
    return server.endpoint();
  }

  void token(String other) {
    token = other;
  }

  void fault(StubStore.Fault other) {
    server.fault(other);
  }

  int sessions() {
    return sessions.size();
  }

  synchronized Stored put(String key, byte[] bytes) {
    Stored stored = new Stored(bytes, generations.incrementAndGet());
    objects.put(key, stored);
    return stored;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (!("Bearer " + token).equals(authorization)) {
      StubStore.refuse(exchange, 401, "AuthenticationRequired");
    } else if (path.startsWith("/upload/")) {
      upload(exchange, path, body);
    } else if (path.equals("/bucket")) {
      Map<String, String> query = StubStore.query(exchange.getRequestURI().getRawQuery());
      StubStore.send(exchange, 200, StubStore.page(objects.keySet(), 1000, query, this::entry));
    } else {
      object(exchange, path.substring("/bucket/".length()), body);
    }
  }

  private String entry(String key) {
    Stored stored = objects.get(key);
    return StubStore.entry(key, stored.bytes.length, "\"x\"")
        .replace(
            "<LastModified>",
            "<Generation>%d</Generation><LastModified>".formatted(stored.generation));
  }

  /** Tests a condition; an object that does not exist has the generation 0. */
  private boolean holds(String condition, String key) {
    Stored stored = objects.get(key);
    return condition == null
        || condition.equals(stored == null ? "0" : Long.toString(stored.generation));
  }

  private synchronized void object(HttpExchange exchange, String key, byte[] body)
      throws IOException {
    String condition = exchange.getRequestHeaders().getFirst("x-goog-if-generation-match");
    String method = exchange.getRequestMethod();
    boolean starts = method.equals("POST");
    Stored stored = objects.get(key);
    if (starts) {
      String session = "/upload/" + generations.incrementAndGet();
      sessions.put(session, new Session(key, condition));
      StubStore.send(
          exchange, 201, "", "Location", endpoint() + session + "?upload_id=MARKERupload");
    } else if (!holds(condition, key)) {
      StubStore.refuse(exchange, 412, "PreconditionFailed");
    } else if (method.equals("PUT")) {
      long generation = put(key, body).generation;
      StubStore.send(exchange, 200, "", "x-goog-generation", Long.toString(generation));
    } else if (stored == null) {
      StubStore.refuse(exchange, 404, "NoSuchKey");
    } else if (method.equals("DELETE")) {
      objects.remove(key);
      StubStore.send(exchange, 204, "");
    } else {
      get(exchange, stored);
    }
  }

  private static void get(HttpExchange exchange, Stored stored) throws IOException {
    exchange.getResponseHeaders().add("x-goog-generation", Long.toString(stored.generation));
    exchange.getResponseHeaders().add("ETag", "\"x\"");
    exchange.getResponseHeaders().add("Last-Modified", "Fri, 31 Dec 1999 23:59:59 GMT");
    StubStore.ranged(exchange, stored.bytes, exchange.getRequestHeaders().getFirst("Range"));
  }

  private synchronized void upload(HttpExchange exchange, String path, byte[] body)
      throws IOException {
    Session session = sessions.get(path);
    if (session == null) {
      StubStore.refuse(exchange, 404, "NoSuchUpload");
      return;
    }
    if (exchange.getRequestMethod().equals("DELETE")) {
      sessions.remove(path);
      StubStore.send(exchange, 499, "");
      return;
    }
    String header = exchange.getRequestHeaders().getFirst("Content-Range");
    Matcher range = RANGE.matcher(header);
    int has = session.bytes.size();
    if (range.matches()) {
      int from = Integer.parseInt(range.group(1));
      boolean last = !range.group(3).equals("*");
      if (from > has || (!last && body.length % UNIT != 0)) {
        StubStore.refuse(exchange, 400, "InvalidArgument");
        return;
      }
      session.bytes.writeBytes(
          Arrays.copyOfRange(body, Math.min(body.length, has - from), body.length));
    }
    String total = header.substring(header.lastIndexOf('/') + 1);
    if (session.made == null && total.equals(Integer.toString(session.bytes.size()))) {
      if (!holds(session.condition, session.key)) {
        StubStore.refuse(exchange, 412, "PreconditionFailed");
        return;
      }
      session.made = put(session.key, session.bytes.toByteArray());
    }
    if (session.made != null) {
      StubStore.send(
          exchange, 200, "", "x-goog-generation", Long.toString(session.made.generation));
    } else {
      StubStore.send(exchange, 308, "", "Range", "bytes=0-" + (session.bytes.size() - 1));
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
