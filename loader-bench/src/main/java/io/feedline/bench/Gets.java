package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the processor time of a GET of 28 KB from each kind of store. The stores take turns. A
 * server in another process answers all of them at once from memory, and checks no signature.
 *
 * <pre>
 * java -cp loader-bench/target/benchmarks.jar io.feedline.bench.Gets [ROUNDS]
 * </pre>
 *
 * <p>Prints the median, lowest and highest microseconds of this process for a GET, and the number
 * of requests that the server counted for each GET.
 */
public final class Gets {
  private static final int BYTES = 28_000;
  private static final int GETS = 3_000;
  private static final int SIZE = 64 << 20;
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  private Gets() {}

  /** Measures; with the argument {@code serve} this process is the server. */
  public static void main(String[] args) throws Exception {
    if (args.length == 1 && args[0].equals("serve")) {
      serve();
      return;
    }
    int rounds = args.length == 0 ? 7 : Integer.parseInt(args[0]);
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                Gets.class.getName(),
                "serve")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      String endpoint = said.readLine();
      Map<String, List<Double>> micros = new LinkedHashMap<>();
      Map<String, Double> requests = new LinkedHashMap<>();
      for (int round = 0; round <= rounds; round++) {
        for (String store : List.of("s3", "gs", "az", "hf")) {
          long before = count(server, said);
          double each = measure(store, endpoint);
          requests.put(store, (count(server, said) - before) / (double) GETS);
          if (round > 0) {
            micros.computeIfAbsent(store, key -> new ArrayList<>()).add(each);
          }
        }
      }
      System.out.println("| store | us of processor time | requests |\n|---|---|---|");
      micros.forEach(
          (store, all) -> {
            double[] sorted = all.stream().mapToDouble(each -> each).sorted().toArray();
            System.out.printf(
                Locale.ROOT,
                "| %s | %.0f (%.0f to %.0f) | %.3f |%n",
                store,
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1],
                requests.get(store));
          });
    } finally {
      server.destroy();
    }
  }

  private static long count(Process server, BufferedReader said) throws IOException {
    server.outputWriter(UTF_8).append("count\n").flush();
    return Long.parseLong(said.readLine());
  }

  private static double measure(String store, String endpoint) throws IOException {
    try (FileSystem files = open(store, endpoint);
        SeekableByteChannel channel =
            Files.newByteChannel(
                files.getPath(store.equals("hf") ? "o/n/large.bin" : "/large.bin"))) {
      SplittableRandom random = new SplittableRandom(1);
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      long start = ProcessMeter.cpuNanos();
      for (int i = 0; i < GETS; i++) {
        buffer.clear();
        long at = random.nextLong(SIZE - BYTES);
        while (buffer.hasRemaining()) {
          if (channel.position(at + buffer.position()).read(buffer) < 0) {
            throw new IOException("the object ends at " + (at + buffer.position()));
          }
        }
      }
      return (ProcessMeter.cpuNanos() - start) / 1e3 / GETS;
    }
  }

  private static FileSystem open(String store, String endpoint) throws IOException {
    String key = Base64.getEncoder().encodeToString("no secret".getBytes(UTF_8));
    Map<String, Object> options = new LinkedHashMap<>(Map.of("endpoint", endpoint));
    switch (store) {
      case "s3" -> options.put("credentials", S3Credentials.of("AKIANOSECRET", "no-secret"));
      case "az" -> {
        options.put("account", "account");
        options.put("account-key", key);
      }
      default -> options.put("token", "no-secret");
    }
    return FileSystems.newFileSystem(
        URI.create(store.equals("hf") ? "hf://datasets/" : store + "://bucket"), options);
  }

  // ---- the server -----------------------------------------------------------------------------

  private static void serve() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    AtomicLong requests = new AtomicLong();
    byte[] content = new byte[SIZE];
    Arrays.fill(content, (byte) 7);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          answer(exchange, content);
        });
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("http://127.0.0.1:" + Integer.toString(server.getAddress().getPort()));
    BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    while (asked.readLine() != null) {
      System.out.println(requests.get());
    }
    server.stop(0);
    System.exit(0);
  }

  private static void answer(HttpExchange exchange, byte[] content) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      var headers = exchange.getResponseHeaders();
      if (path.contains("/revision/")) {
        json(exchange, "{\"sha\": \"" + COMMIT + "\"}");
        return;
      }
      if (path.contains("/paths-info/")) {
        json(
            exchange,
            "[{\"type\": \"file\", \"oid\": \"a\", \"size\": "
                + content.length
                + ", \"path\": \"large.bin\"}]");
        return;
      }
      headers.add("ETag", "\"v1\"");
      headers.add("x-goog-generation", "1");
      headers.add("X-Repo-Commit", COMMIT);
      headers.add("Last-Modified", "Fri, 31 Dec 1999 23:59:59 GMT");
      String range = exchange.getRequestHeaders().getFirst("Range");
      if (range == null) {
        range = exchange.getRequestHeaders().getFirst("x-ms-range");
      }
      if (range == null) {
        headers.add("Content-Length", Integer.toString(content.length));
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      String[] ends = range.substring("bytes=".length()).split("-", 2);
      int from = Integer.parseInt(ends[0]);
      int length = Math.min(content.length - 1, Integer.parseInt(ends[1])) - from + 1;
      headers.add(
          "Content-Range", "bytes %d-%d/%d".formatted(from, from + length - 1, content.length));
      exchange.sendResponseHeaders(206, length);
      exchange.getResponseBody().write(content, from, length);
    }
  }

  private static void json(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
