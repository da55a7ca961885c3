package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.UploadsPage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format in every server, read and written with signed requests, and by a faulty network. */
@ParameterizedClass(name = "{0}")
@EnumSource(S3Server.Kind.class)
@Timeout(180)
class EveryServerTest {

  private static S3Server server;

  @Parameter(0)
  private S3Server.Kind kind;

  private ObjectFileSystem files;
  private FaultyProxy proxy;

  private static final List<String> CLASSES = List.of("ant", "bee eater");

  private static int directories;
  private String directory;
  @TempDir private Path disk;

  @BeforeEach
  void open() throws Exception {
    if (server == null) {
      server = kind.open();
    }
    files = server.files();
    directory = "/written " + directories++ + "/ü+";
  }

  @AfterEach
  void close() {
    if (files != null) {
      files.close();
    }
    if (proxy != null) {
      proxy.close();
    }
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @Test
  void shouldGiveTheSamplesOfEveryFormat() throws Exception {
    List<String> read = new ArrayList<>();
    for (StoreFormat format : StoreFormat.all()) {
      if (!format.isWritable() || format.name().equals("lmdb")) {
        continue; // LMDB maps its file
      }
      Path made = disk.resolve(format.name());
      StubStore.write(
          format.name(),
          made,
          Packing.of(CLASSES, 8),
          8,
          i ->
              new EncodedImage(
                  CLASSES.get(i / 4) + "/" + i,
                  Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg"),
                  i / 4,
                  "jpg"));
      if (Files.isDirectory(made)) {
        server.putAll(made, "stores/" + format.name() + "/");
      } else {
        server.put("stores/" + format.name(), Files.readAllBytes(made));
      }
      Path there = files.getPath("/stores/" + format.name());
      assertThat(StoreFormat.of(there).name()).isEqualTo(format.name());
      try (ImageStore local = format.open(made, StoreOptions.NONE);
          ImageStore remote = format.open(there, StoreOptions.NONE)) {
        assertSame(remote, local);
      }
      read.add(format.name());
    }
    assertThat(read).contains("imagefolder", "tfrecord", "recordio", "webdataset", "mds", "zip");
  }

  private static void assertSame(ImageStore remote, ImageStore local) throws IOException {
    assertThat(remote.size()).isEqualTo(local.size());
    assertThat(remote.classes()).isEqualTo(local.classes());
    assertThat(remote.fingerprint()).isEqualTo(local.fingerprint());
    for (long i = 0; i < local.size(); i++) {
      EncodedImage image = remote.read(i);
      assertThat(image.bytes()).isEqualTo(local.read(i).bytes());
      assertThat(image.key()).isEqualTo(local.read(i).key());
      assertThat(image.label()).isEqualTo(local.label(i));
      assertThat(remote.describe(i)).contains("://bucket/stores/");
    }
  }

  @Test
  void shouldHaveKeysOfAllCharacters() throws Exception {
    List<String> keys =
        List.of(
            "keys/a b+c%20d.jpg",
            "keys/ü\u20ac\ud83d\ude00", "keys/!$&'()*,;=@:", "keys/#?[]{}|^`\"<>");
    for (String key : keys) {
      server.put(key, key.getBytes(StandardCharsets.UTF_8));
    }
    try (var entries = Files.list(files.getPath("/keys"))) {
      assertThat(entries.map(path -> ((KeyPath) path).key()))
          .containsExactlyInAnyOrderElementsOf(keys);
    }
    for (String key : keys) {
      assertThat(Files.readString(files.getPath("/" + key))).isEqualTo(key);
      assertThat(Files.readString(server.files().getPath("/" + key))).isEqualTo(key);
    }
  }

  @Test
  void shouldReadEmptyObjects() throws Exception {
    server.put("empty/a.bin", new byte[0]);
    server.put("empty/b.bin", new byte[] {1});
    assertThat(Files.readAllBytes(files.getPath("/empty/a.bin"))).isEmpty();
    try (var entries = Files.list(files.getPath("/empty"))) {
      assertThat(entries.filter(Files::isRegularFile)).hasSize(2);
    }
  }

  /** Hadoop, blobfuse and others put such objects for directories. */
  @Test
  void shouldTakeAnEmptyObjectForTheDirectoryOfThatName() throws Exception {
    assumeTrue(kind != S3Server.Kind.S3PROXY, "its objects are files, which are no directories");
    server.put("marked", new byte[0]);
    server.put("marked/ant", new byte[0]);
    server.put("marked/ant/1.jpg", Fixtures.bytes("jpeg_444.jpg"));
    assertThat(files.getPath("/marked")).isDirectory();
    try (ImageStore images =
        StoreFormat.of(files.getPath("/marked"))
            .open(files.getPath("/marked"), StoreOptions.NONE)) {
      assertThat(images.size()).isEqualTo(1);
      assertThat(images.classes()).containsExactly("ant");
    }
  }

  @Test
  void shouldNoticeThatAnObjectIsAbsentOrHasChanged() throws Exception {
    server.put("some/key", new byte[] {1, 2, 3, 4});
    assertThatThrownBy(() -> files.objects().stat(URI.create("s3://bucket/some")))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(files.getPath("/some/other")).doesNotExist();
    assertThat(files.getPath("/some")).isDirectory();
    RemoteObject object = files.objects().stat(URI.create("s3://bucket/some/key"));
    assertThat(object.size()).isEqualTo(4);
    assertThat(object.version()).isNotEmpty();
    server.put("some/key", new byte[] {5, 6, 7, 8});
    assertThatThrownBy(() -> files.objects().read(object, 0, ByteBuffer.allocate(2)))
        .isInstanceOf(ObjectChangedException.class);
  }

  private static final int IMAGES = 12;
  private static final int BYTES = 1_000_000;

  /** Two shards, where the format has shards; the first has two parts but for tfrecord. */
  private static Packing packing(String format) {
    Packing packing = Packing.of(List.of("ant", "bee"), IMAGES);
    return switch (format) {
      case "webdataset", "mds" -> packing.withShardBytes(9L * BYTES);
      case "tfrecord" -> packing.withShards(2);
      default -> packing;
    };
  }

  private static EncodedImage image(int i) {
    return StubStore.image(i, BYTES, i * 2 / IMAGES);
  }

  private static void write(StoreWriter<EncodedImage> writer, int end) throws IOException {
    for (int i = (int) writer.written(); i < end; i++) {
      writer.write(image(i));
    }
  }

  private void assertAllAreThere(String format, Path target) throws IOException {
    assertThat(StoreFormat.of(target).name()).isEqualTo(format);
    try (ImageStore store = StoreFormat.named(format).open(target, StoreOptions.NONE)) {
      assertThat(store.size()).isEqualTo(IMAGES);
      assertThat(store.classes()).containsExactly("ant", "bee");
      for (int i = 0; i < IMAGES; i++) {
        assertThat(store.read(i).bytes()).isEqualTo(image(i).bytes());
        assertThat(store.read(i).label()).isEqualTo(image(i).label());
      }
    }
    assertThat(underWay()).as("nothing is left that is being sent").isEmpty();
  }

  /** The keys of what is being sent in parts. */
  private List<String> underWay() throws IOException {
    return files.objects().writes().uploads(files.root()).stream()
        .map(UploadsPage.Upload::key)
        .toList();
  }

  private List<String> objects() throws IOException {
    List<String> keys = new ArrayList<>();
    files
        .objects()
        .list(
            KeyText.uri(files.root(), directory.substring(1)),
            object -> keys.add(KeyText.key(object.uri())));
    return keys;
  }

  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "mds", "recordio", "tfrecord", "imagefolder", "zip"})
  void shouldReadWhatItHasWritten(String format) throws IOException {
    Path target = files.getPath(directory);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      write(writer, IMAGES);
      assertThat(objects()).anyMatch(key -> key.endsWith(ObjectOutput.UNFINISHED));
      writer.commit();
    }
    assertThat(objects()).noneMatch(key -> key.endsWith(ObjectOutput.UNFINISHED));

    assertAllAreThere(format, target);
    assertThatThrownBy(() -> StoreFormat.named(format).create(target, packing(format)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContainingAll(files.root() + "written", "exists already");
  }

  @Tag("once")
  @ParameterizedTest
  @CsvSource({"webdataset, 8", "mds, 8", "recordio, 0", "tfrecord, 6", "imagefolder, 10", "zip, 0"})
  void shouldGoOnWhereARunWasInterrupted(String format, long kept) throws IOException {
    Path target = files.getPath(directory);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      write(writer, 10);
    }
    // As a process leaves it that was killed while it sent something.
    String prefix = directory.substring(1);
    URI orphan = KeyText.uri(files.root(), format.equals("zip") ? prefix : prefix + "/orphan.tar");
    URI beside = KeyText.uri(files.root(), prefix + "beside");
    files.objects().writes().begin(orphan);
    files.objects().writes().begin(beside);

    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(target, packing(format))) {
      assertThat(writer.written()).isEqualTo(kept);
      assertThat(underWay())
          .isEqualTo(server.listsUploads() ? List.of(KeyText.key(beside)) : List.of());
      write(writer, IMAGES);
      writer.commit();
    }

    for (UploadsPage.Upload each : files.objects().writes().uploads(beside)) {
      files.objects().writes().abort(beside, each.id());
    }
    assertAllAreThere(format, target);
  }

  @Tag("once")
  @Test
  void shouldPutAnObjectOnlyIfItHasTheVersionThatWasSeen() throws IOException {
    ObjectOutput object = ObjectOutput.of(files.getPath(directory));
    String first = object.write(new byte[] {1}, ObjectOutput.ABSENT);
    assertThat(object.version()).isEqualTo(first).isNotEmpty();
    assertThatThrownBy(() -> object.write(new byte[] {2}, ObjectOutput.ABSENT))
        .isInstanceOf(ObjectOutput.ConflictException.class);
    String second = object.write(new byte[] {3}, first);
    assertThatThrownBy(() -> object.write(new byte[] {4}, first))
        .isInstanceOf(ObjectOutput.ConflictException.class)
        .hasMessageContaining(files.root() + "written");
    assertThat(object.read().bytes()).containsExactly(3);
    assertThat(object.read().version()).isEqualTo(second);
  }

  @Tag("once")
  @Test
  void shouldCompleteAnObjectOnlyIfItHasTheVersionThatWasSeen() throws IOException {
    ObjectOutput object = ObjectOutput.of(files.getPath(directory));
    byte[] large = new byte[PartUpload.PART_BYTES + 1];
    try (ObjectOutput.Upload slow = object.upload()) {
      slow.write(large);
      slow.write(new byte[] {7});
      // Not "if absent": for Azurite a blob that has only blocks without a list is there.
      object.write(new byte[] {1}, ObjectOutput.ANY);

      assertThatThrownBy(() -> slow.complete(ObjectOutput.ABSENT))
          .isInstanceOf(ObjectOutput.ConflictException.class);
    }
    assertThat(object.read().bytes()).containsExactly(1);
    assertThat(underWay()).isEmpty();
    try (ObjectOutput.Upload replacing = object.upload()) {
      replacing.write(large);
      replacing.complete(object.version());
    }
    assertThat(object.size()).isEqualTo(large.length);
  }

  @Tag("once")
  @Test
  void shouldTakeWhatIsThereAlreadyForWhatWasSent() throws IOException {
    ObjectOutput object = ObjectOutput.of(files.getPath(directory));
    byte[] large = new byte[PartUpload.PART_BYTES + 1];
    large[5] = 5;
    for (int i = 0; i < 2; i++) {
      try (ObjectOutput.Upload upload = object.upload()) {
        upload.write(large);
        upload.complete(ObjectOutput.ABSENT);
      }
    }
    assertThat(object.size()).isEqualTo(large.length);
    assertThat(underWay()).isEmpty();
  }

  /** Makes a proxy, which answers some requests itself: the faults of a network. */
  private void standBetween() {
    assumeTrue(
        kind != S3Server.Kind.S3PROXY && kind != S3Server.Kind.MOTO, "the stub speaks S3 as well");
    proxy = new FaultyProxy(server.endpoint());
  }

  /**
   * Requests are refused at the opening and in the middle of an epoch, as a store does that is
   * asked too often.
   */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void shouldReadAnEpochThatIsThrottled(int status) throws Exception {
    standBetween();
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    server.putAll(local, directory.substring(1) + "/");
    Set<String> refused = ConcurrentHashMap.newKeySet();
    proxy.fault(
        (exchange, number) ->
            refused.add(
                    exchange.getRequestMethod()
                        + exchange.getRequestURI()
                        + exchange.getRequestHeaders().getFirst("Range"))
                && StubStore.send(exchange, status, "", "Retry-After", "1"));
    try (ObjectFileSystem files = server.files(proxy.endpoint());
        ImageDataset images = ImageDataset.open(files.getPath(directory))) {
      for (int epoch = 0; epoch < 2; epoch++) {
        List<Long> read = new ArrayList<>();
        refused.clear();
        try (DataLoader<Long> loader =
            DataLoader.builder(images.map(sample -> (long) sample.image().width()))
                .batchSize(7)
                .numWorkers(3)
                .build()) {
          for (Batch batch : loader) {
            try (batch) {
              for (long index : batch.indices()) {
                read.add(index);
              }
            }
          }
        }
        assertThat(read)
            .isEqualTo(IntStream.range(0, ServerChild.IMAGES).mapToObj(Long::valueOf).toList());
        // The second epoch may find all that it reads in memory.
        assertThat(refused.size() + epoch).isPositive();
      }
    }
  }

  /** A server that refuses all from some request on leaves what a killed process does. */
  @Tag("once")
  @Test
  void shouldContinueAfterAKillAtAnyRequest() throws Exception {
    standBetween();
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    Throwable killed;
    int runs = 0;
    do {
      String target = directory + "/" + runs;
      int requests = ++runs;
      proxy.fault(
          (exchange, number) -> number >= requests && StubStore.refuse(exchange, 403, "Gone"));
      try (ObjectFileSystem files = server.files(proxy.endpoint())) {
        killed = catchThrowable(() -> ServerChild.write(files.getPath(target)));
      }
      try (ObjectFileSystem files = server.files()) {
        if (killed != null) {
          assertThat(killed).isInstanceOf(IOException.class);
          assertThatThrownBy(() -> ImageDataset.open(files.getPath(target)))
              .as("killed at request " + requests)
              .isInstanceOf(IOException.class);
          ServerChild.write(files.getPath(target));
        }
        assertSameFiles(files.getPath(target), local);
      }
    } while (killed != null);
    assertThat(runs).isBetween(8, 60);
  }

  /** A process is killed while it waits for an answer; another one continues. */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7})
  void shouldContinueWhatAKilledProcessHasPacked(int request) throws Exception {
    standBetween();
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    String target = directory;
    ServerChild.kill(proxy, kind, target, disk, request);
    try (ObjectFileSystem files = server.files()) {
      assertThatThrownBy(() -> ImageDataset.open(files.getPath(target)))
          .isInstanceOf(IOException.class);
      ServerChild.write(files.getPath(target));
      assertSameFiles(files.getPath(target), local);
    }
  }

  private static void assertSameFiles(Path there, Path here) throws IOException {
    try (ImageStore remote = StoreFormat.named("mds").open(there, StoreOptions.NONE);
        ImageStore local = StoreFormat.named("mds").open(here, StoreOptions.NONE);
        Stream<Path> files = Files.list(there);
        Stream<Path> expected = Files.list(here)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              expected.map(each -> each.getFileName().toString()).toList());
      assertThat(remote.size()).isEqualTo(ServerChild.IMAGES);
      for (int i = 0; i < ServerChild.IMAGES; i++) {
        assertThat(remote.read(i).bytes()).isEqualTo(local.read(i).bytes());
        assertThat(remote.read(i).label()).isEqualTo(local.read(i).label());
      }
    }
  }

  @Tag("once")
  @Test
  void shouldSayThatARequestIsRefusedForGood() throws Exception {
    standBetween();
    server.put(directory.substring(1) + "/a.bin", new byte[10]);
    for (int status : List.of(403, 500)) {
      proxy.fault((exchange, number) -> StubStore.refuse(exchange, status, "Gone"));
      try (ObjectFileSystem files = server.files(proxy.endpoint())) {
        URI uri = files.getPath(directory + "/a.bin").toUri();
        assertThatThrownBy(() -> Files.readAllBytes(files.getPath(directory + "/a.bin")))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll(uri.toString(), "status " + status);
        if (status == 403) {
          assertThat(proxy.asked()).as("once more with new credentials").isLessThanOrEqualTo(2);
        }
      }
    }
  }
}
