package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are written into a bucket: the bytes of the local ones, whole or not there. */
@Timeout(120)
@Tag("once")
class WritingTest {

  private static final int IMAGES = 24;

  /** Parts of a 64th of the size, for tests that write hundreds of stores: all of it is hashed. */
  private static final int SMALL_PARTS = PartUpload.PART_BYTES / 64;

  @TempDir private Path disk;
  private StubStore stub;
  private ObjectFileSystem files;

  @BeforeEach
  void start() throws IOException {
    start(PartUpload.PART_BYTES);
  }

  private void start(int partBytes) throws IOException {
    stub = new StubStore().partBytes(partBytes);
    files = stub.open();
  }

  @AfterEach
  void stop() {
    files.close();
    stub.close();
  }

  private static Packing packing() {
    return Packing.of(List.of("ant", "bee"), IMAGES);
  }

  /** As {@code --shard-size} has it, so that there are several shards. */
  private static Packing packing(String format, long shardBytes) {
    return switch (format) {
      case "recordio", "imagefolder", "zip" -> packing();
      case "tfrecord" -> packing().withShards(3);
      default -> packing().withShardBytes(shardBytes);
    };
  }

  private static EncodedImage image(int i, int bytes) {
    return StubStore.image(i, bytes, i % 2);
  }

  private static void write(StoreWriter<EncodedImage> writer, int end, int bytes)
      throws IOException {
    for (int i = (int) writer.written(); i < end; i++) {
      writer.write(image(i, bytes));
    }
  }

  private static void write(Path target, String format, Packing packing, int bytes)
      throws IOException {
    StubStore.write(format, target, packing, IMAGES, i -> image(i, bytes));
  }

  private static StoreWriter<EncodedImage> webdataset(Path target, Packing packing)
      throws IOException {
    return StoreFormat.named("webdataset").create(target, packing);
  }

  private Map<String, byte[]> local(String format, Packing packing, int bytes) throws IOException {
    Path directory = disk.resolve("local");
    write(directory, format, packing, bytes);
    Map<String, byte[]> all = new TreeMap<>();
    if (Files.isRegularFile(directory)) {
      all.put("out", Files.readAllBytes(directory));
      return all;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path each : paths.filter(Files::isRegularFile).toList()) {
        all.put(
            "out/" + directory.relativize(each).toString().replace('\\', '/'),
            Files.readAllBytes(each));
      }
    }
    return all;
  }

  private void assertBucketHas(Map<String, byte[]> expected) {
    assertThat(stub.sizes().keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach((name, bytes) -> assertThat(stub.bytes(name)).as(name).isEqualTo(bytes));
    assertThat(stub.uploads()).isEmpty();
  }

  private void assertWritten(String format, Packing packing, int bytes) throws IOException {
    write(files.getPath("/out"), format, packing, bytes);
    assertBucketHas(local(format, packing, bytes));
  }

  /** Writes three parts to a server with a fault, which has to answer at least some requests. */
  private void assertWrittenDespite(int least, StubStore.Fault fault) throws IOException {
    AtomicInteger faults = new AtomicInteger();
    stub.fault(
        (exchange, number) -> fault.answer(exchange, number) && faults.incrementAndGet() > 0);
    assertWritten("webdataset", packing("webdataset", 20_000_000), 1_000_000);
    assertThat(faults.get()).isGreaterThanOrEqualTo(least);
  }

  @ParameterizedTest
  @CsvSource({
    "webdataset, 100000", "webdataset, 1000000", "mds, 100000", "mds, 1000000",
    "recordio, 1000000", "imagefolder, 100000", "zip, 100000", "zip, 1000000",
    "tfrecord, 100000", "tfrecord, 1000000"
  })
  void shouldPutTheBytesOfTheLocalStore(String format, int bytes) throws IOException {
    assertWritten(format, packing(format, 9L * bytes), bytes);
  }

  /**
   * As after a kill at each request: nothing is given up, and the server keeps what it has. A
   * server that refuses all from some request on leaves just that.
   */
  @ParameterizedTest
  @CsvSource({"webdataset, 15000", "mds, 15000", "imagefolder, 20000", "zip, 6000"})
  void shouldContinueAfterAKillAtAnyRequest(String format, int bytes) throws IOException {
    Packing packing = packing(format, 17L * bytes);
    Map<String, byte[]> expected = local(format, packing, bytes);
    int runs = 0;
    Throwable killed;
    do {
      stop();
      start(SMALL_PARTS);
      int requests = 1 + runs++;
      stub.refuseAfter(requests, 403, "Gone");
      killed = catchThrowable(() -> write(files.getPath("/out"), format, packing, bytes));
      stub.fault((exchange, number) -> false);
      if (killed != null && !stub.sizes().isEmpty()) {
        assertThat(killed).isInstanceOf(IOException.class);
        if (format.equals("zip") && stub.bytes("out") != null) {
          assertThat(stub.bytes("out")).as("whole or not there").isEqualTo(expected.get("out"));
        } else {
          assertThatThrownBy(() -> ImageDataset.open(freshly("/out")))
              .as("killed at request " + requests)
              .isInstanceOf(IOException.class);
        }

        write(files.getPath("/out"), format, packing, bytes);
      }
      if (!stub.sizes().isEmpty()) {
        assertBucketHas(expected);
      }
    } while (killed != null);
    assertThat(runs).isBetween(10, 60);
  }

  private Path freshly(String path) {
    files.close();
    files = stub.open();
    return files.getPath(path);
  }

  @Test
  void shouldShowNothingOfWhatIsBeingWritten() throws IOException {
    Packing packing = packing("webdataset", 2_000_000);
    stub.put("other/a.txt", new byte[3]);
    try (StoreWriter<EncodedImage> writer = webdataset(files.getPath("/out"), packing)) {
      write(writer, IMAGES, 500_000);
      assertThat(stub.sizes()).containsKey("out/data-000000.tar");

      assertThatThrownBy(() -> ImageDataset.open(freshly("/out")))
          .hasMessageContainingAll("out", "is being written, or its writing was interrupted");
      try (Stream<Path> names = Files.list(freshly("/"))) {
        assertThat(names.map(Path::toString)).containsExactly("s3://bucket/other");
      }
    }
  }

  @Test
  void shouldRefuseWhatIsThereAlready() throws IOException {
    stub.put("out/mine.txt", new byte[3]);

    assertThatThrownBy(
            () -> write(files.getPath("/out"), "mds", packing("mds", 1_000_000), 100_000))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContainingAll("s3://bucket/out", "exists already");
    assertThat(stub.sizes()).containsOnlyKeys("out/mine.txt");
  }

  @Test
  void shouldRefuseAnUnfinishedRunOfSomethingElseUnlessRestarted() throws IOException {
    Path target = files.getPath("/out");
    try (StoreWriter<EncodedImage> writer = webdataset(target, packing("webdataset", 4_000_000))) {
      write(writer, 20, 500_000);
    }
    Packing other = packing("mds", 4_000_000);

    assertThatThrownBy(() -> write(target, "mds", other, 500_000))
        .hasMessageContainingAll("s3://bucket/out", "format was webdataset, is mds", "--restart");

    write(target, "mds", other.withRestart(true), 500_000);
    assertBucketHas(local("mds", other, 500_000));
  }

  @Test
  void shouldMixNothingWhereARestartIsKilled() throws IOException {
    Packing begun = packing("webdataset", 64_000);
    Packing other = packing("webdataset", 144_000);
    Map<String, byte[]> expected = local("webdataset", other, 8_000);
    int runs = 0;
    Throwable killed;
    do {
      stop();
      start(SMALL_PARTS);
      try (StoreWriter<EncodedImage> writer = webdataset(files.getPath("/out"), begun)) {
        write(writer, IMAGES, 8_000);
      }
      int requests = 1 + runs++;
      stub.refuseAfter(requests, 403, "Gone");
      killed =
          catchThrowable(
              () -> write(files.getPath("/out"), "webdataset", other.withRestart(true), 8_000));
      stub.fault((exchange, number) -> false);
      if (killed != null && stub.bytes("out/" + ObjectOutput.UNFINISHED) != null) {
        write(files.getPath("/out"), "webdataset", other.withRestart(true), 8_000);
      }
      assertBucketHas(expected);
    } while (killed != null);
    assertThat(runs).isBetween(10, 60);
  }

  /** A server that knows no conditions is asked for the version before each change. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndWhereAnotherWriterHasTakenOver(boolean withoutConditions) throws IOException {
    if (withoutConditions) {
      stub.withoutConditions();
    }
    Path target = files.getPath("/out");
    Packing packing = packing("webdataset", 4_000_000);
    try (StoreWriter<EncodedImage> first = webdataset(target, packing)) {
      write(first, 2, 500_000);
      try (StoreWriter<EncodedImage> second = webdataset(target, packing)) {
        assertThatThrownBy(() -> write(first, IMAGES, 500_000))
            .hasMessageContainingAll("s3://bucket/out is being written by another writer: process");
        write(second, IMAGES, 500_000);
        second.commit();
      }
    }
    assertBucketHas(local("webdataset", packing, 500_000));
  }

  /** A writer that has fallen behind, while another command has begun anew. */
  @Test
  void shouldReplaceNothingOfTheWriterThatHasTakenOver() throws IOException {
    Path target = files.getPath("/out");
    Packing slow = packing("webdataset", 20_000_000);
    Packing other = packing("webdataset", 9_000_000);
    try (StoreWriter<EncodedImage> first = webdataset(target, slow)) {
      write(first, 19, 1_000_000); // one less than a shard has
      try (StoreWriter<EncodedImage> second = webdataset(target, other.withRestart(true))) {
        write(second, 12, 1_000_000);
        byte[] shard = stub.bytes("out/data-000000.tar");

        assertThatThrownBy(() -> write(first, IMAGES, 1_000_000))
            .hasMessageContainingAll(
                "s3://bucket/out is being written by another writer: process ", " on ", " since ")
            .message()
            .doesNotContain("UUID")
            .doesNotContainPattern("[0-9a-f]{8}-[0-9a-f]{4}");
        assertThatThrownBy(first::commit).isInstanceOf(IllegalStateException.class);
        assertThat(stub.bytes("out/data-000000.tar")).isSameAs(shard);

        write(second, IMAGES, 1_000_000);
        second.commit();
      }
    }
    assertBucketHas(local("webdataset", other, 1_000_000));
  }

  /** A part that is sent whole cannot be given up by the other. */
  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "mds", "zip", "recordio", "imagefolder"})
  void shouldLeaveWhatAnotherCommandHasWritten(String format) throws IOException {
    Path target = files.getPath("/out");
    Packing one = packing(format, 100_000_000).withSource(Map.of("source", "one"));
    Packing other = packing(format, 100_000_000).withSource(Map.of("source", "other"));
    StoreWriter<EncodedImage> first = StoreFormat.named(format).create(target, one);
    write(first, IMAGES, 40_000);
    if (format.equals("imagefolder")) {
      awaitImages();
    }
    write(target, format, other.withRestart(true), 50_000);

    assertThatThrownBy(first::commit)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("out", "another writer", "one that has just ended");
    // Data that could not be written cannot be kept for later either.
    Throwable atTheEnd = catchThrowable(first::close);
    if (atTheEnd != null) {
      assertThat(atTheEnd).hasMessageContaining("one that has just ended");
    }
    assertBucketHas(local(format, packing(format, 100_000_000), 50_000));
  }

  /** Waits for images that are sent one by one: later ones would be in the way of the other. */
  private void awaitImages() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (stub.sizes().keySet().stream().filter(key -> key.endsWith(".jpg")).count() < IMAGES) {
      assertThat(System.nanoTime() - end).as("the images do not arrive").isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldSendAgainWhatAServerTooBusyHasRefused() throws IOException {
    assertWrittenDespite(
        3, (exchange, number) -> number % 4 == 2 && StubStore.refuse(exchange, 503, "SlowDown"));
  }

  @Test
  void shouldNoticeThatAnAnswerToTheCompletionWasLost() throws IOException {
    Set<String> lost = ConcurrentHashMap.newKeySet();
    assertWrittenDespite(
        1,
        (exchange, number) ->
            isCompletion(exchange) && lost.add("") && stub.answerUnheard(exchange));
  }

  private static boolean isCompletion(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("POST")
        && exchange.getRequestURI().getRawQuery().startsWith("uploadId");
  }

  /** Otherwise a writer would take the journal of the one that has taken over for its own. */
  @ParameterizedTest
  @ValueSource(ints = {10, PartUpload.PART_BYTES + 1})
  void shouldTellTheVersionOfWhatItHasPutAndNotOfWhatCameLater(int bytes)
      throws IOException, InterruptedException {
    ObjectOutput object = ObjectOutput.of(files.getPath("/out"));
    CountDownLatch later = new CountDownLatch(1);
    stub.fault(
        (exchange, number) -> {
          if (bytes > 10 ? !isCompletion(exchange) : !exchange.getRequestMethod().equals("PUT")) {
            return false;
          }
          stub.answer(exchange);
          stub.put("out", new byte[bytes]);
          later.countDown();
          return true;
        });

    String version;
    if (bytes > 10) {
      try (ObjectOutput.Upload upload = object.upload()) {
        upload.write(new byte[bytes]);
        version = upload.complete(ObjectOutput.ABSENT);
      }
    } else {
      version = object.write(new byte[bytes], ObjectOutput.ABSENT);
    }

    later.await();
    assertThat(version).isNotEqualTo(object.version());
    assertThatThrownBy(() -> object.write(new byte[] {1}, version))
        .isInstanceOf(ObjectOutput.ConflictException.class);
  }

  @Test
  void shouldWriteAFolderWhereAServerKnowsNoConditions() throws IOException {
    stub.withoutConditions();
    assertWritten("imagefolder", packing(), 10_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "imagefolder"})
  void shouldAskAgainWhereAServerDoesNotYetKnowOfAConflict(String format) throws IOException {
    Set<String> undecided = ConcurrentHashMap.newKeySet();
    stub.fault(
        (exchange, number) ->
            exchange.getRequestHeaders().containsKey("If-None-Match")
                && undecided.add(exchange.getRequestURI().getPath())
                && StubStore.refuse(exchange, 409, "ConditionalRequestConflict"));
    assertWritten(format, packing(format, 300_000), 40_000);
    assertThat(undecided).hasSizeGreaterThan(2);
  }

  /** S3 begins to answer before it has put the parts together. */
  @Test
  void shouldCompleteAgainWhereTheServerFailsAfterItHasSaidYes() throws IOException {
    Deque<String> codes = new ConcurrentLinkedDeque<>(List.of("InternalError", "SlowDown"));
    assertWrittenDespite(
        2,
        (exchange, number) ->
            isCompletion(exchange)
                && !codes.isEmpty()
                && StubStore.refuse(exchange, 200, codes.remove()));
  }

  @ParameterizedTest
  @CsvSource({"InternalError, in 4 attempts", "EntityTooSmall, the server refuses"})
  void shouldFailWhereACompletionHasFailedAfterItWasAnsweredWithYes(String code, String words)
      throws IOException {
    stub.fault(
        (exchange, number) -> isCompletion(exchange) && StubStore.refuse(exchange, 200, code));
    Packing packing = packing("webdataset", 20_000_000);

    assertThatThrownBy(() -> write(files.getPath("/out"), "webdataset", packing, 1_000_000))
        .hasMessageContainingAll(
            "out/data-000000.tar, the completion of its 3 parts", "status 200", code, words);
    assertThat(stub.uploads()).as("given up").isEmpty();
    assertThat(stub.sizes()).containsOnlyKeys("out/" + ObjectOutput.UNFINISHED);
  }

  @Test
  void shouldSendAPartAgainWhoseConnectionWasReset() throws IOException {
    AtomicInteger parts = new AtomicInteger();
    assertWrittenDespite(
        2,
        (exchange, number) -> {
          String query = String.valueOf(exchange.getRequestURI().getRawQuery());
          if (!query.startsWith("partNumber=") || parts.getAndIncrement() % 3 != 0) {
            return false;
          }
          assertThat(exchange.getRequestBody().readNBytes(1 << 20)).hasSize(1 << 20);
          exchange.close();
          return true;
        });
  }

  @Test
  void shouldRefuseTwoImagesOfOneName() throws IOException {
    Path target = files.getPath("/out");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named("imagefolder").create(target, packing())) {
      writer.write(image(0, 10_000));
      writer.write(new EncodedImage("0000", image(2, 10_000).bytes(), 0, "jpg"));
      assertThatThrownBy(
              () -> {
                write(writer, IMAGES, 10_000);
                writer.commit();
              })
          .hasMessageContainingAll("s3://bucket/out/ant/0000.jpg", "two images", "--keys index");
    }
  }

  @Test
  void shouldRefuseTwoEqualImagesAndAClassWithoutImages() throws IOException {
    Path target = files.getPath("/out");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named("imagefolder").create(target, packing())) {
      writer.write(image(0, 10_000));
      writer.write(image(0, 10_000));
      write(writer, IMAGES, 10_000);
      assertThatThrownBy(writer::commit)
          .hasMessageContainingAll("24 images", "23 objects", "two images have one key");
    }
    Packing packing = Packing.of(List.of("ant", "bee", "cow"), IMAGES);
    assertThatThrownBy(() -> write(files.getPath("/cow"), "imagefolder", packing, 10_000))
        .hasMessageContainingAll("s3://bucket/cow", "'cow' has no images", "webdataset");
  }

  @Test
  void shouldFailWhereAPartIsLostOrHasAnotherETag() throws IOException {
    stub.fault(
        (exchange, number) -> {
          String query = String.valueOf(exchange.getRequestURI().getRawQuery());
          if (!query.startsWith("partNumber=2&")) {
            return false;
          }
          return StubStore.send(exchange, 200, "", "ETag", "\"0123456789abcdef0123456789abcdef\"");
        });
    Packing packing = packing("webdataset", 20_000_000);

    assertThatThrownBy(() -> write(files.getPath("/out"), "webdataset", packing, 1_000_000))
        .hasMessageContainingAll("out/data-000000.tar", "completion of its 3 parts", "InvalidPart");
    assertThat(stub.uploads()).as("given up").isEmpty();
    assertThat(stub.sizes()).containsOnlyKeys("out/" + ObjectOutput.UNFINISHED);
  }

  @Test
  void shouldRefuseWhatCannotBeSentInOrder() {
    Path target = files.getPath("/out");
    Packing packing = packing().withShardBytes(1_000_000);

    assertThatThrownBy(() -> write(target, "tfrecord", packing, 100_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("s3://bucket/out", "--shards");
    assertThatThrownBy(() -> write(target, "lmdb", packing(), 100_000))
        .hasMessageContainingAll("s3://bucket/out", "local");
    assertThat(stub.sizes()).isEmpty();
  }

  @Test
  void shouldTellNothingOfSecretsOrUploadsInErrors() throws IOException {
    S3Credentials secret = S3Credentials.of("AKIASECRETSECRET", "a/SECRET+of=mine");
    try (ObjectFileSystem signed = stub.builder(Map.of("credentials", secret)).build()) {
      for (int request = 0; request < 14; request++) {
        int refused = request;
        stub.fault((exchange, number) -> number >= refused && SecretsChild.echo(exchange, 403));
        Path target = signed.getPath("/out" + refused);
        Packing packing = packing("webdataset", 20_000_000);
        Throwable failure = catchThrowable(() -> write(target, "webdataset", packing, 1_000_000));
        assertThat(Throwables.getStackTrace(failure))
            .contains("s3://bucket/out" + refused)
            .doesNotContain(secret.accessKeyId(), secret.secretAccessKey())
            .doesNotContain("Signature=", "AWS4-HMAC", "upload+", "upload%2B");
      }
    }
  }
}
