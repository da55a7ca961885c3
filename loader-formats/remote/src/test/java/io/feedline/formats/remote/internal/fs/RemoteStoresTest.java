package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
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
import io.feedline.formats.store.StoreWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datasets and loaders over a bucket give what they give over a local directory. */
class RemoteStoresTest {

  private static final List<String> FILES = List.of("jpeg_444.jpg", "jpeg_grey.jpg");

  @TempDir private Path disk;
  @AutoClose private final StubStore stub = new StubStore();

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

  /** Writes a store of images as large as those of a training, and puts it into the bucket. */
  private Path packed(String format, int images) throws IOException {
    Path made = disk.resolve(format);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(made, Packing.of(List.of("ant", "bee"), images))) {
      for (int i = 0; i < images; i++) {
        writer.write(StubStore.image(i, 100_000, i % 2));
      }
      writer.commit();
    }
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
    Path local = packed(format, 40);
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
    "webdataset, 1, 16384",
    "tfrecord, 2, 16384",
    "recordio, 1, 16384",
    "mds, 2, 65536",
    "zip, 1, 16384",
    "imagefolder, 2, 16384"
  })
  void shouldReadAHeaderAndALabelByFewSmallRequests(String format, int most, int bytes)
      throws IOException {
    packed(format, 40);
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
    packed(format, 40);
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
}
