package io.feedline.formats.remote.internal.fs;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.ExpectedLog;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.PlainAddressing;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.ClosedFileSystemException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads from a server that misbehaves: right bytes, or an error that says what was wrong. */
@Timeout(60)
class FaultsTest {

  private static final URI OBJECT = URI.create("s3://bucket/shard.tar");
  private static final byte[] BYTES = new byte[300_000];

  static {
    new Random(5).nextBytes(BYTES);
  }

  private final RemoteObject object = new RemoteObject(OBJECT, BYTES.length, "\"v1\"");
  @AutoClose private final StubStore stub = new StubStore().put("shard.tar", BYTES);
  @AutoClose private ObjectFileSystem files = stub.open();

  private void reopen(RequestPolicy policy) {
    files.close();
    files = stub.open(policy);
  }

  private void limited(Duration firstByte, Duration body, int attempts) {
    Duration never = Duration.ofSeconds(20);
    reopen(StubStore.policy(attempts, firstByte, body, Long.MAX_VALUE, Duration.ZERO, never, 0));
  }

  /** Opens it so that each request may be sent twice, and reads until it is known when. */
  private void hedged(int attempts) throws IOException {
    Duration never = Duration.ofSeconds(20);
    reopen(StubStore.policy(attempts, never, never, 1, Duration.ZERO, Duration.ofMillis(1), 1));
    for (int i = 0; i < 130; i++) {
      read(i, 10);
    }
  }

  private byte[] read(int position, int length) throws IOException {
    return readOf(object, position, length);
  }

  private byte[] readOf(RemoteObject object, int position, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length + 7).position(3).limit(3 + length);
    files.objects().read(object, position, target);
    assertThat(target.remaining()).isZero();
    return Arrays.copyOfRange(target.array(), 3, 3 + length);
  }

  private static byte[] part(int position, int length) {
    return Arrays.copyOfRange(BYTES, position, position + length);
  }

  private static boolean isGet(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("GET");
  }

  /** Does something to the first requests for ranges, and answers the others. */
  private void firstGets(int count, StubStore.Fault fault) {
    firstGets("", count, fault);
  }

  /** The same, for a range alone: others' second sendings may still be on their way. */
  private void firstGets(String range, int count, StubStore.Fault fault) {
    int[] seen = {0};
    stub.fault(
        (exchange, number) -> {
          synchronized (seen) {
            String asked = String.valueOf(exchange.getRequestHeaders().getFirst("Range"));
            if (!isGet(exchange) || !asked.contains(range) || seen[0]++ >= count) {
              return false;
            }
          }
          return fault.answer(exchange, number);
        });
  }

  @Test
  void shouldReadAgainWhereTheConnectionIsReset() throws IOException {
    firstGets(
        2,
        (exchange, number) -> {
          exchange.close();
          return true;
        });
    assertThat(read(10, 5000)).isEqualTo(part(10, 5000));
    assertThat(stub.requests().get(0).header("if-match")).isEqualTo("\"v1\"");
    assertThat(files.objects().requests().repeated()).isBetween(1L, 2L);
  }

  /** Answers with the range that is asked for, and sends only its first bytes. */
  private static boolean sendFirst(HttpExchange exchange, int bytes, String... headers)
      throws IOException {
    String asked = exchange.getRequestHeaders().getFirst("Range").substring("bytes=".length());
    int position = Integer.parseInt(asked.substring(0, asked.indexOf('-')));
    int length = Integer.parseInt(asked.substring(asked.indexOf('-') + 1)) - position + 1;
    for (int i = 0; i < headers.length; i += 2) {
      exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
    }
    exchange.getResponseHeaders().add("Content-Range", "bytes " + asked + "/" + BYTES.length);
    exchange.sendResponseHeaders(206, length);
    exchange.getResponseBody().write(BYTES, position, Math.min(length, bytes));
    exchange.getResponseBody().flush();
    return true;
  }

  private List<String> ranges() {
    return stub.requests().stream().map(each -> each.header("range")).toList();
  }

  @Test
  void shouldReadOnBehindTheBytesOfABodyThatIsShort() throws IOException {
    firstGets(1, (exchange, number) -> sendFirst(exchange, 2500, "ETag", "\"v1\""));

    assertThat(read(10, 5000)).isEqualTo(part(10, 5000));
    assertThat(files.objects().requests().repeated()).isEqualTo(1);
    assertThat(ranges()).containsExactly("bytes=10-5009", "bytes=2510-5009");
    assertThat(stub.requests().get(1).header("if-match")).isEqualTo("\"v1\"");
  }

  @Test
  void shouldReadFromTheBeginningAgainWhereNothingTellsTheVersion() throws IOException {
    String time = "Fri, 31 Dec 1999 23:59:59 GMT";
    firstGets(
        2, (exchange, number) -> sendFirst(exchange, 2500 * (number + 1), "Last-Modified", time));
    RemoteObject unversioned = new RemoteObject(OBJECT, BYTES.length, "", time);

    assertThat(readOf(unversioned, 10, 5000)).isEqualTo(part(10, 5000));
    assertThat(ranges()).containsExactly("bytes=10-5009", "bytes=10-5009");
  }

  @Test
  void shouldTakeAWholeObjectAgainWhereTheServerHasNoRanges() throws IOException {
    stub.withoutRanges();
    firstGets(
        1,
        (exchange, number) -> {
          exchange.getResponseHeaders().add("ETag", "\"v1\"");
          exchange.sendResponseHeaders(200, BYTES.length);
          exchange.getResponseBody().write(BYTES, 0, 1000);
          exchange.getResponseBody().flush();
          return true;
        });

    assertThat(read(0, BYTES.length)).isEqualTo(BYTES);
    assertThat(files.objects().requests().repeated()).isEqualTo(1);
    assertThatThrownBy(() -> read(0, 10)).hasMessageContaining("it cannot read ranges");
  }

  @Test
  void shouldAskForTheLastByteAgainWhereTheEndIsMissing() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        HttpObjects objects =
            new HttpObjects(new PlainAddressing(), new Requests(StubStore.quick()), 0)) {
      URI uri = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/a");
      ByteBuffer target = ByteBuffer.allocate(10);
      CompletableFuture<Void> read =
          objects.readAsync(new RemoteObject(uri, 300_000, "\"v1\""), 5, target);
      String ranged = "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Range: bytes %s/300000\r\n";
      String chunks = "Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n";
      assertThat(answer(socket, ranged.formatted("5-14") + chunks)).isEqualTo("bytes=5-14");
      String last = "Content-Length: 1\r\n\r\n9";
      assertThat(answer(socket, ranged.formatted("14-14") + last)).isEqualTo("bytes=14-14");
      read.get();
      assertThat(target.array()).asString(US_ASCII).isEqualTo("0123456789");
    }
  }

  /** Answers the next connection's request, ends the connection, and returns the range. */
  private static String answer(ServerSocket socket, String answer) throws IOException {
    try (Socket each = socket.accept()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(each.getInputStream(), US_ASCII));
      String range = "";
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        range = line.startsWith("Range: ") ? line.substring("Range: ".length()) : range;
      }
      each.getOutputStream().write(answer.getBytes(US_ASCII));
      return range;
    }
  }

  @Test
  void shouldNotCountAttemptsThatBringManyBytes() throws IOException {
    limited(Duration.ofSeconds(20), Duration.ofSeconds(20), 2);
    firstGets(100, (exchange, number) -> sendFirst(exchange, 1 << 16, "ETag", "\"v1\""));

    assertThat(read(0, BYTES.length)).isEqualTo(BYTES);
    assertThat(stub.requests()).hasSize(5);
  }

  @Test
  void shouldWaitForABodyThatComesSlowlyAndSendFewerRequests() throws IOException {
    Duration inTime = Duration.ofSeconds(2);
    limited(Duration.ofSeconds(20), inTime, 1);
    firstGets(
        1,
        (exchange, number) -> {
          sendFirst(exchange, 0, "ETag", "\"v1\"");
          long began = System.nanoTime();
          int sent = 0;
          while (System.nanoTime() - began <= inTime.toNanos() + 200_000_000) {
            if (sent < 200_000) {
              exchange.getResponseBody().write(BYTES, sent, 2000);
              sent += 2000;
              exchange.getResponseBody().flush();
            }
            LockSupport.parkNanos(10_000_000);
          }
          exchange.getResponseBody().write(BYTES, sent, BYTES.length - sent);
          return true;
        });

    assertThat(read(0, BYTES.length)).isEqualTo(BYTES);
    assertThat(files.objects().requests().limit()).isLessThan(16);
  }

  @Test
  void shouldSendABodyToAServerThatTakesItSlowly() throws IOException {
    Duration inTime = Duration.ofSeconds(1);
    reopen(StubStore.policy(1, inTime, inTime, 1 << 26, inTime, inTime, 0));
    stub.fault(
        (exchange, number) -> {
          while (exchange.getRequestBody().readNBytes(1 << 16).length > 0) {
            LockSupport.parkNanos(10_000_000);
          }
          return StubStore.send(exchange, 200, "", "ETag", "\"new\"");
        });

    String made =
        files.objects().writes().put(OBJECT, ByteBuffer.allocate(1 << 24), ObjectOutput.ANY);
    assertThat(made).isEqualTo("\"new\"");
    assertThat(stub.requests()).hasSize(1);
  }

  @ExpectedLog("neither an ETag nor a time of change")
  @Test
  void shouldWarnOnceWhereNothingTellsThatAnObjectHasChanged() throws IOException {
    firstGets(2, (exchange, number) -> sendFirst(exchange, 10));
    RemoteObject unmarked = new RemoteObject(OBJECT, BYTES.length, "");

    assertThat(readOf(unmarked, 5, 10)).isEqualTo(part(5, 10));
    assertThat(readOf(unmarked, 15, 10)).isEqualTo(part(15, 10));
  }

  @Test
  void shouldSlowDownWhereTheServerIsOverloaded() throws IOException {
    for (int i = 0; i < 8; i++) {
      firstGets(1, (exchange, number) -> StubStore.refuse(exchange, 503, "SlowDown"));
      assertThat(read(i * 1000, 1000)).isEqualTo(part(i * 1000, 1000));
    }
    assertThat(files.objects().requests().limit()).isLessThan(16);
    assertThat(files.objects().requests().inFlight()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"503, SlowDown, 4, 4 attempts", "403, AccessDenied, 1, anonymous"})
  void shouldTellUriRangeAttemptsAndLastCauseWhenItGivesUp(
      int status, String code, int requests, String words) {
    firstGets(100, (exchange, number) -> StubStore.refuse(exchange, status, code));

    String cause = "status %d (%s)".formatted(status, code);
    refused(IOException.class, () -> read(5, 10), OBJECT + "", "bytes 5 to 14 of", cause, words);
    assertThat(stub.requests()).hasSize(requests);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseToMixTheVersionsOfAnObject(boolean isIfMatchKnown) throws IOException {
    if (!isIfMatchKnown) {
      stub.ignoringIfMatch();
    }
    byte[] bytes = read(0, 1000);
    stub.put("shard.tar", new byte[BYTES.length]);
    ByteBuffer target = ByteBuffer.wrap(bytes.clone());

    ThrowingCallable read = () -> files.objects().read(object, 0, target);
    refused(ObjectChangedException.class, read, "s3://bucket/shard.tar", "has changed");
    assertThat(target.array()).as("nothing of the other one").isEqualTo(bytes);
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void shouldRefuseAnAnswerThatDoesNotSayWhichVersionItIs() throws IOException {
    firstGets(100, (exchange, number) -> sendFirst(exchange, 10));

    assertThatThrownBy(() -> read(5, 10))
        .hasMessageContainingAll("does not say which version", "3 attempts");
  }

  @Test
  void shouldSeeTheNewVersionAfterAChange() throws IOException {
    KeyPath path = (KeyPath) files.getPath("/shard.tar");
    RemoteObject object = files.object(path);
    stub.put("shard.tar", new byte[10]);
    assertThatThrownBy(() -> files.read(object, 0, ByteBuffer.allocate(5)))
        .isInstanceOf(ObjectChangedException.class);

    assertThat(files.object(path).size()).isEqualTo(10);
  }

  @Test
  void shouldSayThatAnObjectIsGone() throws IOException {
    stub.remove("shard.tar");

    assertThatThrownBy(() -> read(0, 10))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("s3://bucket/shard.tar", "no such object anymore");
    assertThatThrownBy(() -> files.objects().stat(OBJECT))
        .isInstanceOf(FileNotFoundException.class);
  }

  private static boolean ranged(HttpExchange exchange, String range, int announced, int length)
      throws IOException {
    exchange.getResponseHeaders().add("ETag", "\"v1\"");
    exchange.getResponseHeaders().add("Content-Range", range);
    exchange.sendResponseHeaders(206, announced); // 0: chunked
    exchange.getResponseBody().write(BYTES, 5, length);
    return true;
  }

  @ParameterizedTest
  @CsvSource({
    "bytes 0-9/300000, 10, 10, the server sends bytes 0-9",
    "bytes 5-14/300001, 10, 10, has 300001 bytes now",
    "pages 5-14, 10, 10, does not say which range",
    "bytes 5-14/300000, 11, 11, announces 11 bytes",
    "bytes 5-14/300000, 9, 9, announces 9 bytes",
    "bytes 5-14/300000, 0, 11, longer than the 10 bytes",
    "bytes 5-14/300000, 0, 9, the server sends bytes 5-14"
  })
  void shouldRefuseAnotherRangeEachTime(String range, int announced, int length, String problem) {
    firstGets(100, (exchange, number) -> ranged(exchange, range, announced, length));
    assertThatThrownBy(() -> read(5, 10)).hasMessageContainingAll(problem, "3 attempts");
  }

  @Test
  void shouldRefuseAnEncodedBody() throws IOException {
    firstGets(
        100,
        (exchange, number) -> {
          exchange.getResponseHeaders().add("Content-Encoding", "gzip");
          return ranged(exchange, "bytes 5-14/300000", 10, 10);
        });

    assertThatThrownBy(() -> read(5, 10)).hasMessageContaining("encoded the body");
    assertThat(stub.requests().get(0).header("accept-encoding")).isEqualTo("identity");
  }

  @ParameterizedTest
  @CsvSource({
    "false, no answer had begun after 0.060 s",
    "true, 'bytes of the body had come, and '"
  })
  void shouldNotWaitForAnAnswerThatDoesNotBeginOrStops(boolean begins, String words)
      throws IOException {
    Duration patience = Duration.ofSeconds(20);
    Duration brief = Duration.ofMillis(60);
    limited(begins ? patience : brief, begins ? brief : patience, 2);
    firstGets(
        100,
        (exchange, number) ->
            (!begins || sendFirst(exchange, 2500, "ETag", "\"v1\"")) && stub.silence());

    assertThatThrownBy(() -> read(0, 8000)).hasMessageContainingAll("2 attempts", words, "0.060 s");
    assertThat(files.objects().requests().inFlight()).isZero();
  }

  @Test
  void shouldSendARequestTwiceThatIsNotAnsweredLikeTheOthers() throws IOException {
    hedged(1);
    long before = files.objects().requests().hedged();
    firstGets("=7-1006", 1, (exchange, number) -> stub.silence());

    assertThat(read(7, 1000)).isEqualTo(part(7, 1000));
    assertThat(files.objects().requests().hedged()).isEqualTo(before + 1);
    assertThat(files.objects().requests().inFlight()).isZero();
  }

  @Test
  void shouldNotRepeatARequestWhoseSecondSendingIsUnderWay() throws IOException {
    hedged(3);
    Requests requests = files.objects().requests();
    long before = requests.repeated();
    CountDownLatch hedged = new CountDownLatch(1);
    AtomicInteger sent = new AtomicInteger();
    firstGets(
        "=7-1006",
        2,
        (exchange, number) -> {
          if (sent.getAndIncrement() == 0) {
            StubStore.await(hedged);
            // A connection that is closed would only be taken for one that had been kept too long.
            return StubStore.refuse(exchange, 500, "InternalError");
          }
          hedged.countDown();
          while (requests.inFlight() > 1 && requests.repeated() == before) {
            Thread.onSpinWait();
          }
          return false;
        });

    assertThat(read(7, 1000)).isEqualTo(part(7, 1000));
    assertThat(requests.repeated()).isEqualTo(before);
  }

  @Test
  void shouldLeaveNoTimerBehindARequest() throws IOException {
    for (int i = 0; i < 20; i++) {
      read(i, 10);
    }

    // One timer of them all looks for unused connections.
    assertThat(files.objects().requests().timers()).isLessThanOrEqualTo(1);
  }

  @Test
  void shouldFollowARedirect() throws IOException {
    firstGets(
        1,
        (exchange, number) ->
            StubStore.send(
                exchange, 307, "", "Location", stub.endpoint() + "/bucket/shard.tar?x=1"));

    assertThat(read(5, 10)).isEqualTo(part(5, 10));
  }

  @Test
  void shouldNotFollowRedirectsForEver() throws IOException {
    firstGets(
        1000,
        (exchange, number) ->
            StubStore.send(exchange, 302, "", "Location", "/bucket/shard.tar?secret=" + number));

    assertThatThrownBy(() -> read(5, 10))
        .hasMessageContainingAll("sent it on more than 5 times", "status 302", "too many redirects")
        .hasMessageNotContaining("secret");
    assertThat(stub.requests().size()).isLessThan(10);
  }

  @Test
  void shouldRefuseToReadBehindTheEnd() throws IOException {

    assertThatThrownBy(() -> read(BYTES.length - 5, 6))
        .isInstanceOf(EOFException.class)
        .hasMessageContainingAll("ends at byte 300000", "6 bytes are expected at offset 299995");
    assertThat(read(BYTES.length, 0)).isEmpty();
    assertThat(stub.requests()).isEmpty();
  }

  @Test
  void shouldLeaveTheBufferAloneOnceAReadIsBrokenOff() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    firstGets(
        1,
        (exchange, number) -> {
          sendFirst(exchange, 5000);
          asked.countDown();
          StubStore.await(cancelled);
          exchange.getResponseBody().write(BYTES, 5000, 5000); // may fail, as it is broken off
          return true;
        });
    ByteBuffer target = ByteBuffer.allocate(10000);
    CompletableFuture<Void> read = files.objects().readAsync(object, 0, target);
    asked.await();
    read.cancel(true);
    byte[] left = target.array().clone();
    cancelled.countDown();
    // The next read uses the same client, so what was left in flight has been seen by then.
    read(0, 10);

    assertThat(target.array()).isEqualTo(left);
    assertThatThrownBy(read::get).isInstanceOf(CancellationException.class);
    assertThat(files.objects().requests().inFlight()).isZero();
  }

  /**
   * Starts to read in a thread of its own, and waits until the server, which is silent, is asked.
   */
  private FutureTask<Throwable> unanswered(ThrowingCallable reading) throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    firstGets(
        1,
        (exchange, number) -> {
          asked.countDown();
          return stub.silence();
        });
    FutureTask<Throwable> read = new FutureTask<>(() -> catchThrowable(reading));
    new Thread(read).start();
    asked.await();
    return read;
  }

  @Test
  void shouldEndTheReadOfAnInterruptedThread() throws Exception {
    Thread[] reader = new Thread[1];
    boolean[] interrupted = new boolean[1];
    FutureTask<Throwable> failure =
        unanswered(
            () -> {
              reader[0] = Thread.currentThread();
              try {
                read(0, 10);
              } finally {
                interrupted[0] = Thread.interrupted();
              }
            });
    reader[0].interrupt();

    assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(interrupted[0]).isTrue();
    assertThat(read(3, 10)).isEqualTo(part(3, 10));
  }

  @Test
  void shouldEndReadsWhenItIsClosed() throws Exception {
    FutureTask<Throwable> failure =
        unanswered(() -> files.read(object, 0, ByteBuffer.allocate(10)));
    files.close();

    assertThat(failure.get()).isInstanceOf(ClosedFileSystemException.class);
    assertThatThrownBy(() -> files.object((KeyPath) files.getPath("/shard.tar")))
        .isInstanceOf(ClosedFileSystemException.class);
  }

  @Test
  void shouldNotTakeLongToSayThatThereIsNoSuchHost() {
    try (ObjectFileSystem nowhere =
        new ObjectFileSystemBuilder(URI.create("http://no-such-host.invalid/"))
            .policy(StubStore.quick())
            .build()) {
      assertThatThrownBy(
              () -> nowhere.objects().stat(URI.create("http://no-such-host.invalid/x.tar")))
          .hasMessageContainingAll("http://no-such-host.invalid/x.tar", "no address");
    }
  }
}
