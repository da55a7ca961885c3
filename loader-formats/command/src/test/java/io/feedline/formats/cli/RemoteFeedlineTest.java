package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command over data that is not on this machine. */
@Tag("once")
class RemoteFeedlineTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path disk;
  private StubStore stub;
  private FileSystem files;

  @BeforeEach
  void start() throws IOException {
    stub = new StubStore();
    openBucket();
  }

  @AfterEach
  void stop() throws IOException {
    files.close();
    stub.close();
  }

  private int feedline(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Feedline.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  private void put(String format) throws IOException {
    put(format, 0);
  }

  private void put(String format, int more) throws IOException {
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    Path made = disk.resolve(format);
    try (ImageStoreWriter writer =
        StoreFormat.named(format).create(made, Packing.of(List.of("ant", "bee"), 8))) {
      for (int i = 0; i < 8; i++) {
        writer.write(
            new EncodedImage(
                (i < 4 ? "ant/" : "bee/") + i,
                Arrays.copyOf(jpeg, jpeg.length + more),
                i / 4,
                "jpg"));
      }
      writer.commit();
    }
    if (Files.isDirectory(made)) {
      stub.putAll(made, format + "/");
    } else {
      stub.put(format, Files.readAllBytes(made));
    }
  }

  @Test
  void shouldInspectAndVerifyABucket() throws IOException {
    put("imagefolder");

    assertThat(feedline("inspect", "s3://bucket/imagefolder")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("s3://bucket/imagefolder", "imagefolder");
    assertThat(feedline("verify", "s3://bucket/imagefolder")).as(err.toString()).isZero();
    assertThat(feedline("inspect", "s3://bucket/imagefolder", "--sample", "5")).isZero();
    assertThat(out.toString()).contains("bee/5");
  }

  @ParameterizedTest
  @CsvSource({
    "webdataset, --shard-size, 3K",
    "mds, --shard-size, 3K",
    "tfrecord, --shards, 3",
    "recordio, --workers, 1",
    "imagefolder, --workers, 2",
    "zip, --workers, 2"
  })
  void shouldConvertIntoABucketAndBack(String format, String option, String value)
      throws IOException {
    put("imagefolder");
    String there = "s3://bucket/made/" + format;
    String source = disk.resolve("imagefolder").toString();
    String back = disk.resolve("back").toString();

    assertThat(feedline("convert", source, there, "--to", format, option, value))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains(there, "8 images as " + format);
    assertThat(feedline("inspect", there)).as(err.toString()).isZero();
    assertThat(out.toString()).contains(format, "ant", "bee");
    assertThat(feedline("verify", there)).as(err.toString()).isZero();
    assertThat(feedline("convert", there, back, "--to", "imagefolder")).as(err.toString()).isZero();
    try (ImageDataset given = ImageDataset.open(disk.resolve("imagefolder"));
        ImageDataset made = ImageDataset.open(Path.of(back))) {
      assertThat(made.classes()).isEqualTo(given.classes());
      for (int i = 0; i < 8; i++) {
        assertThat(made.encoded(i).bytes()).isEqualTo(given.encoded(i).bytes());
        assertThat(made.encoded(i).label()).isEqualTo(given.encoded(i).label());
      }
    }
    assertThat(feedline("convert", source, there, "--to", format, option, value)).isOne();
    assertThat(err.toString()).contains(there, "exists already");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"webdataset", "mds", "tfrecord", "recordio", "lmdb", "zip", "imagefolder"})
  void shouldConvertOutOfABucketIntoEveryFormat(String format) throws IOException {
    put("imagefolder");
    Path made = disk.resolve("made." + format);

    assertThat(feedline("convert", "s3://bucket/imagefolder", made.toString(), "--to", format))
        .as(err.toString())
        .isZero();

    try (ImageDataset given = ImageDataset.open(disk.resolve("imagefolder"));
        ImageDataset converted = ImageDataset.open(made)) {
      assertThat(converted.classes()).isEqualTo(given.classes());
      assertThat(converted.size()).isEqualTo(8);
      for (int i = 0; i < 8; i++) {
        assertThat(converted.encoded(i).bytes()).isEqualTo(given.encoded(i).bytes());
        assertThat(converted.encoded(i).label()).isEqualTo(given.encoded(i).label());
      }
    }
  }

  @Test
  void shouldRefuseToMakeAScanIndexInABucket() throws IOException {
    put("imagefolder");

    assertThat(
            feedline(
                "convert",
                disk.resolve("imagefolder").toString(),
                "s3://bucket/made",
                "--to",
                "mds",
                "--scan-index"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("--scan-index", "must be local", "s3://bucket/made", "feedline index");
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset"})
  void shouldExamineABucketAndWriteNothing(String format) throws IOException {
    put(format);
    Map<String, Integer> before = stub.sizes();
    List<String> options =
        List.of("--batch-size=8", "--step-time=60s", "--seconds=0.1", "--image-size=16");
    List<String> doctor = new ArrayList<>(List.of("doctor", "s3://bucket/" + format));
    doctor.addAll(options);

    assertThat(feedline(doctor.toArray(String[]::new))).as(err.toString()).isZero();

    assertThat(out.toString())
        .contains("s3://bucket/" + format + ": " + format + ", 8 images of ")
        .contains("An image takes of a thread: reading ")
        .contains("Bottleneck: none. The step is slower.");
    assertThat(stub.sizes()).isEqualTo(before);
  }

  @Test
  void shouldSayToTheDoctorThatThereIsNothing() {
    assertThat(feedline("doctor", "s3://bucket/nothing", "--batch-size=8", "--step-time=1s"))
        .isOne();
    assertThat(err.toString()).contains("s3://bucket/nothing: there is no such file or directory");
  }

  @Test
  void shouldFindWhatIsBrokenInABucket() throws IOException {
    put("imagefolder");
    stub.put("imagefolder/ant/2.jpg", new byte[] {1, 2, 3});

    assertThat(feedline("verify", "s3://bucket/imagefolder")).isOne();
    assertThat(out + " " + err).contains("s3://bucket/imagefolder/ant/2.jpg");
  }

  @Test
  void shouldReadFilesOfAnHttpServer() throws IOException {
    put("mds");
    String uri = stub.endpoint() + "/bucket/mds";

    assertThat(feedline("inspect", uri)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("mds", uri);
    assertThat(feedline("verify", uri)).as(err.toString()).isZero();
  }

  @Test
  void shouldSayThatHttpHasNoListings() throws IOException {
    put("imagefolder");
    String uri = stub.endpoint() + "/bucket/imagefolder";

    assertThat(feedline("inspect", "--from", "imagefolder", uri)).isOne();
    assertThat(err.toString()).contains(uri, "HTTP has no listings");
  }

  @Test
  void shouldSayWhatIsNotInABucket() {
    assertThat(feedline("inspect", "s3://bucket/nothing")).isOne();
    assertThat(err.toString()).contains("s3://bucket/nothing", "no such file or directory");
  }

  @Test
  void shouldNotWriteIntoABucketWhatMustBeLocal() throws IOException {
    put("imagefolder");

    String source = disk.resolve("imagefolder").toString();

    assertThat(feedline("convert", source, "s3://bucket/x", "--to", "lmdb")).isOne();
    assertThat(err.toString())
        .contains("s3://bucket/x", "a database is written to a local directory only")
        .contains("Write to a local path and copy it, or take another format");
    assertThat(feedline("convert", source, "s3://bucket/x", "--to", "hdf5")).isNotZero();
    assertThat(err.toString()).contains("hdf5", "read here", "imagefolder", "zip");
    assertThat(feedline("convert", source, stub.endpoint() + "/bucket/x", "--to", "mds")).isOne();
    assertThat(err.toString()).contains("the file system provider 'http'", "only local files");
    assertThat(feedline("convert", source, "s3://bucket", "--to", "zip")).isOne();
    assertThat(err.toString()).contains("this format is one object, which needs a name");
  }

  /** Reading it for each image over the network would take longer than decoding without it. */
  @Test
  void shouldKeepTheScanIndexesOfABucketOnThisMachine() throws IOException {
    put("imagefolder");
    Path bucket = Path.of(URI.create("s3://bucket/imagefolder"));
    assertThat(feedline("index", disk.resolve("imagefolder").toString())).isZero();
    stub.putAll(disk.resolve("imagefolder"), "imagefolder/");
    try (ImageDataset images = ImageDataset.open(bucket)) {
      assertThat(images.hasScanIndexFiles()).isFalse();
    }

    assertThat(feedline("index", "s3://bucket/imagefolder")).as(err.toString()).isZero();

    assertThat(out.toString()).contains("scan indexes of 8 of 8 images");
    Path kept = Path.of(out.toString().substring(0, out.toString().indexOf(": ")));
    assertThat(kept).isRegularFile();
    assertThat(kept.toString()).endsWith(".scan-index");
    try (ImageDataset images = ImageDataset.open(bucket)) {
      assertThat(images.hasScanIndexFiles()).isTrue();
      assertThat(images.scanIndexes()).isEqualTo("scan indexes in " + kept);
    } finally {
      Files.delete(kept);
    }
  }

  private void openBucket() throws IOException {
    files =
        FileSystems.newFileSystem(
            URI.create("s3://" + StubStore.BUCKET),
            Map.of("endpoint", stub.endpoint().toString(), "anonymous", "true"));
  }

  /** Runs the command with a file system that has not seen anything yet. */
  private int feedlineAnew(List<String> args) throws IOException {
    files.close();
    openBucket();
    return feedline(args.toArray(String[]::new));
  }

  /** A token that expires is no damage of the images that are asked for afterwards. */
  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset", "mds", "tfrecord", "recordio", "zip"})
  void shouldNotCallImagesBrokenThatAServerRefuses(String format) throws IOException {
    // Behind its end marker a JPEG may have anything: here what makes each image a request.
    put(format, 100_000);
    String there = "s3://bucket/" + format;
    Path list = disk.resolve("bad.jsonl");
    Path converted = disk.resolve("converted");
    // The second time shards have been gone through; the last request is that of the sample.
    for (int i = 0; i < 2; i++) {
      stub.refuseAfter(Integer.MAX_VALUE, 403, "ExpiredToken");
      assertThat(feedlineAnew(List.of("inspect", there, "--sample", "0"))).isZero();
    }
    int opening = stub.asked() - 1;
    for (List<String> command :
        List.of(
            List.of("verify", there, "--quarantine", list.toString(), "--workers", "1"),
            List.of("inspect", there, "--all"),
            List.of("index", there),
            List.of("show", there, "-o", disk.resolve("sheet.png").toString()),
            List.of("convert", there, converted.toString(), "--to", "mds", "--on-error", "skip"))) {
      stub.refuseAfter(opening, 403, "ExpiredToken");

      assertThat(feedlineAnew(command)).as(command + ": " + out + err).isOne();

      assertThat(err.toString()).contains("ExpiredToken").doesNotContain("ErrorPolicy");
      assertThat(list).doesNotExist();
      assertThat(converted).doesNotExist();
    }
  }
}
