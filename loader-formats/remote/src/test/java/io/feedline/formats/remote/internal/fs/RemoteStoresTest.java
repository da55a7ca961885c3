package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datasets and loaders over a bucket give what they give over a local directory. */
@Execution(ExecutionMode.SAME_THREAD)
class RemoteStoresTest {

  private static final List<String> FILES = List.of("jpeg_444.jpg", "jpeg_grey.jpg");

  private static final int IMAGES = 40;
  private static final String INDEXES = "feedline.indexes";

  @TempDir private Path disk;
  private String before;
  @AutoClose private final StubStore stub = new StubStore();

  @BeforeEach
  void start() {
    before = System.getProperty(INDEXES);
    System.setProperty(INDEXES, disk.resolve("indexes").toString());
  }

  @AfterEach
  void stop() {
    if (before == null) {
      System.clearProperty(INDEXES);
    } else {
      System.setProperty(INDEXES, before);
    }
  }

  private Path folder() throws IOException {
    Path root = disk.resolve("train");
    for (int i = 0; i < 12; i++) {
      Path file = root.resolve(i % 3 == 0 ? "ant eater" : "bee").resolve("c%5 +" + i + "ü.jpg");
      Files.createDirectories(file.getParent());
      Files.write(file, Fixtures.bytes(FILES.get(i % 2)));
    }
    return root;
  }

  private static List<String> batches(ImageDataset images) {
    List<String> batches = new ArrayList<>();
    try (DataLoader<?> loader =
        DataLoader.builder(images.withTransform(CenterCrop.of(16)))
            .batchSize(5)
            .shuffle(true)
            .seed(7)
            .numWorkers(3)
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          batches.add(Arrays.toString(batch.indices()) + checksum(batch));
        }
      }
    }
    return batches;
  }

  private static String checksum(Batch batch) {
    CRC32C crc = new CRC32C();
    batch.tensors().values().forEach(tensor -> crc.update(tensor.bytes()));
    return Long.toHexString(crc.getValue());
  }

  @Test
  void shouldGiveTheBatchesOfTheLocalFolder() throws IOException {
    Path local = folder();
    stub.putAll(local, "data/train/").pageSize(5);
    try (ObjectFileSystem files = stub.open();
        ImageDataset here = ImageDataset.open(local);
        ImageDataset there = ImageDataset.open(files.getPath("/data/train"))) {
      assertThat(there.classes()).isEqualTo(here.classes());
      assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
      assertThat(batches(there)).isEqualTo(batches(here)).hasSize(3);
    }
  }

  /** Writes a store of images whose lengths depend on their numbers. */
  private Path packed(String format, String name, int images, IntUnaryOperator bytes)
      throws IOException {
    Packing packing = Packing.of(List.of("ant", "bee"), images);
    return StubStore.write(
        format,
        disk.resolve(name),
        packing,
        images,
        i -> StubStore.image(i, bytes.applyAsInt(i), i % 2));
  }

  /** Writes a store of images as large as those of a training, and puts it into the bucket. */
  private Path packed(String format) throws IOException {
    Path made = packed(format, format, IMAGES, i -> 100_000);
    if (Files.isDirectory(made)) {
      stub.putAll(made, format + "/");
    } else {
      stub.put(format, Files.readAllBytes(made));
    }
    return made;
  }

  /** To open it takes a listing, the heads of files that may be there, and the scan in pieces. */
  @ParameterizedTest
  @CsvSource({"webdataset, 40", "tfrecord, 40", "recordio, 40", "mds, 42"})
  void shouldNeedFewRequestsForASample(String format, int most) throws IOException {
    Path local = packed(format);
    try (ObjectFileSystem files = stub.open();
        ImageStore here = StoreFormat.named(format).open(local, StoreOptions.NONE);
        ImageStore there =
            StoreFormat.named(format).open(files.getPath("/" + format), StoreOptions.NONE)) {
      int opening = stub.requests().size();
      stub.forgetRequests();
      for (long i = 0; i < 40; i++) {
        long index = i * 17 % 40;
        assertThat(there.read(index).bytes()).isEqualTo(here.read(index).bytes());
      }

      assertThat(opening).isLessThan(20);
      assertThat(stub.requests()).hasSizeLessThanOrEqualTo(most);
    }
  }

  /** A query for the sizes of images reads the beginning first, then the missing rest. */
  @ParameterizedTest
  @CsvSource({
    "webdataset, 1, 16384", "tfrecord, 2, 16384", "recordio, 1, 16384",
    "mds, 2, 65536", "zip, 1, 16384", "imagefolder, 2, 16384"
  })
  void shouldReadAHeaderAndALabelByFewSmallRequests(String format, int most, int bytes)
      throws IOException {
    packed(format);
    try (ObjectFileSystem files = stub.open();
        ImageStore there =
            StoreFormat.named(format).open(files.getPath("/" + format), StoreOptions.NONE)) {
      // Reads what a shard has for all of its samples.
      there.label(0);
      stub.forgetRequests();
      for (int i = 1; i < 11; i++) {
        Optional<FileRange> range = there.range(i);
        try (Closeable beginning =
                range.isEmpty()
                    ? () -> {}
                    : there.openRange(
                        new FileRange(range.get().file(), range.get().offset(), 1 << 14));
            StoredImage image = there.locate(i).orElseThrow()) {
          byte[] header = new byte[range.isEmpty() ? 1 << 14 : 1 << 12];
          image.read(0, header, 0, header.length);
          assertThat(beginning).isNotNull();
          assertThat(header).startsWith(0xFF, 0xD8, 0xFF);
          assertThat(image.label()).isEqualTo(format.equals("imagefolder") ? 0 : i % 2);
        }
      }
      assertThat(stub.requests()).hasSizeLessThanOrEqualTo(10 * most);
      assertThat(stub.requests())
          .filteredOn(request -> request.method().equals("GET"))
          .allMatch(request -> length(request.header("range")) <= bytes);
    }
  }

  private static int length(String range) {
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    return Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1;
  }

  /** Two files of another format's tests, here and there. */
  private Path fixtures(String format, String names) throws IOException {
    Path local = Files.createDirectories(disk.resolve(format));
    for (int i = 0; i < 2; i++) {
      String resource = "/io/feedline/formats/" + names.formatted(i);
      try (InputStream made = getClass().getResourceAsStream(resource)) {
        Files.copy(made, local.resolve(resource.substring(resource.lastIndexOf('/') + 1)));
      }
    }
    stub.putAll(local, format + "/");
    return local;
  }

  /** A footer for each file; of each row group the headers and pages of two columns. */
  @Test
  void shouldReadEachPageOfParquetOnce() throws IOException {
    Path local = fixtures("parquet", "parquet/split/train-0000%d-of-00002.parquet");
    try (ObjectFileSystem files = stub.open();
        ImageDataset here = ImageDataset.open(local);
        ImageDataset there = ImageDataset.open(files.getPath("/parquet"))) {
      assertThat(stub.requests()).hasSizeLessThan(8);
      stub.forgetRequests();
      assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
      for (int epoch = 0; epoch < 2; epoch++) {
        for (long i = 0; i < 12; i++) {
          assertThat(there.encoded(i).bytes()).isEqualTo(here.encoded(i).bytes());
        }
        assertThat(there.labels()).isEqualTo(here.labels());
      }
      assertThat(there.store().shardSizes()).hasSize(4);
      assertThat(stub.requests()).hasSizeLessThanOrEqualTo(4 * 2 * 4);
    }
  }

  /** Headers alone when it is opened; then of each image offsets, bytes and label. */
  @Test
  void shouldReadNoMoreOfArrowThanAnImage() throws IOException {
    Path local = fixtures("arrow", "arrow/part/data-0000%d-of-00002.arrow");
    try (ObjectFileSystem files = stub.open();
        ImageDataset here = ImageDataset.open(local);
        ImageDataset there = ImageDataset.open(files.getPath("/arrow"))) {
      assertThat(stub.requests()).hasSizeLessThan(20);
      stub.forgetRequests();
      assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
      for (long i = 0; i < 12; i++) {
        assertThat(there.encoded(i).bytes()).isEqualTo(here.encoded(i).bytes());
      }
      assertThat(stub.requests()).hasSizeLessThanOrEqualTo(12 * 3);
      stub.forgetRequests();
      assertThat(there.labels()).isEqualTo(here.labels());
      assertThat(stub.requests()).hasSizeLessThanOrEqualTo(12);
    }
  }

  /** In the second epoch it is known of all formats of shards where samples lie. */
  @ParameterizedTest
  @CsvSource({"webdataset", "tfrecord", "mds", "recordio"})
  void shouldReadAShardInFewPiecesAheadOfTheWorkers(String format) throws IOException {
    packed(format);
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/" + format))) {
      List<String> first = batches(images);
      stub.forgetRequests();

      assertThat(batches(images)).isEqualTo(first);
      assertThat(stub.requests()).hasSizeLessThan(20);
    }
  }

  @Test
  void shouldNeedOneRequestForAFileOfAFolder() throws IOException {
    Path local = folder();
    stub.putAll(local, "train/");
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/train"))) {
      assertThat(stub.requests()).hasSizeLessThan(8);
      stub.forgetRequests();
      for (long i = 0; i < images.size(); i++) {
        assertThat(images.get(i).image().width()).isPositive();
      }

      assertThat(stub.requests()).hasSize((int) images.size());
    }
  }

  // ---- indexes: shards that are not on this machine are scanned once ----

  /** Writes a store; stores with different shifts have the same length, and other images. */
  private Path indexed(String format, String name, int shift) throws IOException {
    return packed(format, name, IMAGES, i -> 200_000 + 1000 * ((i + shift) % IMAGES));
  }

  /** Opens the bucket's data and returns its images, and what opening it has brought. */
  private Opened open(String format) throws IOException {
    stub.forgetRequests();
    try (ObjectFileSystem files = stub.open();
        ImageStore store =
            StoreFormat.named(format).open(files.getPath("/data"), StoreOptions.NONE)) {
      long ranges = stub.requests().stream().filter(each -> each.path().contains("data-0")).count();
      List<byte[]> images = new ArrayList<>();
      for (int i = 0; i < IMAGES; i++) {
        images.add(store.read(i).bytes());
      }
      return new Opened(ranges, images);
    }
  }

  private record Opened(long requestsOfShards, List<byte[]> images) {
    void assertSameAs(ImageStore local) throws IOException {
      for (int i = 0; i < IMAGES; i++) {
        assertThat(images.get(i)).isEqualTo(local.read(i).bytes());
      }
    }
  }

  @Test
  void shouldKeepIndexesWhereNobodyElseCanRead() throws IOException {
    assumeTrue(disk.getFileSystem().supportedFileAttributeViews().contains("posix"));
    stub.putAll(indexed("webdataset", "local", 0), "data/");
    open("webdataset");
    assertThat(Files.getPosixFilePermissions(disk.resolve("indexes")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "tfrecord"})
  void shouldScanAShardOnceInAllRuns(String format) throws IOException {
    Path local = indexed(format, "local", 0);
    stub.putAll(local, "data/");
    Opened first = open(format);
    List<Path> kept;
    try (Stream<Path> files = Files.list(disk.resolve("indexes"))) {
      kept = files.toList();
    }

    Opened second = open(format);

    assertThat(first.requestsOfShards).isPositive();
    assertThat(second.requestsOfShards).as("of a shard whose index is kept").isZero();
    assertThat(kept).hasSize(1);
    long size = Files.size(kept.get(0));
    assertThat(size).isEqualTo(48 + 8 * (IMAGES + 1));
    assertThat(second.images).usingElementComparator(Arrays::compare).isEqualTo(first.images);
    try (ImageStore here = StoreFormat.named(format).open(local, StoreOptions.NONE)) {
      second.assertSameAs(here);
    }
  }

  @Test
  void shouldUseAnIndexThatWasCopiedWithItsShard() throws IOException {
    Path local = indexed("webdataset", "local", 0);
    try (ImageStore here = StoreFormat.named("webdataset").open(local, StoreOptions.NONE)) {
      assertThat(local.resolve(".data-000000.tar.feedline-index")).exists();
      stub.putAll(local, "data/");

      Opened opened = open("webdataset");

      opened.assertSameAs(here);
      assertThat(opened.requestsOfShards).isLessThanOrEqualTo(6);
      assertThat(open("webdataset").requestsOfShards).isZero();
    }
  }

  @Test
  void shouldNotUseTheIndexOfAnotherShardOfTheSameSize() throws IOException {
    Path local = indexed("webdataset", "local", 0);
    Path other = indexed("webdataset", "other", 3);
    String shard = "data-000000.tar";
    assertThat(Files.size(other.resolve(shard))).isEqualTo(Files.size(local.resolve(shard)));
    try (ImageStore indexed = StoreFormat.named("webdataset").open(local, StoreOptions.NONE);
        ImageStore here = StoreFormat.named("webdataset").open(other, StoreOptions.NONE)) {
      assertThat(indexed.size()).isEqualTo(here.size());
      String index = "." + shard + ".feedline-index";
      stub.putAll(other, "data/").put("data/" + index, Files.readAllBytes(local.resolve(index)));

      open("webdataset").assertSameAs(here);
    }
  }

  @Test
  void shouldScanAgainWhenTheShardHasChanged() throws IOException {
    stub.putAll(indexed("webdataset", "local", 0), "data/");
    open("webdataset");
    Path other = indexed("webdataset", "other", 3);
    stub.putAll(other, "data/");

    Opened opened = open("webdataset");

    try (ImageStore here = StoreFormat.named("webdataset").open(other, StoreOptions.NONE)) {
      opened.assertSameAs(here);
    }
  }

  // ---- changes: a state is refused if the data that it belongs to have changed ----

  /** Puts a store into the bucket, in which image 5 is some bytes longer than the others. */
  private void change(String format, int images, int more) throws IOException {
    Path made = packed(format, format + images + more, images, i -> 9000 + (i == 5 ? more : 0));
    stub.putAll(made, format + "/");
  }

  private static DataLoader<EncodedImage> loader(ImageDataset images) {
    return DataLoader.builder(images.encoded())
        .collator((samples, batch) -> batch.values("image", samples))
        .batchSize(2)
        .shuffle(true)
        .seed(1)
        .numWorkers(1)
        .build();
  }

  private static List<String> rest(Iterable<Batch> batches) {
    List<String> keys = new ArrayList<>();
    for (Batch batch : batches) {
      try (batch) {
        batch.values().get("image").forEach(each -> keys.add(((EncodedImage) each).key()));
      }
    }
    return keys;
  }

  /** Takes two batches, and the state behind them; what is left goes to a list. */
  private LoaderState state(String format, List<String> left) throws IOException {
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/" + format));
        DataLoader<EncodedImage> loader = loader(images)) {
      BatchIterator batches = loader.iterator();
      batches.next().close();
      batches.next().close();
      LoaderState state = loader.state();
      left.addAll(rest(() -> batches));
      return LoaderState.fromJson(state.toJson());
    }
  }

  private List<String> resumed(String format, LoaderState state) throws IOException {
    try (ObjectFileSystem files = stub.open();
        ImageDataset images = ImageDataset.open(files.getPath("/" + format));
        DataLoader<EncodedImage> loader = loader(images)) {
      loader.resume(state);
      return rest(loader);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset", "tfrecord", "recordio", "mds"})
  void shouldGoOnWithTheSameDataAndRefuseOthers(String format) throws IOException {
    change(format, 12, 0);
    List<String> left = new ArrayList<>();
    LoaderState state = state(format, left);
    assertThat(left).hasSize(8);
    assertThat(resumed(format, state)).isEqualTo(left);

    change(format, 12, 512);
    if (format.equals("imagefolder")) {
      assertThat(resumed(format, state)).as("an image that was recovered").isEqualTo(left);
    } else {
      assertThatThrownBy(() -> resumed(format, state))
          .as("an object that has changed")
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("data");
    }

    change(format, 13, 0);
    assertThatThrownBy(() -> resumed(format, state))
        .as("an image that was added")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data");
  }

  @Test
  void shouldRefuseAFolderFromWhichAnObjectIsGoneWithAnotherInItsPlace() throws IOException {
    change("imagefolder", 12, 0);
    LoaderState state = state("imagefolder", new ArrayList<>());
    String gone =
        stub.requests().stream()
            .map(StubStore.Request::path)
            .filter(path -> path.endsWith(".jpg"))
            .findFirst()
            .orElseThrow();
    String key = gone.substring(gone.indexOf("imagefolder"));
    stub.put(key.replace(".jpg", "x.jpg"), stub.bytes(key)).remove(key);
    assertThatThrownBy(() -> resumed("imagefolder", state))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
