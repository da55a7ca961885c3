package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A bucket in memory that answers as S3 does, and on demand as it should not: a fault takes a
 * request's place. Fakes nothing of signatures; {@link #requests} has what was sent.
 */
public final class StubStore implements AutoCloseable {

  public static final String BUCKET = "bucket";

  /** An answer in the place of the right one. */
  interface Fault {
    /**
     * Answers, or returns false to have the request answered as usual.
     *
     * @param number of the request, from 0, of all
     */
    boolean answer(HttpExchange exchange, int number) throws IOException;
  }

  /** A request as it came; the headers' names are in small letters. */
  record Request(String method, URI uri, Map<String, List<String>> headers) {
    String path() {
      return uri.getPath();
    }

    String header(String name) {
      return headers.getOrDefault(name, List.of("")).get(0);
    }
  }

  interface Putting {
    void put(String key, byte[] bytes) throws IOException;
  }

  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicInteger uploadNumber = new AtomicInteger();
  private final AtomicInteger versionNumber = new AtomicInteger();
  private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<String, String> versions = new ConcurrentSkipListMap<>();
  private final Map<String, Upload> uploads = new ConcurrentHashMap<>();

  private record Upload(String key, Map<Integer, byte[]> parts) {}

  private final ConcurrentLinkedDeque<String> journals = new ConcurrentLinkedDeque<>();
  private volatile int pageSize = 1000;
  private volatile int partBytes = PartUpload.PART_BYTES;
  private volatile boolean withoutRanges;
  private volatile boolean withoutConditions;
  private volatile boolean ignoringIfMatch;

  private final LocalServer server = new LocalServer(this::answer);

  public URI endpoint() {
    return server.endpoint();
  }

  /** A file system of the bucket without credentials, with little patience. */
  public ObjectFileSystem open() {
    return open(quick());
  }

  ObjectFileSystem open(RequestPolicy policy) {
    return builder(Map.of("anonymous", true)).policy(policy).build();
  }

  /** A builder for a file system of the bucket, with little patience. */
  ObjectFileSystemBuilder builder(Map<String, ?> options) {
    return builder(BUCKET, endpoint()).policy(quick()).partBytes(partBytes).options(options);
  }

  /** A builder for a file system of a bucket, which the environment has no part in. */
  static ObjectFileSystemBuilder builder(String bucket, URI endpoint) {
    return new ObjectFileSystemBuilder(URI.create("s3://" + bucket + "/"))
        .environment(Map.of())
        .options(Map.of("endpoint", endpoint));
  }

  /** Returns the same objects, read through a reader that closing the result closes. */
  public static ObjectFileSystem through(ObjectFileSystem files, ObjectReader reader) {
    return new ObjectFileSystem(
        ObjectFileSystemProvider.S3.INSTANCE,
        files.root(),
        files.objects(),
        reader,
        files.partBytes(),
        System::nanoTime,
        () -> {
          try {
            reader.close();
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
  }

  /** Tiny pauses, deadlines that no working request meets. */
  static RequestPolicy quick() {
    Duration patience = Duration.ofSeconds(20);
    return policy(4, patience, patience, 1 << 20, Duration.ofMillis(5), patience, 0.05);
  }

  static RequestPolicy policy(
      int attempts,
      Duration firstByte,
      Duration body,
      long bytesPerSecond,
      Duration longestAsked,
      Duration hedgeAfter,
      double hedges) {
    return new RequestPolicy(
        16,
        attempts,
        firstByte,
        body,
        bytesPerSecond,
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        longestAsked,
        hedgeAfter,
        hedges);
  }

  /** An image of about this many bytes, of which the last is the number. */
  static EncodedImage image(int number, int bytes, int label) {
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    // Behind its end marker a JPEG may have anything.
    byte[] longer = Arrays.copyOf(jpeg, Math.max(jpeg.length + 1, bytes));
    longer[longer.length - 1] = (byte) number;
    return new EncodedImage("%04d".formatted(number), longer, label, "jpg");
  }

  /** Writes the images that are not written yet into a store, commits it, and returns its path. */
  static Path write(
      String format, Path target, Packing packing, int images, IntFunction<EncodedImage> image)
      throws IOException {
    try (StoreWriter<EncodedImage> writer = StoreFormat.named(format).create(target, packing)) {
      for (int i = (int) writer.written(); i < images; i++) {
        writer.write(image.apply(i));
      }
      writer.commit();
    }
    return target;
  }

  public StubStore put(String key, byte[] bytes) {
    if (key.endsWith(ObjectOutput.UNFINISHED)) {
      journals.add(new String(bytes, StandardCharsets.UTF_8));
    }
    versions.put(key, "\"v" + versionNumber.incrementAndGet() + "\"");
    objects.put(key, bytes.clone());
    return this;
  }

  void remove(String key) {
    objects.remove(key);
  }

  public StubStore putAll(Path directory, String prefix) throws IOException {
    putAll(directory, prefix, this::put);
    return this;
  }

  static void putAll(Path directory, String prefix, Putting to) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        String key = prefix + directory.relativize(each).toString().replace('\\', '/');
        to.put(key, Files.readAllBytes(each));
      }
    }
  }

  StubStore pageSize(int keys) {
    pageSize = keys;
    return this;
  }

  /** Has file systems that are opened later send large objects in parts of this length. */
  StubStore partBytes(int bytes) {
    partBytes = bytes;
    return this;
  }

  StubStore withoutRanges() {
    withoutRanges = true;
    return this;
  }

  /** Gives what is there, whatever version is asked for, as lighttpd does. */
  StubStore ignoringIfMatch() {
    ignoringIfMatch = true;
    return this;
  }

  /** Refuses to put what must have a version, as servers do that do not know such conditions. */
  StubStore withoutConditions() {
    withoutConditions = true;
    return this;
  }

  StubStore fault(Fault fault) {
    server.fault(fault);
    return this;
  }

  /** Refuses all but the next requests, which are counted from 0 again. */
  public StubStore refuseAfter(int requests, int status, String code) {
    return fault((exchange, each) -> each >= requests && refuse(exchange, status, code));
  }

  public int asked() {
    return server.asked();
  }

  List<Request> requests() {
    return server.requests();
  }

  void forgetRequests() {
    server.forgetRequests();
  }

  /** Never answers, until the stub is closed. */
  boolean silence() {
    await(closing);
    return true;
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  static boolean send(HttpExchange exchange, int status, String body, String... headers)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    for (int i = 0; i < headers.length; i += 2) {
      exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
    }
    if (exchange.getRequestMethod().equals("HEAD") || bytes.length == 0) {
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
    return true;
  }

  static boolean refuse(HttpExchange exchange, int status, String code) throws IOException {
    return send(
        exchange, status, "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code></Error>");
  }

  /** Does what is asked for, and breaks the connection in place of an answer. */
  boolean answerUnheard(HttpExchange exchange) throws IOException {
    String key = exchange.getRequestURI().getPath().substring(BUCKET.length() + 2);
    Upload upload = uploads.remove(query(exchange.getRequestURI().getRawQuery()).get("uploadId"));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    upload.parts.values().forEach(all::writeBytes);
    put(key, all.toByteArray());
    exchange.getRequestBody().readAllBytes();
    return refuse(exchange, 500, "InternalError");
  }

  void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String start = "/" + BUCKET;
    if (!path.equals(start) && !path.startsWith(start + "/")) {
      refuse(exchange, 404, "NoSuchBucket");
      return;
    }
    String key = path.substring(Math.min(path.length(), start.length() + 1));
    String raw = exchange.getRequestURI().getRawQuery();
    Map<String, String> query = raw == null ? Map.of() : query(raw);
    if (key.isEmpty() && query.containsKey("uploads")) {
      listUploads(exchange, query);
    } else if (key.isEmpty()) {
      list(exchange, query);
    } else {
      switch (exchange.getRequestMethod()) {
        case "PUT" -> put(exchange, key, query);
        case "POST" -> post(exchange, key, query);
        case "DELETE" -> delete(exchange, key, query);
        default -> object(exchange, key);
      }
    }
  }

  static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String each : raw.split("&", -1)) {
      int equals = each.indexOf('=');
      query.put(
          each.substring(0, equals),
          URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return query;
  }

  private void list(HttpExchange exchange, Map<String, String> query) throws IOException {
    String page =
        page(
            objects.keySet(),
            pageSize,
            query,
            key -> entry(key, objects.get(key).length, versions.get(key)));
    send(exchange, 200, page, "Content-Type", "application/xml");
  }

  static String page(
      Set<String> all, int pageSize, Map<String, String> query, UnaryOperator<String> entry) {
    String after = query.getOrDefault("continuation-token", "");
    int most = Math.min(pageSize, Integer.parseInt(query.getOrDefault("max-keys", "1000")));
    List<String> keys =
        all.stream()
            .filter(key -> key.startsWith(query.getOrDefault("prefix", "")))
            .filter(key -> key.compareTo(after) > 0)
            .limit(most + 1L)
            .toList();
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
    xml.append("<IsTruncated>%s</IsTruncated>".formatted(keys.size() > most));
    keys.stream().limit(most).map(entry).forEach(xml::append);
    if (keys.size() > most) {
      String next = keys.get(most - 1);
      xml.append("<NextContinuationToken>%s</NextContinuationToken>".formatted(next));
    }
    return xml.append("<EncodingType>url</EncodingType></ListBucketResult>").toString();
  }

  static String entry(String key, int size, String version) {
    return "<Contents><Key>%s</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>%s</ETag><Size>%d</Size></Contents>"
        .formatted(
            URLEncoder.encode(key, StandardCharsets.UTF_8).replace("%2F", "/"),
            version.replace("\"", "&quot;"),
            size);
  }

  private void put(HttpExchange exchange, String key, Map<String, String> query)
      throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String md5 = exchange.getRequestHeaders().getFirst("Content-MD5");
    if (body.length > 0 && !Base64.getEncoder().encodeToString(md5(body)).equals(md5)) {
      refuse(exchange, 400, "BadDigest");
      return;
    }
    if (query.containsKey("partNumber")) {
      Upload upload = uploads.get(query.get("uploadId"));
      if (upload == null) {
        refuse(exchange, 404, "NoSuchUpload");
        return;
      }
      upload.parts.put(Integer.parseInt(query.get("partNumber")), body);
      send(exchange, 200, "", "ETag", tag(body));
      return;
    }
    String made = putIf(exchange, key, body);
    if (made != null) {
      send(exchange, 200, "", "ETag", made);
    }
  }

  /**
   * Puts an object if the request's conditions hold; otherwise says that they do not.
   *
   * @return its version; null if they do not hold
   */
  private synchronized String putIf(HttpExchange exchange, String key, byte[] body)
      throws IOException {
    String none = exchange.getRequestHeaders().getFirst("If-None-Match");
    String match = exchange.getRequestHeaders().getFirst("If-Match");
    boolean there = objects.containsKey(key);
    if (withoutConditions && (none != null || match != null)) {
      refuse(exchange, 501, "NotImplemented");
      return null;
    }
    if (match != null && !there) {
      refuse(exchange, 404, "NoSuchKey");
      return null;
    }
    if ((none != null && there) || (match != null && !match.equals(versions.get(key)))) {
      refuse(exchange, 412, "PreconditionFailed");
      return null;
    }
    put(key, body);
    return versions.get(key);
  }

  private void post(HttpExchange exchange, String key, Map<String, String> query)
      throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (query.containsKey("uploads")) {
      String id = "upload+/=" + uploadNumber.incrementAndGet();
      uploads.put(id, new Upload(key, new ConcurrentSkipListMap<>()));
      send(
          exchange,
          200,
          "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
              .formatted(id));
      return;
    }
    Upload upload = uploads.get(query.get("uploadId"));
    if (upload == null) {
      refuse(exchange, 404, "NoSuchUpload");
      return;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Matcher part =
        Pattern.compile("<PartNumber>(\\d+)</PartNumber><ETag>(.*?)</ETag>").matcher(body);
    while (part.find()) {
      byte[] bytes = upload.parts.get(Integer.parseInt(part.group(1)));
      if (bytes == null || !part.group(2).equals(tag(bytes).replace("\"", "&quot;"))) {
        refuse(exchange, 400, "InvalidPart");
        return;
      }
      all.writeBytes(bytes);
    }
    String made = putIf(exchange, key, all.toByteArray());
    if (made != null) {
      uploads.remove(query.get("uploadId"));
      send(
          exchange,
          200,
          "<CompleteMultipartUploadResult><ETag>%s</ETag></CompleteMultipartUploadResult>"
              .formatted(made.replace("\"", "&quot;")));
    }
  }

  private void delete(HttpExchange exchange, String key, Map<String, String> query)
      throws IOException {
    String id = query.get("uploadId");
    if (id != null && uploads.remove(id) == null) {
      refuse(exchange, 404, "NoSuchUpload");
      return;
    }
    if (id == null) {
      objects.remove(key);
      versions.remove(key);
    }
    send(exchange, 204, "");
  }

  private void listUploads(HttpExchange exchange, Map<String, String> query) throws IOException {
    StringBuilder xml = new StringBuilder("<ListMultipartUploadsResult>");
    xml.append("<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>");
    uploads.forEach(
        (id, upload) -> {
          if (upload.key.startsWith(query.get("prefix"))) {
            xml.append("<Upload><Key>")
                .append(URLEncoder.encode(upload.key, StandardCharsets.UTF_8))
                .append("</Key><UploadId>")
                .append(id)
                .append("</UploadId></Upload>");
          }
        });
    send(exchange, 200, xml.append("</ListMultipartUploadsResult>").toString());
  }

  private static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String tag(byte[] bytes) {
    return '"' + HexFormat.of().formatHex(md5(bytes)) + '"';
  }

  byte[] bytes(String key) {
    return objects.get(key);
  }

  /** All that was put as a journal, also what has been deleted since. */
  List<String> journals() {
    return List.copyOf(journals);
  }

  List<String> uploads() {
    return uploads.values().stream().map(Upload::key).sorted().toList();
  }

  private void object(HttpExchange exchange, String key) throws IOException {
    byte[] bytes = objects.get(key);
    if (bytes == null) {
      refuse(exchange, 404, "NoSuchKey");
      return;
    }
    String version = versions.get(key);
    String expected = exchange.getRequestHeaders().getFirst("If-Match");
    if (expected != null && !expected.equals(version) && !ignoringIfMatch) {
      refuse(exchange, 412, "PreconditionFailed");
      return;
    }
    exchange.getResponseHeaders().add("ETag", version);
    ranged(exchange, bytes, withoutRanges ? null : exchange.getRequestHeaders().getFirst("Range"));
  }

  /** Answers with an object, or the range of it that is asked for. */
  static void ranged(HttpExchange exchange, byte[] bytes, String range) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.add("Content-Length", Integer.toString(bytes.length));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    String[] ends = range == null ? null : range.substring("bytes=".length()).split("-", -1);
    int first = range == null ? 0 : Integer.parseInt(ends[0]);
    int last = Math.min(bytes.length - 1, range == null ? bytes.length : Integer.parseInt(ends[1]));
    if (range != null && first >= bytes.length) {
      refuse(exchange, 416, "InvalidRange");
      return;
    }
    if (range != null) {
      headers.add("Content-Range", "bytes %d-%d/%d".formatted(first, last, bytes.length));
    }
    int length = last - first + 1;
    exchange.sendResponseHeaders(range == null ? 200 : 206, length == 0 ? -1 : length);
    exchange.getResponseBody().write(bytes, first, length);
  }

  public Map<String, Integer> sizes() {
    Map<String, Integer> sizes = new TreeMap<>();
    objects.forEach((key, bytes) -> sizes.put(key, bytes.length));
    return sizes;
  }

  @Override
  public void close() {
    closing.countDown();
    server.close();
  }

  /** Reads an epoch of files by four workers, and returns the first byte of each. */
  static List<Long> firstBytes(List<Path> files) throws IOException {
    List<Long> read = new ArrayList<>();
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(files).map(each -> (long) Files.readAllBytes(each)[0]))
            .batchSize(8)
            .numWorkers(4)
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          LongStream.of(batch.tensor("data").toLongArray()).forEach(read::add);
        }
      }
    }
    return read;
  }

  /** Returns the command that runs a class in a JVM like this one. */
  public static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
