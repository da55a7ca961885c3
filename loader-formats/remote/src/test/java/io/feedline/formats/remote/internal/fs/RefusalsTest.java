package io.feedline.formats.remote.internal.fs;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.ExpectedLog;
import io.feedline.data.IterableDataset;
import io.feedline.data.StoreException;
import io.feedline.formats.coco.CocoDataset;
import io.feedline.formats.folder.ImageFiles;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.folder.PairFolder;
import io.feedline.formats.hdf5.Hdf5Dataset;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.pixels.CifarImages;
import io.feedline.formats.pixels.IdxImages;
import io.feedline.formats.recordio.RecordIoDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.table.TableDataset;
import io.feedline.formats.table.TableImages;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.voc.VocDataset;
import io.feedline.formats.webdataset.WebDataset;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An object that a server refuses is not called missing, whichever reader opens it. */
class RefusalsTest {

  @AutoClose private final StubStore stub = new StubStore();

  private interface Opening {
    Object open(Path root) throws Exception;
  }

  private static final Map<String, Opening> READERS =
      Map.ofEntries(
          Map.entry("ImageDataset", root -> ImageDataset.open(root.resolve("train"))),
          Map.entry("a shard", root -> ImageDataset.open(root.resolve("train-000000.tar"))),
          Map.entry("shards", root -> ImageDataset.open(root.resolve("train-{000..001}.tar"))),
          Map.entry("a table", root -> ImageDataset.open(root.resolve("train.parquet"))),
          Map.entry("ImageFolder", root -> ImageFolder.of(root.resolve("train"))),
          Map.entry("ImageFiles", root -> ImageFiles.of(root.resolve("train"))),
          Map.entry("a list", root -> ImageFiles.of(List.of(root.resolve("a.jpg")))),
          Map.entry("ofCsv", root -> ImageFiles.ofCsv(root.resolve("a.csv"), "file")),
          Map.entry("PairFolder", root -> PairFolder.of(root.resolve("x"), root.resolve("y"), 2)),
          Map.entry(
              "WebDataset",
              root -> WebDataset.builder(List.of(root.resolve("train-000000.tar"))).build()),
          Map.entry("TFRecord", root -> TfRecordDataset.of(root.resolve("train.tfrecord"))),
          Map.entry("TFRecords", root -> TfRecordDataset.of(root.resolve("train.tfrecord-*"))),
          Map.entry("RecordIO", root -> RecordIoDataset.of(root.resolve("train.rec"))),
          Map.entry("MDS", root -> MdsDataset.of(root.resolve("mds"))),
          Map.entry("ZIP", root -> ImageDataset.open(root.resolve("a.zip"))),
          Map.entry("HDF5", root -> Hdf5Dataset.images(root.resolve("a.h5")).build()),
          Map.entry("Parquet", root -> TableImages.of(root.resolve("a.parquet"))),
          Map.entry("CSV", root -> TableDataset.builder(root.resolve("a.csv")).build()),
          Map.entry("IDX", root -> IdxImages.of(root.resolve("train-images-idx3-ubyte"))),
          Map.entry("CIFAR", root -> CifarImages.of(root.resolve("data_batch_1.bin"))),
          Map.entry("VOC", root -> VocDataset.detection(root.resolve("VOC2012"), "train")),
          Map.entry(
              "COCO",
              root -> CocoDataset.detection(root.resolve("x"), root.resolve("instances.json"))),
          Map.entry("lines", root -> IterableDataset.lines(List.of(root.resolve("a.txt")))));

  private static final Map<Integer, String> REFUSALS =
      Map.of(
          400, "ExpiredToken",
          401, "InvalidToken",
          403, "AccessDenied",
          405, "MethodNotAllowed",
          503, "SlowDown");

  static Stream<Arguments> refusals() {
    return READERS.keySet().stream()
        .sorted()
        .flatMap(
            reader ->
                REFUSALS.keySet().stream()
                    .sorted()
                    .flatMap(
                        status ->
                            // HTTP is not asked for a folder: it has no listings.
                            Stream.of("s3", reader.endsWith("Folder") ? "s3" : "http")
                                .distinct()
                                .map(scheme -> Arguments.of(reader, status, scheme))));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void shouldSayWhatTheServerSays(String reader, int status, String scheme) throws IOException {
    stub.refuseAfter(0, status, REFUSALS.get(status));
    try (ObjectFileSystem files = open(scheme)) {
      IOException failure =
          catchThrowableOfType(
              IOException.class, () -> READERS.get(reader).open(files.getPath("/data")));

      assertThat(failure).hasMessageContaining("status " + status);
      assertThat(failure.getMessage())
          .doesNotContainIgnoringCase("there is no", "does not exist", "none of the formats");
      assertThat(StoreException.isBehind(failure)).as(failure.toString()).isTrue();
    }
  }

  private ObjectFileSystem open(String scheme) {
    return scheme.equals("s3")
        ? stub.open()
        : new ObjectFileSystemBuilder(URI.create(stub.endpoint() + "/"))
            .policy(StubStore.quick())
            .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3", "http"})
  void shouldSayThatALengthIsMissing(String scheme) throws IOException {
    stub.fault((exchange, number) -> StubStore.send(exchange, 200, ""));
    try (ObjectFileSystem files = open(scheme)) {
      Path shard = files.getPath("/data/train-000000.tar");

      refused(StoreException.class, () -> ImageDataset.open(shard), "does not say how many bytes");
    }
  }

  private static Path packed(String format, Path made) throws IOException {
    EncodedImage image = new EncodedImage("1", Fixtures.bytes("jpeg_444.jpg"), 0, "jpg");
    return StubStore.write(format, made, Packing.of(List.of("ant"), 1), 1, i -> image);
  }

  /** Servers of files refuse directories that they do not list, and give what is in them. */
  @Test
  void shouldReadTheIndexInADirectoryThatIsRefused(@TempDir Path disk) throws IOException {
    stub.putAll(packed("mds", disk.resolve("mds")), "mds/");
    stub.fault(
        (exchange, number) ->
            exchange.getRequestURI().getPath().endsWith("/mds")
                && StubStore.refuse(exchange, 403, "AccessDenied"));

    try (ObjectFileSystem files = open("http");
        ImageDataset images = ImageDataset.open(files.getPath("/bucket/mds"))) {
      assertThat(images.size()).isEqualTo(1);
    }
  }

  /** S3 refuses to say that nothing is there, unless one may list the bucket. */
  @Test
  @ExpectedLog({"is not used", "is made anew"})
  void shouldReadShardsOfABucketThatMayNotBeListed(@TempDir Path disk) throws IOException {
    Path made = packed("webdataset", disk.resolve("made"));
    byte[] shard = Files.readAllBytes(made.resolve("data-000000.tar"));
    stub.put("train-000000.tar", shard).put("train-000001.tar", shard);
    stub.fault(
        (exchange, number) ->
            !exchange.getRequestURI().getPath().matches(".*/train-00000[01].tar")
                && StubStore.refuse(exchange, 403, "AccessDenied"));

    for (String name : List.of("/train-000000.tar", "/train-{000000..000001}.tar")) {
      try (ObjectFileSystem files = stub.open();
          ImageDataset images = ImageDataset.open(files.getPath(name))) {
        assertThat(images.encoded(0).bytes()).isEqualTo(Fixtures.bytes("jpeg_444.jpg"));
      }
    }
  }
}
