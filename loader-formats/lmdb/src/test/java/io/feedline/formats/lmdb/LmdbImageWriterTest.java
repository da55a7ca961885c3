package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbImageWriterTest {

  private static final List<String> CLASSES = List.of("a");

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("x.lmdb");
  }

  private Path partial() {
    return folder.resolve("x.lmdb.partial");
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

  private void requireImages(int count) throws IOException {
    try (ImageDataset images = LmdbDataset.images(path())) {
      assertThat(images.size()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(images.encoded(i)).usingRecursiveComparison().isEqualTo(image(i));
      }
    }
  }

  @Test
  void shouldLeaveNothingButTheDatabase() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 3000);
      assertThat(writer.written()).isEqualTo(3000);
      writer.commit();
    }

    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(path().resolve("data.mdb"));
    }
    requireImages(3000);
  }

  @Test
  void shouldNotOpenAsWholeBeforeItIsCommitted() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 2000);
    }

    assertThat(path()).doesNotExist();
    assertThatThrownBy(() -> LmdbDataset.images(partial()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unfinished");
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
    try (StoreWriter<EncodedImage> writer = open(path())) {
      writer.commit();
    }
    requireImages(2049);
  }

  @Test
  void shouldGoOnWithWholeBatchesAfterACrash() throws Exception {
    Forked.Result result = Forked.run(Forked.java(Crashing.class, path().toString(), "2500"));

    assertThat(result.status()).as(result.output()).isEqualTo(7);
    try (StoreWriter<EncodedImage> writer = open(path())) {
      assertThat(writer.written()).isEqualTo(2048);
      write(writer, 2048, 2500);
      writer.commit();
    }
    requireImages(2500);
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

    try (StoreWriter<EncodedImage> writer = open(path())) {
      assertThat(writer.written()).isEqualTo(10);
      write(writer, 10, 12);
      writer.commit();
    }
    requireImages(12);
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
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 2);
      writer.write(new EncodedImage("large", large, 0));
      writer.write(image(3));
      writer.commit();
    }
    try (ImageDataset images = LmdbDataset.images(path())) {
      assertThat(images.encoded(2).bytes()).isEqualTo(large);
      assertThat(images.encoded(3).key()).isEqualTo("p3");
    }
  }

  @Test
  void shouldRefuseALabelWithoutAClassAndGoOn() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      assertThatThrownBy(() -> writer.write(new EncodedImage("p0", new byte[1], 1)))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image p0", "label 1", "1 classes");
      write(writer, 0, 1);
      writer.commit();
    }
    requireImages(1);
  }

  @Test
  void shouldRefuseToGoOnWithTensors() throws IOException {
    open(path()).close();

    assertThatThrownBy(() -> LmdbTensors.writer(path()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("x.lmdb.partial", "format was lmdb, is lmdb tensors");
  }

  @Test
  void shouldWriteAnEmptyDatabase() throws IOException {
    try (StoreWriter<EncodedImage> writer = Databases.writer(path(), List.of(), 0)) {
      writer.commit();
    }
    requireImages(0);
  }

  @Test
  void shouldKeepWhatIsWrittenWhereTheNameIsTakenMeanwhile() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(path())) {
      write(writer, 0, 5);
      Files.createDirectories(path().resolve("taken"));
      assertThatThrownBy(writer::commit).isInstanceOf(FileAlreadyExistsException.class);
    }
    Files.delete(path().resolve("taken"));
    try (StoreWriter<EncodedImage> writer = open(path())) {
      assertThat(writer.written()).isEqualTo(5);
      writer.commit();
    }
    requireImages(5);
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
        .contains("x.lmdb.partial")
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

  @Test
  void shouldCopyWhatIsAdded() throws IOException {
    Metadata metadata = new Metadata(Metadata.Kind.IMAGES, 0, CLASSES, List.of());
    Files.createDirectories(path());
    ByteSink value = new ByteSink();
    FeedlineLayout.put(image(0), value);
    byte[] bytes = new byte[value.size()];
    value.written().get(bytes);
    try (UnfinishedDatabase database = new UnfinishedDatabase(path())) {
      database.add(ByteBuffer.wrap(bytes));
      Arrays.fill(bytes, (byte) 0);
      database.finish(metadata);
    }
    requireImages(1);
  }
}
