package io.feedline.formats.recordio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.support.Python;
import io.feedline.formats.support.SmallDisk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIoImageWriterTest {

  @TempDir private Path directory;
  private final List<EncodedImage> images = new ArrayList<>();

  @BeforeEach
  void readImages() throws IOException {
    Path rec = Fixtures.copy(directory, "pictures.rec", "pictures.idx");
    try (RecordIoImages dataset = RecordIoImages.of(rec)) {
      for (int i = 0; i < dataset.size(); i++) {
        images.add(dataset.encoded(i));
      }
    }
    images.set(3, new EncodedImage("no/label", images.get(3).bytes(), -1));
  }

  private Path rec() {
    return directory.resolve("out/val.rec");
  }

  private RecordIoImageWriter open() throws IOException {
    return RecordIoImageWriter.open(rec(), List.of("a", "b", "c"));
  }

  private void write(RecordIoImageWriter sink, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(sink.written()).isEqualTo(i);
      sink.write(images.get(i));
    }
  }

  private void requireAll() throws IOException {
    try (RecordIoImages read = RecordIoImages.of(rec())) {
      assertThat(read.size()).isEqualTo(images.size());
      assertThat(read.classes()).containsExactly("a", "b", "c");
      for (int i = 0; i < images.size(); i++) {
        assertThat(read.encoded(i).key()).isEqualTo(Integer.toString(i));
        assertThat(read.encoded(i).label()).isEqualTo(images.get(i).label());
        assertThat(read.encoded(i).bytes()).isEqualTo(images.get(i).bytes());
      }
    }
  }

  @Test
  void shouldReadBackWhatItPacked() throws IOException {
    try (RecordIoImageWriter sink = open()) {
      write(sink, 0, 6);
      assertThat(rec()).doesNotExist();
      sink.commit();
    }

    requireAll();
    assertThat(directory.resolve("out/val.rec.partial")).doesNotExist();
  }

  @Test
  void shouldGoOnWhereItWasInterrupted() throws IOException {
    for (int stop : new int[] {0, 2, 3}) {
      try (RecordIoImageWriter sink = open()) {
        write(sink, Math.toIntExact(sink.written()), stop);
      }
    }
    try (RecordIoImageWriter sink = open()) {
      write(sink, 3, 6);
      sink.commit();
    }

    requireAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 20, 300})
  void shouldCutATornTail(int cut) throws IOException {
    try (RecordIoImageWriter sink = open()) {
      write(sink, 0, 4);
    }
    Path partial = directory.resolve("out/val.rec.partial");
    byte[] bytes = Files.readAllBytes(partial);
    Files.write(partial, Arrays.copyOf(bytes, bytes.length - cut));
    try (RecordIoImageWriter sink = open()) {
      write(sink, Math.toIntExact(sink.written()), 6);
      assertThat(sink.written()).isEqualTo(6);
      sink.commit();
    }

    requireAll();
  }

  @Test
  void shouldFinishACommitThatWasInterrupted() throws IOException {
    try (RecordIoImageWriter sink = open()) {
      write(sink, 0, 6);
      sink.commit();
    }
    Files.move(rec(), directory.resolve("out/val.rec.partial"));
    try (RecordIoImageWriter sink = open()) {
      assertThat(sink.written()).isEqualTo(6);
      sink.commit();
    }

    requireAll();
  }

  @Test
  void shouldWriteTheBytesThatDmlcWrites() throws IOException {
    Path rec = directory.resolve("raw2.rec");
    try (RecordIoDataset source =
            RecordIoDataset.of(Fixtures.copy(directory, "raw.rec", "raw.idx"));
        RecordIoWriter writer = RecordIoWriter.open(rec)) {
      for (int i = 0; i < source.size(); i++) {
        writer.write(source.get(i));
      }
      writer.commit();
    }

    assertThat(rec).hasBinaryContent(Fixtures.bytes("raw.rec"));
    assertThat(directory.resolve("raw2.idx")).hasBinaryContent(Fixtures.bytes("raw.idx"));
  }

  @Test
  void shouldKeepRecordsThatAreFullOfMagicNumbers() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] record = new byte[random.nextInt(40)];
      random.nextBytes(record);
      for (int n = random.nextInt(6); n > 0 && record.length > 4; n--) {
        int at = random.nextInt(record.length - 3);
        for (int b = 0; b < 4; b++) {
          record[at + b] = (byte) (RecordIoLayout.MAGIC >>> (8 * b));
        }
      }
      records.add(record);
    }
    Path rec = directory.resolve("magic.rec");
    try (RecordIoWriter writer = RecordIoWriter.open(rec)) {
      for (byte[] record : records) {
        writer.write(record);
      }
      writer.commit();
    }
    try (RecordIoDataset indexed = RecordIoDataset.of(rec);
        RecordIoDataset scanned = RecordIoDataset.withoutIndex(rec)) {
      for (int i = 0; i < records.size(); i++) {
        assertThat(indexed.get(i)).isEqualTo(records.get(i));
        assertThat(scanned.get(i)).isEqualTo(records.get(i));
      }
    }
  }

  @Test
  void shouldRefuseWhatItCannotHoldAndGoOn() throws IOException {
    try (RecordIoImageWriter sink = open()) {
      assertThatThrownBy(() -> sink.write(new EncodedImage("k", new byte[1], 3)))
          .isInstanceOf(RecordIoException.class)
          .hasMessage("image k has label 3, but there are 3 classes");
      write(sink, 0, 1);
    }
    try (RecordIoImageWriter sink =
        RecordIoImageWriter.open(directory.resolve("n.rec"), List.of())) {
      assertThatThrownBy(() -> sink.write(new EncodedImage("k", new byte[1], (1 << 24) + 1)))
          .isInstanceOf(RecordIoException.class)
          .hasMessageContaining("2^24");
    }
  }

  @Test
  void shouldRefuseToOverwriteADatasetOrToShareItWithAnotherWriter() throws IOException {
    try (RecordIoImageWriter sink = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("being written by another");
      sink.commit();
      assertThatThrownBy(() -> sink.write(images.get(0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("committed");
      assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("there already");
  }

  @Test
  void shouldKeepWhatIsWholeWhenTheDiskIsFull() throws IOException {
    Path out = Files.createDirectories(directory.resolve("out"));
    try (SmallDisk disk = SmallDisk.mount(out, 64)) {
      assertThat(disk).isNotNull();
      try (RecordIoWriter writer = RecordIoWriter.open(rec())) {
        byte[] record = new byte[10_000];
        for (int i = 0; i < 6; i++) {
          writer.write(record);
        }
        assertThatThrownBy(() -> writer.write(record))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll(
                "key 6, of 10000 bytes", "val.rec.partial", "offset " + 6 * 10_008);
        assertThat(writer.written()).isEqualTo(6);
      }
      try (RecordIoWriter writer = RecordIoWriter.open(rec())) {
        assertThat(writer.written()).isEqualTo(6);
        writer.commit();
      }
      try (RecordIoDataset read = RecordIoDataset.of(rec())) {
        assertThat(read.size()).isEqualTo(6);
      }
    }
  }

  @Test
  void shouldBeReadAsMxnetReads() throws Exception {
    try (RecordIoImageWriter sink = open()) {
      write(sink, 0, 6);
      sink.commit();
    }
    Files.write(directory.resolve("recordio.py"), Fixtures.bytes("recordio.py"));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      expected.add(
          "%d,%d,%d,%s"
              .formatted(i, i, images.get(i).label(), Fixtures.crc(images.get(i).bytes())));
    }

    List<String> read =
        Python.run(
            getClass(),
            "read_records.py",
            "struct",
            directory,
            rec(),
            directory.resolve("out/val.idx"));

    assertThat(read).isEqualTo(expected);
  }
}
