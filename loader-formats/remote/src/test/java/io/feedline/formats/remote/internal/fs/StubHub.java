package io.feedline.formats.remote.internal.fs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A dataset repository that answers as the Hugging Face hub's documentation has it: {@code
 * revision}, {@code paths-info}, {@code tree} by pages with a {@code Link}, {@code resolve} with a
 * redirection to another host for large files. The other host refuses what has a token.
 */
public final class StubHub implements AutoCloseable {

  static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  public static final String TOKEN = "hf_MARKERMARKERmarker";

  /** From here on a file lies on the other host. */
  private static final int LARGE = 1000;

  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<String, List<Map<String, Object>>> entries = new ConcurrentHashMap<>();
  private final AtomicInteger signature = new AtomicInteger();
  private volatile String error = "";
  private volatile int errorStatus;

  private final LocalServer hub = new LocalServer(this::answer);
  private final LocalServer content = new LocalServer(this::answerContent);

  public URI endpoint() {
    return hub.endpoint();
  }

  ObjectFileSystem open(Map<String, ?> options) {
    return open(StubStore.quick(), options);
  }

  ObjectFileSystem open(RequestPolicy policy, Map<String, ?> options) {
    return new ObjectFileSystemBuilder(URI.create("hf://datasets/"))
        .policy(policy)
        .environment(Map.of("HF_TOKEN_PATH", "/dev/null/none"))
        .options(Map.of("endpoint", endpoint()))
        .options(options)
        .build();
  }

  /** Puts a file into the repository owner/name. */
  public StubHub put(String path, byte[] bytes) {
    files.put(path, bytes);
    entries.clear();
    return this;
  }

  /** Has the signatures of all addresses of content expire that were given so far. */
  void expire() {
    signature.incrementAndGet();
  }

  /** Answers all with an error of the hub, which it names in a header. */
  StubHub refuse(int status, String code) {
    errorStatus = status;
    error = code;
    return this;
  }

  /**
   * Sets what is done to the requests of both hosts from now on, which are counted from 0 again.
   */
  StubHub fault(StubStore.Fault other) {
    AtomicInteger number = new AtomicInteger();
    StubStore.Fault both = (exchange, each) -> other.answer(exchange, number.getAndIncrement());
    hub.fault(both);
    content.fault(both);
    return this;
  }

  /** The requests: host, method, path, and whether a token was sent. */
  List<String> requests() {
    return Stream.concat(
            hub.requests().stream().map(each -> "hub " + words(each)),
            content.requests().stream().map(each -> "content " + words(each)))
        .toList();
  }

  private static String words(StubStore.Request request) {
    return "%s %s %s".formatted(request.method(), request.path(), request.header("authorization"));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String api = "/api/datasets/owner/name/";
      String resolve = "/datasets/owner/name/resolve/" + COMMIT + "/";
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (!error.isEmpty()) {
        exchange.getResponseHeaders().add("X-Error-Code", error);
        StubStore.send(exchange, errorStatus, "{\"error\":\"" + TOKEN + "\"}");
      } else if (path.equals(api + "revision/main")
          || path.equals(api + "revision/feature/foo")
          || path.equals(api + "revision/refs/convert/parquet")) {
        StubStore.send(exchange, 200, Json.write(Map.of("sha", COMMIT, "private", false)));
      } else if (path.equals(api + "paths-info/" + COMMIT)) {
        List<?> asked = (List<?>) Json.read(new String(body, UTF_8)).get("paths");
        StubStore.send(
            exchange,
            200,
            Json.write(entries("").stream().filter(e -> asked.contains(e.get("path"))).toList()));
      } else if (path.startsWith(api + "tree/" + COMMIT)) {
        tree(exchange, path.substring((api + "tree/" + COMMIT).length()).replaceFirst("^/", ""));
      } else if (path.startsWith(resolve) && files.containsKey(path.substring(resolve.length()))) {
        String name = path.substring(resolve.length());
        byte[] bytes = files.get(name);
        if (bytes.length >= LARGE) {
          String to =
              "%s/%s?X-Amz-Signature=MARKERsignature%d"
                  .formatted(content.endpoint(), name, signature.get());
          StubStore.send(exchange, 302, "", "Location", to, "X-Repo-Commit", COMMIT);
        } else {
          range(exchange, bytes);
        }
      } else {
        exchange.getResponseHeaders().add("X-Error-Code", "EntryNotFound");
        StubStore.send(exchange, 404, "{}");
      }
    }
  }

  /** The entries below a directory, kept until another file is put. */
  private List<Map<String, Object>> entries(String directory) {
    return entries.computeIfAbsent(directory, this::entriesBelow);
  }

  private List<Map<String, Object>> entriesBelow(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    TreeSet<String> directories = new TreeSet<>();
    List<Map<String, Object>> entries = new ArrayList<>();
    files.forEach(
        (path, bytes) -> {
          if (path.startsWith(prefix)) {
            for (int at = path.indexOf('/', prefix.length());
                at > 0;
                at = path.indexOf('/', at + 1)) {
              directories.add(path.substring(0, at));
            }
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("type", "file");
            entry.put("oid", HexFormat.of().toHexDigits(path.hashCode()));
            entry.put("size", bytes.length);
            entry.put("path", path);
            if (bytes.length >= LARGE) {
              entry.put(
                  "lfs",
                  Map.of("oid", "sha" + path.hashCode(), "size", bytes.length, "pointerSize", 130));
            }
            entries.add(entry);
          }
        });
    List<Map<String, Object>> all = new ArrayList<>();
    directories.forEach(
        each -> all.add(Map.of("type", "directory", "oid", "d", "size", 0, "path", each)));
    Collections.reverse(all);
    all.addAll(entries);
    return all;
  }

  private void tree(HttpExchange exchange, String directory) throws IOException {
    Map<String, String> query = StubStore.query(exchange.getRequestURI().getRawQuery());
    List<Map<String, Object>> all = entries(directory);
    if (all.isEmpty()) {
      exchange.getResponseHeaders().add("X-Error-Code", "EntryNotFound");
      StubStore.send(exchange, 404, "{}");
      return;
    }
    int from = Integer.parseInt(query.getOrDefault("cursor", "0"));
    int to = Math.min(all.size(), from + Integer.parseInt(query.get("limit")));
    if (to < all.size()) {
      exchange
          .getResponseHeaders()
          .add(
              "Link",
              "<%s%s?recursive=true&limit=1000&cursor=%d>; rel=\"next\""
                  .formatted(endpoint(), exchange.getRequestURI().getPath(), to));
    }
    StubStore.send(exchange, 200, Json.write(all.subList(from, to)));
  }

  private void answerContent(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean old = !exchange.getRequestURI().getQuery().endsWith("signature" + signature.get());
      if (exchange.getRequestHeaders().containsKey("Authorization") || old) {
        StubStore.send(exchange, old ? 403 : 400, "");
        return;
      }
      range(exchange, files.get(exchange.getRequestURI().getPath().substring(1)));
    }
  }

  /** Answers with the range that is asked for, and an ETag that is not the hub's. */
  private static void range(HttpExchange exchange, byte[] bytes) throws IOException {
    exchange.getResponseHeaders().add("ETag", "\"another\"");
    exchange.getResponseHeaders().add("Last-Modified", "Fri, 31 Dec 1999 23:59:59 GMT");
    StubStore.ranged(exchange, bytes, exchange.getRequestHeaders().getFirst("Range"));
  }

  @Override
  public void close() {
    hub.close();
    content.close();
  }
}
