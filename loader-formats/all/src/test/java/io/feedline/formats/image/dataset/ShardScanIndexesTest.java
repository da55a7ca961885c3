package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.Together;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.index.internal.ScanIndexedTask;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ListedStores;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.CommittedTask;
import io.feedline.formats.store.PackingJob.Mode;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.Trees;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Scan indexes that tasks have put beside their shards. */
class ShardScanIndexesTest {

  @SuppressWarnings("unused") // by FieldSource
  static final List<String> FORMATS = ListedStores.FORMATS;

  private static final int IMAGES = 12;

  private Path store;

  @BeforeEach
  void nameStore(@TempDir Path directory) {
    store = directory.resolve("store");
  }

  private static Packing packing(String format) {
    Packing packing = Packing.of(ListedStores.CLASSES, 0).withShardBytes(4500);
    return format.equals("mds")
        ? packing.withOptions(StoreOptions.NONE.with("compression", "gz"))
        : packing;
  }

  private static ScanIndexedTask open(Path target, String format, String job, int task)
      throws IOException {
    TaskWriter writer =
        PackingJob.openTask(
            target, StoreFormat.named(format), packing(format), Map.of(), job, task, 3);
    return new ScanIndexedTask(writer, JobNames.directory(target, job, task, 3));
  }

  private static EncodedImage image(int number) {
    EncodedImage image = ListedStores.image(number);
    // One that has no scan index.
    return number == 4
        ? new EncodedImage(image.key(), Fixtures.bytes("png_1x1.png"), image.label())
        : image;
  }

  private static Path make(Path target, String format) throws IOException {
    PackingJob job =
        PackingJob.begin(target, StoreFormat.named(format), packing(format), Map.of(), Mode.CREATE);
    List<CommittedTask> tasks = new ArrayList<>();
    for (int task = 0; task < 2; task++) {
      try (TaskWriter writer = open(target, format, job.id(), task)) {
        for (int i = 0; i < IMAGES / 2; i++) {
          writer.write(image(task * IMAGES / 2 + i), Map.of());
        }
        List<PackedShard> shards = writer.commit();
        assertThat(shards).hasSizeGreaterThan(1).isEqualTo(writer.shards());
        tasks.add(new CommittedTask(task, 3, shards));
      }
    }
    job.commit(tasks);
    return target;
  }

  private static List<Path> indexFiles(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".scan-index")).sorted().toList();
    }
  }

  private static ScanIndex index(ImageDataset images, long sample) throws IOException {
    JpegImage parsed = JpegImage.parse(ListedStores.image(0).bytes());
    return images.scanIndexStore().place(sample).get(parsed);
  }

  private static void requireIndexes(ImageDataset images, long from, long to) throws IOException {
    for (long i = from; i < to; i++) {
      Optional<ScanIndex> expected = ScanIndexFile.index(images.encoded(i).bytes());
      ScanIndex found = index(images, i);
      assertThat(found == null).as("sample %d", i).isEqualTo(expected.isEmpty());
      if (found != null) {
        assertThat(found.toBytes()).isEqualTo(expected.get().toBytes());
      }
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldBeFoundForEachSample(String format) throws IOException {
    make(store, format);

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.size()).isEqualTo(IMAGES);
      assertThat(indexFiles(store)).hasSameSizeAs(images.store().shardSizes());
      assertThat(images.scanIndexStore().isInFiles()).isTrue();
      requireIndexes(images, 0, IMAGES);
      assertThat(index(images, IMAGES)).isNull();
      assertThat(index(images, -1)).isNull();
      assertThat(images.scanIndexStore().place(0).hasRoom()).isFalse();
      assertThat(images.get(1).image().pixels().rgb())
          .isEqualTo(images.withScanIndexBytes(0).get(1).image().pixels().rgb());
    }
  }

  @Test
  void shouldBeFoundByThreadsAtOnce() throws Exception {
    make(store, "webdataset");
    try (ImageDataset images = ImageDataset.open(store)) {
      Together.inEightThreads(
          thread -> {
            requireIndexes(images, 0, IMAGES);
            return null;
          });
    }
  }

  @Test
  void shouldBeMadeInMemoryForShardsThatHaveNone() throws IOException {
    make(store, "webdataset");
    List<Path> files = indexFiles(store);
    Files.delete(files.get(0));
    byte[] damaged = Files.readAllBytes(files.get(1));
    damaged[30] ^= 1;
    Files.write(files.get(1), damaged);

    // Without vectors OpenCV would decode, which makes no indexes.
    DecodeOptions ours = DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.FEEDLINE);
    try (ImageDataset images = ImageDataset.open(store).withDecodeOptions(ours)) {
      long[] sizes = images.store().shardSizes();
      assertThat(images.scanIndexStore().isInFiles()).isFalse();
      for (long sample : new long[] {0, sizes[0]}) {
        assertThat(index(images, sample)).isNull();
        assertThat(images.scanIndexStore().place(sample).hasRoom()).isTrue();
        images.get(sample).image().pixels();
      }
      assertThat(index(images, 0)).as("once it was decoded").isNotNull();
      requireIndexes(images, sizes[0] + sizes[1], IMAGES);
    }
  }

  @Test
  void shouldNotBeUsedForAnotherShard() throws IOException {
    make(store, "webdataset");
    List<Path> files = indexFiles(store);
    Files.copy(files.get(0), files.get(2), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    try (ImageDataset images = ImageDataset.open(store)) {
      long[] sizes = images.store().shardSizes();
      assertThat(index(images, 0)).isNotNull();
      assertThat(index(images, sizes[0] + sizes[1])).isNull();
    }
  }

  @Test
  void shouldBeThatOfTheWholeStoreWhereThereIsOne() throws IOException {
    make(store, "webdataset");
    try (ImageDataset images = ImageDataset.open(store);
        ScanIndexFile.Writer writer =
            new ScanIndexFile.Writer(
                ScanIndexFile.placeOf(images.path()), images.fingerprint(), images.size())) {
      for (int i = 0; i < images.size(); i++) {
        writer.add(ScanIndexFile.index(images.encoded(i).bytes()));
      }
      writer.commit();
    }

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.scanIndexStore()).isInstanceOf(ScanIndexFile.class);
      requireIndexes(images, 0, IMAGES);
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldBeFoundForAShardThatIsOpenedAlone(String format) throws IOException {
    make(store, format);
    StoreFormat of = StoreFormat.named(format);
    String last = of.shards(store, StoreOptions.NONE).get(2);

    try (ImageDataset shard = ImageDataset.of(of.openShard(store, last, StoreOptions.NONE))) {
      assertThat(shard.scanIndexStore().isInFiles()).isTrue();
      requireIndexes(shard, 0, shard.size());
    }
    if (!format.equals("mds")) {
      Path file =
          Path.of(
              indexFiles(store).get(2).toString().replaceFirst("/[.]([^/]+)[.]scan-index$", "/$1"));
      try (ImageDataset shard = ImageDataset.open(file)) {
        requireIndexes(shard, 0, shard.size());
      }
    }
  }

  @Test
  void shouldNotBeUsedWhereTheStoreMayBeFarAway() throws IOException {
    make(store, "webdataset");
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path copy = files.getPath("/store");
      Trees.copy(store, copy);

      try (ImageDataset images = ImageDataset.open(copy)) {
        assertThat(images.scanIndexStore().isInFiles()).isFalse();
        assertThat(index(images, 0)).isNull();
      }
    }
  }

  @Test
  void shouldBeWrittenIntoABucketToo() throws IOException {
    try (StubStore stub = new StubStore();
        FileSystem files =
            FileSystems.newFileSystem(
                URI.create("s3://" + StubStore.BUCKET),
                Map.of("endpoint", stub.endpoint().toString(), "anonymous", "true"))) {
      Path target = files.getPath("/data/store");
      make(target, "webdataset");

      List<String> names = new ArrayList<>();
      ObjectOutput.of(target).listObjects(names::add);
      assertThat(names.stream().filter(name -> name.endsWith(".tar.scan-index")))
          .hasSameSizeAs(names.stream().filter(name -> name.endsWith(".tar")).toList());
      try (ImageDataset images = ImageDataset.open(target)) {
        assertThat(images.scanIndexStore().isInFiles()).isFalse();
      }
    }
  }

  @Test
  void shouldGoWithATaskThatIsNotCommitted() throws IOException {
    PackingJob job =
        PackingJob.begin(
            store, StoreFormat.named("webdataset"), packing("webdataset"), Map.of(), Mode.CREATE);
    try (TaskWriter writer = open(store, "webdataset", job.id(), 0)) {
      for (int i = 0; i < IMAGES / 2; i++) {
        writer.write(image(i), Map.of());
      }
      assertThat(indexFiles(store)).hasSameSizeAs(writer.shards()).isNotEmpty();
    }
    assertThat(indexFiles(store)).isEmpty();
  }

  @Test
  void shouldBeAsManyAsTheShardHasSamples() {
    ShardIdentity shard = new ShardIdentity(store.resolve("data.tar"), 1024, 2);
    assertThatThrownBy(() -> ScanIndexFile.forShard(shard, List.of(Optional.empty())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data.tar has 2 samples, and not 1");
  }
}
