package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
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
class RemoteFeedlineTest extends CommandFixture {

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

  private void put(String format) throws IOException {
    put(format, 0);
  }

  private void put(String format, int more) throws IOException {
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    Path made = disk.resolve(format);
    try (StoreWriter<EncodedImage> writer =
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

    assertThat(ok("inspect s3://bucket/imagefolder"))
        .contains("s3://bucket/imagefolder", "imagefolder");
    ok("verify s3://bucket/imagefolder");
    assertThat(ok("inspect s3://bucket/imagefolder --sample 5")).contains("bee/5");
    stub.put("imagefolder/ant/2.jpg", new byte[] {1, 2, 3});
    fails(ExitCode.FAILED, "verify s3://bucket/imagefolder");
    assertThat(out() + " " + err()).contains("s3://bucket/imagefolder/ant/2.jpg");
  }

  @Test
  void shouldReadFilesOfAnHttpServerButNoListings() throws IOException {
    put("mds");
    put("imagefolder");
    String uri = stub.endpoint() + "/bucket/";
    assertThat(ok("inspect", uri + "mds")).contains("mds", uri);
    ok("verify", uri + "mds");
    assertThat(fails(ExitCode.FAILED, "inspect --from imagefolder", uri + "imagefolder"))
        .contains(uri + "imagefolder", "HTTP has no listings");
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
    Path source = disk.resolve("imagefolder");
    Path back = disk.resolve("back");

    assertThat(ok("convert", source, there, "--to", format, option, value))
        .contains(there, "8 images as " + format);
    assertThat(ok("inspect", there)).contains(format, "ant", "bee");
    ok("verify", there);
    ok("convert", there, back, "--to imagefolder");
    requireTheFoldersImages(back);
    assertThat(fails(ExitCode.FAILED, "convert", source, there, "--to", format, option, value))
        .contains(there, "exists already");
  }

  private void requireTheFoldersImages(Path store) throws IOException {
    try (ImageDataset given = ImageDataset.open(disk.resolve("imagefolder"));
        ImageDataset made = ImageDataset.open(store)) {
      assertThat(made.classes()).isEqualTo(given.classes());
      assertThat(made.size()).isEqualTo(8);
      for (int i = 0; i < 8; i++) {
        assertThat(made.encoded(i).bytes()).isEqualTo(given.encoded(i).bytes());
        assertThat(made.encoded(i).label()).isEqualTo(given.encoded(i).label());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset"})
  void shouldExamineABucketAndWriteNothing(String format) throws IOException {
    put(format);
    Map<String, Integer> before = stub.sizes();
    String options = " --batch-size=8 --step-time=60s --seconds=0.1 --image-size=16";

    assertThat(ok("doctor s3://bucket/" + format + options))
        .contains("s3://bucket/" + format + ": " + format + ", 8 images of ")
        .contains("An image takes of a thread: reading ")
        .contains("Bottleneck: none. The step is slower.");
    assertThat(stub.sizes()).isEqualTo(before);
  }

  @Test
  void shouldSayWhatIsNotInABucket() {
    assertThat(fails(ExitCode.FAILED, "inspect s3://bucket/nothing"))
        .contains("s3://bucket/nothing", "no such file or directory");
    assertThat(fails(ExitCode.FAILED, "doctor s3://bucket/nothing --batch-size=8 --step-time=1s"))
        .contains("s3://bucket/nothing: there is no such file or directory");
  }

  @Test
  void shouldNotWriteIntoABucketWhatMustBeLocal() throws IOException {
    put("imagefolder");

    Path source = disk.resolve("imagefolder");

    assertThat(fails(ExitCode.FAILED, "convert", source, "s3://bucket/x --to lmdb"))
        .contains("s3://bucket/x", "a database is written to a local directory only")
        .contains("Write to a local path and copy it, or take another format");
    assertThat(fails(ExitCode.USAGE, "convert", source, "s3://bucket/x --to mds --scan-index"))
        .contains("--scan-index", "must be local", "s3://bucket/x", "feedline index");
    assertThat(feedline("convert", source, "s3://bucket/x --to hdf5")).isNotZero();
    assertThat(err()).contains("hdf5", "read here", "imagefolder", "zip");
    assertThat(fails(ExitCode.FAILED, "convert", source, stub.endpoint() + "/bucket/x", "--to mds"))
        .contains("the file system provider 'http'", "only local files");
    assertThat(fails(ExitCode.FAILED, "convert", source, "s3://bucket --to zip"))
        .contains("this format is one object, which needs a name");
  }

  /** Reading it for each image over the network would take longer than decoding without it. */
  @Test
  void shouldKeepTheScanIndexesOfABucketOnThisMachine() throws IOException {
    put("imagefolder");
    Path bucket = Path.of(URI.create("s3://bucket/imagefolder"));
    ok("index", disk.resolve("imagefolder"));
    stub.putAll(disk.resolve("imagefolder"), "imagefolder/");
    try (ImageDataset images = ImageDataset.open(bucket)) {
      assertThat(images.hasScanIndexFiles()).isFalse();
    }

    assertThat(ok("index s3://bucket/imagefolder")).contains("scan indexes of 8 of 8 images");
    Path kept = Path.of(out().substring(0, out().indexOf(": ")));
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

  /** Opens a file system that has not seen anything yet. */
  private void openBucketAnew() throws IOException {
    files.close();
    openBucket();
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
      openBucketAnew();
      ok("inspect", there, "--sample 0");
    }
    int opening = stub.asked() - 1;
    for (String command :
        List.of(
            "verify %s --workers 1 --quarantine " + list,
            "inspect %s --all",
            "index %s",
            "show %s -o " + disk.resolve("sheet.png"),
            "convert %s " + converted + " --to mds --on-error skip")) {
      stub.refuseAfter(opening, 403, "ExpiredToken");
      openBucketAnew();

      assertThat(fails(ExitCode.FAILED, command.formatted(there)))
          .contains("ExpiredToken")
          .doesNotContain("ErrorPolicy");
      assertThat(list).doesNotExist();
      assertThat(converted).doesNotExist();
    }
  }
}
