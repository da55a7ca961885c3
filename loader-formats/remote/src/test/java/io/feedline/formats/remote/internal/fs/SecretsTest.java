package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Credentials: what is sent, when they are renewed, and that nothing prints them. */
@Timeout(60)
class SecretsTest {

  private static final S3Credentials OLD = SecretsChild.CREDENTIALS;
  private static final URI OBJECT = URI.create("s3://bucket/a/b.jpg");

  @AutoClose private final StubStore stub = new StubStore().put("a/b.jpg", new byte[100]);

  private ObjectFileSystem open(Supplier<S3Credentials> credentials) {
    return stub.builder(Map.of("region", "eu-test-1", "credentials", credentials)).build();
  }

  private static void assertTellsNothing(String text) {
    assertThat(text)
        .doesNotContain(OLD.accessKeyId(), OLD.secretAccessKey(), OLD.sessionToken())
        .doesNotContain("Signature=", "AWS4-HMAC", "token=");
  }

  @Test
  void shouldSendNothingOfTheCredentialsWithoutThem() throws IOException {
    try (ObjectFileSystem files = stub.open()) {
      files.objects().stat(OBJECT);
    }

    assertThat(stub.requests().get(0).headers().keySet())
        .doesNotContain("authorization", "x-amz-security-token", "x-amz-date");
  }

  /** The store takes credentials for no more than 15 requests; only new ones read on. */
  @Test
  void shouldReadAnEpochInWhichCredentialsExpire() throws IOException {
    for (int i = 0; i < 60; i++) {
      stub.put("epoch/%02d.bin".formatted(i), new byte[] {(byte) i});
    }
    AtomicInteger valid = new AtomicInteger();
    AtomicInteger given = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    stub.fault(
        (exchange, number) -> {
          if (number % 16 == 15) {
            valid.incrementAndGet();
          }
          String signed = exchange.getRequestHeaders().getFirst("Authorization");
          int key = Integer.parseInt(signed.replaceAll("(?s).*Credential=KEY([0-9]+)/.*", "$1"));
          if (key >= valid.get() - 1) { // requests under way keep theirs
            return false;
          }
          refused.incrementAndGet();
          given.accumulateAndGet(valid.get(), Math::max);
          return StubStore.refuse(exchange, 400, "ExpiredToken");
        });
    try (ObjectFileSystem files =
        open(() -> new S3Credentials("KEY" + given.get(), "secret", "session"))) {
      List<Path> paths =
          IntStream.range(0, 60)
              .<Path>mapToObj(i -> files.getPath("/epoch/%02d.bin".formatted(i)))
              .toList();
      assertThat(StubStore.firstBytes(paths)).isEqualTo(LongStream.range(0, 60).boxed().toList());
    }
    assertThat(refused.get()).isPositive();
    assertThat(given.get()).isGreaterThan(1);
  }

  @Test
  void shouldSayThatThereAreNoNewCredentials() throws IOException {
    stub.fault(
        (exchange, number) ->
            exchange.getRequestMethod().equals("GET")
                && StubStore.refuse(exchange, 400, "ExpiredToken"));
    try (ObjectFileSystem files = open(() -> OLD)) {
      RemoteObject object = files.objects().stat(OBJECT);

      assertThatThrownBy(() -> files.objects().read(object, 0, ByteBuffer.allocate(10)))
          .hasMessageContainingAll("ExpiredToken", "too old", "no new ones");
    }
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void shouldTellNothingOfThemInErrors() throws IOException {
    RemoteObject object = new RemoteObject(OBJECT, 100, "\"v1\"");
    try (ObjectFileSystem files = open(() -> OLD)) {
      for (int status : List.of(301, 307, 400, 401, 403, 404, 405, 412, 416, 418, 500, 503)) {
        stub.fault((exchange, number) -> SecretsChild.echo(exchange, status));
        Throwable read =
            catchThrowable(() -> files.objects().read(object, 0, ByteBuffer.allocate(10)));
        Throwable listed = catchThrowable(() -> files.children((KeyPath) files.getPath("/a")));
        for (Throwable failure : List.of(read, listed)) {
          assertThat(failure).as("status " + status).isInstanceOf(IOException.class);
          assertTellsNothing(Throwables.getStackTrace(failure));
        }
      }
      for (String header : List.of("ETag", "Content-Range", "Content-Encoding", "Last-Modified")) {
        for (int status : List.of(200, 206, 412)) {
          stub.fault(
              (exchange, number) ->
                  StubStore.send(exchange, status, "x".repeat(10), header, OLD.sessionToken()));
          Throwable read =
              catchThrowable(() -> files.objects().read(object, 0, ByteBuffer.allocate(10)));
          assertThat(read).as(header + status).isInstanceOf(IOException.class);
          assertTellsNothing(Throwables.getStackTrace(read));
        }
      }
      stub.fault((exchange, number) -> SecretsChild.echo(exchange, 200));
      assertTellsNothing(
          catchThrowable(() -> files.children((KeyPath) files.getPath("/a"))).toString());
    }
  }

  @Test
  void shouldTellNothingOfThemInTexts() {
    S3Settings.Given given = new S3Settings.Given();
    given.credentials = () -> OLD;
    S3Settings settings = S3Settings.of(given, Map.of("AWS_REGION", "x"));
    try (ObjectFileSystem files = open(() -> OLD)) {
      assertTellsNothing(OLD.toString());
      assertTellsNothing(settings.toString());
      assertTellsNothing(settings.signer().toString());
      assertTellsNothing(files + " " + files.getPath("/a") + files.getPath("/a").toUri());
    }
  }

  @Test
  void shouldTellNothingOfAUriThatHoldsThem() {
    for (String uri :
        List.of("https://user:MARKER@host/a", "s3://key:MARKER@bucket/a", "s3://bucket/a#MARKER")) {
      assertThatThrownBy(() -> Path.of(URI.create(uri)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no user, no fragment")
          .hasMessageNotContaining("MARKER");
    }
    assertThatThrownBy(
            () ->
                S3Settings.of(
                    new S3Settings.Given(), Map.of("AWS_ENDPOINT_URL", "http://me:MARKER@host")))
        .hasMessageContaining("AWS_ENDPOINT_URL")
        .hasMessageNotContaining("MARKER");
  }

  @Test
  void shouldNotSendASignatureToAnotherHost() throws IOException {
    try (StubStore other = new StubStore().put("a/b.jpg", new byte[100]);
        ObjectFileSystem files = open(() -> OLD)) {
      stub.fault(
          (exchange, number) ->
              StubStore.send(exchange, 307, "", "Location", other.endpoint() + "/bucket/a/b.jpg"));

      assertThatThrownBy(() -> files.objects().stat(OBJECT))
          .hasMessageContainingAll("status 307", "not followed");
      assertThat(other.requests()).isEmpty();
    }
  }

  /** Reads, writes and failures, with all that logs, recordings and states then hold. */
  @Test
  @Timeout(300)
  void shouldTellNothingOfThemToAnyLogOrFile(@TempDir Path directory) throws Exception {
    Process child = SecretsChild.start(directory);
    String printed = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(printed).isZero();
    assertThat(printed)
        .contains("TRACE", "all is logged", "s3://bucket/webdataset", "all is done")
        .contains("the server refuses, status 403", "Writing takes s3:PutObject")
        .contains("its signature may have expired", "which the token's account does not have");

    Map<String, byte[]> left = new TreeMap<>();
    left.put("what was printed", printed.getBytes(StandardCharsets.UTF_8));
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        left.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    assertThat(left.keySet())
        .contains("recording.jfr", "journals", "zip.json", "zip.state", "hub.json", "signed.state")
        .anyMatch(name -> name.endsWith(".line"));
    StringBuilder events = new StringBuilder();
    try (RecordingFile recording = new RecordingFile(directory.resolve("recording.jfr"))) {
      while (recording.hasMoreEvents()) {
        events.append(recording.readEvent()).append('\n');
      }
    }
    assertThat(events.toString()).contains("io.feedline.Batch");
    left.put("the events", events.toString().getBytes(StandardCharsets.UTF_8));

    S3Credentials secret = SecretsChild.CREDENTIALS;
    // A recording holds the environment, so a signature is told from other words by its digits.
    Pattern telling =
        Pattern.compile(
            Stream.of(
                        secret.accessKeyId(),
                        secret.secretAccessKey(),
                        secret.sessionToken(),
                        StubHub.TOKEN,
                        StubGoogle.TOKEN,
                        "MARKERupload",
                        SecretsChild.AZURE_KEY,
                        "eyMARKERtoken",
                        "MARKERsignature",
                        URLEncoder.encode(secret.sessionToken(), StandardCharsets.UTF_8))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"))
                + "|Signature=[0-9a-f]{64}");
    left.forEach(
        (name, bytes) -> {
          // A byte for each character, and two.
          for (Charset charset :
              List.of(
                  StandardCharsets.ISO_8859_1,
                  StandardCharsets.UTF_16LE,
                  StandardCharsets.UTF_16BE)) {
            Matcher found = telling.matcher(new String(bytes, charset));
            if (found.find()) {
              fail(name + " has '" + found.group() + "'");
            }
          }
        });
  }

  @Test
  void shouldTakeCredentialsAsAnOptionOfAFileSystem() throws IOException {
    URI bucket = URI.create("s3://bucket");
    String endpoint = stub.endpoint().toString();
    Map<String, Object> options =
        Map.of("endpoint", endpoint, "region", "eu-test-1", "credentials", OLD);
    try (FileSystem files = FileSystems.newFileSystem(bucket, options)) {
      assertThat(Files.size(files.getPath("/a/b.jpg"))).isEqualTo(100);
    }
    StubStore.Request request = stub.requests().get(0);
    assertThat(request.header("authorization"))
        .startsWith("AWS4-HMAC-SHA256 Credential=" + OLD.accessKeyId() + "/")
        .contains("/eu-test-1/s3/aws4_request", "x-amz-security-token");
    assertThat(request.header("x-amz-security-token")).isEqualTo(OLD.sessionToken());

    assertThatThrownBy(
            () ->
                FileSystems.newFileSystem(
                    bucket, Map.of("endpoint", endpoint, "credentials", OLD.secretAccessKey())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be S3Credentials")
        .satisfies(failure -> assertTellsNothing(failure.toString()));
  }
}
