package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A server of S3's API that serves the files of a directory as the objects of a bucket. Each answer
 * is delayed, as by a network. Signatures are not checked.
 *
 * <pre>
 * java -cp loader-bench/target/benchmarks.jar io.feedline.bench.ObjectServer --data DIR --latency 30
 * </pre>
 *
 * <p>It prints its endpoint, answers every line of standard input with a {@link Count}, and ends at
 * the end of its input. The bucket is {@value #BUCKET}.
 *
 * <p>Thread-safe. The caller closes it.
 */
@Command(
    name = "ObjectServer",
    sortOptions = false,
    header = "Gives the files of a directory as S3 does, with injected latency.")
public final class ObjectServer extends BenchCommand {

  static final String BUCKET = "bucket";

  private static final int PAGE_KEYS = 1000;
  private static final int STEP_BYTES = 1 << 16;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "The directory of the bucket's objects; must not change.")
  private Path data;

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "30",
      description = "How long a request waits for the first byte. Default: ${DEFAULT-VALUE}.")
  private int latency;

  @Option(
      names = "--tail",
      paramLabel = "MS",
      defaultValue = "300",
      description = "How long the slowest requests wait. Default: ${DEFAULT-VALUE}.")
  private int tail;

  @Option(
      names = "--tail-percent",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many of 100 requests these are. Default: ${DEFAULT-VALUE}.")
  private int tailPercent;

  @Option(
      names = "--bandwidth",
      paramLabel = "N",
      defaultValue = "100",
      description = "The MB/s of a connection. Default: ${DEFAULT-VALUE}.")
  private int bandwidth;

  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder brokenOff = new LongAdder();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final AtomicLong drawn = new AtomicLong();

  private NavigableMap<String, Stored> objects;

  /** A file, and an identifier of its content that is valid while the server runs. */
  private record Stored(Path file, long size, String version) {}

  /**
   * The counters of the server.
   *
   * @param requests the number of answered requests of all kinds
   * @param brokenOff the number of requests that the client has broken off
   * @param bytes the bytes of all bodies
   * @param mostUnderWay the largest number of requests at the same time since the last count
   * @param cpuNanos the CPU time of the server's process
   */
  record Count(long requests, long brokenOff, long bytes, int mostUnderWay, long cpuNanos) {
    String text() {
      return requests + " " + brokenOff + " " + bytes + " " + mostUnderWay + " " + cpuNanos;
    }

    static Count of(String text) {
      String[] numbers = text.split(" ", -1);
      return new Count(
          Long.parseLong(numbers[0]),
          Long.parseLong(numbers[1]),
          Long.parseLong(numbers[2]),
          Integer.parseInt(numbers[3]),
          Long.parseLong(numbers[4]));
    }
  }

  public static void main(String... args) {
    System.exit(new ObjectServer().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(0, "--latency", latency);
    requireAtLeast(0, "--tail", tail);
    requireAtLeast(0, "--tail-percent", tailPercent);
    requireAtLeast(1, "--bandwidth", bandwidth);
    objects = objects(data);
    // One thread for each connection, so that a delayed answer does not block other answers.
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try {
      server.createContext("/", this::handle);
      server.setExecutor(threads);
      server.start();
      print("http://127.0.0.1:" + Integer.toString(server.getAddress().getPort()));
      while (System.in.read() >= 0) {
        print(count().text());
      }
    } finally {
      server.stop(0);
      threads.shutdownNow();
    }
    return CommandLine.ExitCode.OK;
  }

  private Count count() {
    return new Count(
        requests.sum(),
        brokenOff.sum(),
        bytes.sum(),
        mostUnderWay.getAndSet(0),
        ProcessMeter.cpuNanos());
  }

  private static NavigableMap<String, Stored> objects(Path directory) throws IOException {
    NavigableMap<String, Stored> objects = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      List<Path> files = tree.filter(Files::isRegularFile).toList();
      for (Path file : files) {
        String key = directory.relativize(file).toString().replace('\\', '/');
        long size = Files.size(file);
        String content = key + size + Files.getLastModifiedTime(file).toMillis();
        objects.put(key, new Stored(file, size, '"' + Long.toHexString(hash(content)) + '"'));
      }
    }
    return objects;
  }

  /** Returns the 64-bit FNV-1a hash of a text in UTF-8. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
      try {
        long begun = System.nanoTime();
        awaitNanos(begun + 1_000_000L * (isSlow() ? tail : latency));
        answer(exchange);
      } finally {
        underWay.decrementAndGet();
        requests.increment();
      }
    } catch (IOException unwanted) {
      // The client has broken off, because a second request of it for the same range was faster.
      brokenOff.increment();
    }
  }

  /** Returns whether the next request is slow: the same in every run, and evenly distributed. */
  private boolean isSlow() {
    long number = drawn.getAndIncrement();
    return Long.remainderUnsigned(hash(Long.toString(number)), 100) < tailPercent;
  }

  private void awaitNanos(long end) {
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String start = "/" + BUCKET + "/";
    String key = path.startsWith(start) ? path.substring(start.length()) : "";
    if (key.isEmpty()) {
      list(exchange);
      return;
    }
    Stored stored = objects.get(key);
    if (stored == null) {
      refuse(exchange, 404, "NoSuchKey");
      return;
    }
    String expected = exchange.getRequestHeaders().getFirst("If-Match");
    if (expected != null && !expected.equals(stored.version)) {
      refuse(exchange, 412, "PreconditionFailed");
      return;
    }
    exchange.getResponseHeaders().add("ETag", stored.version);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("Content-Length", Long.toString(stored.size));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    send(exchange, stored);
  }

  private static void refuse(HttpExchange exchange, int status, String code) throws IOException {
    byte[] body = ("<Error><Code>" + code + "</Code></Error>").getBytes(UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  private void send(HttpExchange exchange, Stored stored) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    long first = 0;
    long last = stored.size - 1;
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      first = Long.parseLong(ends[0]);
      last = ends[1].isEmpty() ? last : Math.min(last, Long.parseLong(ends[1]));
      if (first > last) {
        refuse(exchange, 416, "InvalidRange");
        return;
      }
      exchange
          .getResponseHeaders()
          .add("Content-Range", "bytes %d-%d/%d".formatted(first, last, stored.size));
    }
    long length = last - first + 1;
    exchange.sendResponseHeaders(range == null ? 200 : 206, length == 0 ? -1 : length);
    byte[] step = new byte[(int) Math.min(STEP_BYTES, length)];
    long begun = System.nanoTime();
    try (FileChannel file = FileChannel.open(stored.file, StandardOpenOption.READ);
        OutputStream body = exchange.getResponseBody()) {
      for (long at = 0; at < length; ) {
        ByteBuffer part = ByteBuffer.wrap(step, 0, (int) Math.min(step.length, length - at));
        while (part.hasRemaining()) {
          if (file.read(part, first + at + part.position()) < 0) {
            throw new EOFException(stored.file + " has become shorter");
          }
        }
        at += part.position();
        awaitNanos(begun + at * 1000 / bandwidth);
        body.write(step, 0, part.position());
        bytes.add(part.position());
      }
    }
  }

  private void list(HttpExchange exchange) throws IOException {
    Map<String, String> query = new HashMap<>();
    for (String each : exchange.getRequestURI().getRawQuery().split("&", -1)) {
      int equals = each.indexOf('=');
      query.put(each.substring(0, equals), URLDecoder.decode(each.substring(equals + 1), UTF_8));
    }
    String prefix = query.getOrDefault("prefix", "");
    String after = query.getOrDefault("continuation-token", "");
    int most = Math.min(PAGE_KEYS, Integer.parseInt(query.getOrDefault("max-keys", "1000")));
    List<String> keys =
        objects.tailMap(after.isEmpty() ? prefix : after, after.isEmpty()).keySet().stream()
            .takeWhile(key -> key.startsWith(prefix))
            .limit(most + 1L)
            .toList();
    boolean truncated = keys.size() > most;
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
    xml.append("<IsTruncated>").append(truncated).append("</IsTruncated>");
    for (String key : keys.subList(0, Math.min(most, keys.size()))) {
      Stored stored = objects.get(key);
      xml.append("<Contents><Key>").append(encoded(key)).append("</Key><LastModified>");
      xml.append("2026-01-01T00:00:00.000Z</LastModified><ETag>");
      xml.append(stored.version.replace("\"", "&quot;")).append("</ETag><Size>");
      xml.append(stored.size).append("</Size></Contents>");
    }
    if (truncated) {
      xml.append("<NextContinuationToken>").append(encoded(keys.get(most - 1)));
      xml.append("</NextContinuationToken>");
    }
    xml.append("<EncodingType>url</EncodingType></ListBucketResult>");
    byte[] body = xml.toString().getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    bytes.add(body.length);
  }

  private static String encoded(String key) {
    return URLEncoder.encode(key, UTF_8).replace("%2F", "/");
  }

  /** A server in another process. The caller closes it, which ends the process. Not thread-safe. */
  static final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final URI endpoint;

    private Child(Process process) throws IOException {
      this.process = process;
      this.answers = process.inputReader(UTF_8);
      String line = answers.readLine();
      if (line == null) {
        process.destroy();
        throw new IOException("the server of objects has not begun; it has said why");
      }
      this.endpoint = URI.create(line);
    }

    /**
     * Starts a server with these options.
     *
     * @throws IOException if the server cannot be started
     */
    static Child start(List<String> options) throws IOException {
      List<String> command =
          Stream.concat(
                  Stream.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Xmx256m",
                      "-XX:+UseSerialGC",
                      // Without this property the kernel delays bodies by 40 ms.
                      "-Dsun.net.httpserver.nodelay=true",
                      "-cp",
                      System.getProperty("java.class.path"),
                      ObjectServer.class.getName()),
                  options.stream())
              .toList();
      return new Child(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    URI endpoint() {
      return endpoint;
    }

    /**
     * Asks the server for its counts.
     *
     * @throws IOException if the server has ended
     */
    Count count() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("the server of objects has ended; it has said why");
      }
      return Count.of(line);
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      answers.close();
      try {
        process.waitFor();
      } catch (InterruptedException interrupted) {
        process.destroy();
        Thread.currentThread().interrupt();
      }
    }
  }
}
