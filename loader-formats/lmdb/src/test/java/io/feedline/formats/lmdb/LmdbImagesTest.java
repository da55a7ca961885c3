package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbImagesTest extends DatasetContract<LabeledImage> {

  @TempDir Path folder;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return LmdbDataset.images(Databases.ofPictures(folder.resolve("x.lmdb")));
  }

  private ImageDataset open() throws IOException {
    return LmdbDataset.images(folder.resolve("x.lmdb"));
  }

  @Test
  void shouldGiveWhatWasWritten() throws Exception {
    try (ImageDataset images = open()) {
      assertThat(LmdbLayout.detect(folder.resolve("x.lmdb"))).isEqualTo(LmdbLayout.FEEDLINE_IMAGES);
      assertThat(images.classes()).containsExactly("cat", "dog");
      assertThat(images.size()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        EncodedImage image = images.encoded(i);
        assertThat(image.key()).isEqualTo("folder/" + i);
        assertThat(image.label()).isEqualTo(i % 2);
        assertThat(image.bytes()).isEqualTo(Databases.image(Databases.PICTURES.get(i)));
      }
      assertThat(images.get(1).image().width()).isEqualTo(35);
    }
  }

  @Test
  void shouldKeepSamplesBeyondItsClosing() throws Exception {
    ImageDataset images = open();
    LabeledImage sample = images.get(0);
    images.close();

    assertThat(sample.image().pixels().rgb()).isNotEmpty();
  }

  @Test
  void shouldRefuseTensors() throws Exception {
    Path tensors = Databases.unpack("feedline_tensors", folder);

    assertThat(LmdbLayout.detect(tensors)).isEqualTo(LmdbLayout.FEEDLINE_TENSORS);
    refused(IOException.class, () -> LmdbDataset.images(tensors), "holds tensors, not images");
    assertThatThrownBy(() -> LmdbTensors.of(folder.resolve("x.lmdb")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds images, not tensors");
  }

  @Test
  void shouldHaveTheSameFingerprintInEachLanguage() throws IOException {
    Locale before = Locale.getDefault();
    try (ImageDataset images = open()) {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(images.fingerprint()).isEqualTo("LmdbDataset.images:FEEDLINE_IMAGES:3:4:1:0");
    } finally {
      Locale.setDefault(before);
    }
    Path caffe = Databases.unpack("caffe", folder);
    try (ImageDataset images = LmdbDataset.images(caffe)) {
      assertThat(images.fingerprint()).startsWith("LmdbDataset.images:CAFFE:3:3:");
    }
  }

  @Test
  void shouldRecognizeDirectoriesAndFiles() throws IOException {
    StoreFormat format = new LmdbFormat();
    byte[] database = Content.fixture("folder2lmdb.mdb");
    Path directory = folder.resolve("x.lmdb");

    assertThat(StoreFormat.of(directory).name()).isEqualTo("lmdb");
    assertThat(format.recognizes(directory)).isTrue();
    assertThat(format.recognizes(directory.resolve("data.mdb"))).isTrue();
    for (String name : new String[] {"train.lmdb", "train.mdb"}) {
      Path file = Files.write(folder.resolve(name), database);
      assertThat(format.recognizes(file)).isTrue();
      try (ImageDataset images = ImageDataset.open(file)) {
        assertThat(images.size()).isEqualTo(3);
      }
    }
    assertThat(format.recognizes(Files.write(folder.resolve("x.bin"), database))).isFalse();
    assertThat(format.recognizes(Files.write(folder.resolve("other.mdb"), new byte[99]))).isFalse();
    assertThat(format.recognizes(Files.write(folder.resolve("empty.mdb"), new byte[0]))).isFalse();
    assertThat(format.recognizes(folder)).isFalse();
    assertThat(format.recognizes(folder.resolve("nowhere.lmdb"))).isFalse();
  }

  @Test
  void shouldRefuseShards() {
    Packing packing = Packing.of(List.of(), 1);
    Map<Packing, String> refused =
        Map.of(
            packing.withShards(2), "shards (--shards), which is 2",
            packing.withShardBytes(4000), "shardBytes (--shard-size), which is 4000");
    refused.forEach(
        (each, what) ->
            assertThatThrownBy(() -> new LmdbFormat().create(folder.resolve("y"), each))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lmdb has no shards: leave out " + what));
  }

  @Test
  void shouldSayThatADatabaseMustBeLocal() throws Exception {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path there = Files.createDirectories(files.getPath("/x.lmdb"));
      Files.copy(folder.resolve("x.lmdb/data.mdb"), there.resolve("data.mdb"));

      assertThat(StoreFormat.of(there).name()).isEqualTo("lmdb");
      assertThatThrownBy(() -> ImageDataset.open(there))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              there.toUri().toString(), "'jimfs'", "maps its file", "Copy the database", "convert");
    }
  }

  private static final List<String> CLASSES = List.of("a");

  private Path path() {
    return folder.resolve("new.lmdb");
  }

  private Path partial() {
    return folder.resolve("new.lmdb.partial");
  }

  /** The number of images is part of what must be the same for a run to be continued. */
  private static StoreWriter<EncodedImage> open(Path path) throws IOException {
    return Databases.writer(path, CLASSES, 3000);
  }

  private static EncodedImage image(int index) {
    byte[] bytes = Content.noise(100 + index % 50);
    bytes[0] = (byte) index;
    return new EncodedImage("p" + index, bytes, 0);
  }

  private static void write(StoreWriter<EncodedImage> writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writer.write(image(i));
    }
  }

  /** Goes on where a run was left, to a number of images, and reads all of them. */
  private void finish(int from, int count) throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      assertThat(writer.written()).isEqualTo(from);
      write(writer, from, count);
      assertThat(writer.written()).isEqualTo(count);
      writer.commit();
    }
    try (ImageDataset images = LmdbDataset.images(path())) {
      assertThat(images.size()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(images.encoded(i)).usingRecursiveComparison().isEqualTo(image(i));
      }
    }
  }

  @Test
  void shouldLeaveNothingButTheDatabase() throws IOException {
    finish(0, 3000);

    try (Stream<Path> files = Files.walk(path())) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(path().resolve("data.mdb"));
    }
  }

  @Test
  void shouldNotOpenAsWholeBeforeItIsCommitted() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 2000);
    }

    assertThat(path()).doesNotExist();
    refused(IOException.class, () -> LmdbDataset.images(partial()), "unfinished");
    assertThatThrownBy(() -> LmdbTensors.of(partial())).hasMessageContaining("unfinished");
  }

  @Test
  void shouldGoOnWhereARunWasInterrupted() throws IOException {
    int written = 0;
    for (int stop : new int[] {1, 1024, 1500, 2049}) {
      try (StoreWriter<EncodedImage> writer = open(path())) {
        assertThat(writer.written()).isEqualTo(written);
        write(writer, written, stop);
        written = stop;
      }
    }
    finish(2049, 2049);
  }

  @Test
  void shouldGoOnWithWholeBatchesAfterACrash() throws Exception {
    Forked.Result result = Forked.run(Forked.java(Crashing.class, path().toString(), "2500"));

    assertThat(result.status()).as(result.output()).isEqualTo(7);
    finish(2048, 2500);
  }

  /** Writes images and ends without closing anything. */
  static final class Crashing {
    private Crashing() {}

    public static void main(String[] arguments) throws IOException {
      StoreWriter<EncodedImage> writer = open(Path.of(arguments[0]));
      write(writer, 0, Integer.parseInt(arguments[1]));
      Runtime.getRuntime().halt(7);
    }
  }

  @Test
  void shouldGoOnAfterARunThatEndedBehindTheMetadata() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 10);
    }
    Metadata metadata = new Metadata(Metadata.Kind.IMAGES, 0, CLASSES, List.of());
    new UnfinishedDatabase(partial()).finish(metadata);

    finish(10, 12);
  }

  @Test
  void shouldEnlargeTheMapByItself() throws IOException {
    Metadata metadata = new Metadata(Metadata.Kind.IMAGES, 0, CLASSES, List.of());
    Files.createDirectories(path());
    int count = 400;
    ByteSink value = new ByteSink();
    try (UnfinishedDatabase database = new UnfinishedDatabase(path(), 1 << 16)) {
      for (int i = 0; i < count; i++) {
        byte[] bytes = Content.noise(20_000);
        bytes[0] = (byte) i;
        value.clear();
        FeedlineLayout.put(new EncodedImage("p" + i, bytes, 0), value);
        database.add(value.written());
      }
      database.finish(metadata);
    }
    assertThat(Files.size(path().resolve("data.mdb"))).isGreaterThan(count * 20_000L);
    try (ImageDataset images = LmdbDataset.images(path())) {
      for (int i = 0; i < count; i++) {
        assertThat(images.encoded(i).bytes()).hasSize(20_000).startsWith((byte) i);
      }
    }
  }

  @Test
  void shouldTakeAValueThatIsLargerThanABatch() throws IOException {
    byte[] large = Content.of(33 << 20);
    EncodedImage largeImage = new EncodedImage("large", large, 0);
    FixtureFiles.write(open(path()), List.of(image(0), image(1), largeImage, image(3)));
    try (ImageDataset images = LmdbDataset.images(path())) {
      assertThat(images.encoded(2).bytes()).isEqualTo(large);
      assertThat(images.encoded(3).key()).isEqualTo("p3");
    }
  }

  @Test
  void shouldRefuseToGoOnWithTensors() throws IOException {
    open(path()).close();

    assertThatThrownBy(() -> LmdbTensors.writer(path()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("new.lmdb.partial", "format was lmdb, is lmdb tensors");
  }

  @Test
  void shouldKeepWhatWasCommittedWhenThereIsNoMoreRoom() throws Exception {
    Path shell = Path.of("/bin/sh");
    assumeThat(shell).as("a shell that limits the size of files").isExecutable();
    List<String> command = new ArrayList<>(List.of(shell.toString(), "-c"));
    // At most 2048 blocks of 512 or 1024 bytes a file: writing beyond that fails as on a full disk.
    command.add("ulimit -f 2048 && exec \"$@\"");
    command.add("sh");
    List<String> java = Forked.java(Filling.class, path().toString());
    java.add(1, "-XX:-UsePerfData");
    command.addAll(java);

    Forked.Result result = Forked.run(command);

    assertThat(result.output())
        .contains("new.lmdb.partial")
        .contains("samples are there, and can be continued");
    try (StoreWriter<EncodedImage> writer = open(path())) {
      long kept = writer.written();
      assertThat(kept).isPositive();
      assertThat(kept % 1024).as("whole batches").isZero();
      writer.commit();
      try (ImageDataset images = LmdbDataset.images(path())) {
        assertThat(images.size()).isEqualTo(kept);
        assertThat(images.encoded(kept - 1))
            .usingRecursiveComparison()
            .isEqualTo(image((int) kept - 1));
      }
    }
  }

  /** Writes until it fails, and says how. */
  static final class Filling {
    private Filling() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
      try (StoreWriter<EncodedImage> writer = open(Path.of(arguments[0]))) {
        write(writer, 0, 100_000);
      } catch (IOException full) {
        System.out.println(full);
      }
    }
  }
}
