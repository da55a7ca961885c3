package io.feedline.formats.recordio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIoImageWriterTest {

  @TempDir private Path directory;
  private final List<EncodedImage> images = new ArrayList<>();

  @BeforeEach
  void readImages() throws IOException {
    Path rec = Fixtures.copy(directory, "pictures.rec", "pictures.idx");
    try (ImageDataset dataset = RecordIoDataset.images(rec).build()) {
      for (int i = 0; i < dataset.size(); i++) {
        images.add(dataset.encoded(i));
      }
    }
    images.set(3, new EncodedImage("no/label", images.get(3).bytes(), -1));
  }

  private Path rec() {
    return directory.resolve("out/data.rec");
  }

  private StoreWriter<EncodedImage> open() throws IOException {
    return open(directory.resolve("out"), List.of("a", "b", "c"));
  }

  private StoreWriter<EncodedImage> open(Path out, List<String> classes) throws IOException {
    return new RecordIoFormat().create(out, Packing.of(classes, images.size()));
  }

  private void write(StoreWriter<EncodedImage> sink, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(sink.written()).isEqualTo(i);
      sink.write(images.get(i));
    }
  }

  @Test
  void shouldWriteTheBytesThatDmlcWrites() throws IOException {
    Path rec = directory.resolve("raw2/data.rec");
    try (RecordIoDataset source =
            RecordIoDataset.of(Fixtures.copy(directory, "raw.rec", "raw.idx"));
        StoreWriter<byte[]> writer = RecordIoDataset.writer(rec.getParent())) {
      for (int i = 0; i < source.size(); i++) {
        writer.write(source.get(i));
      }
      writer.commit();
    }

    assertThat(rec).hasBinaryContent(Fixtures.bytes("raw.rec"));
    assertThat(directory.resolve("raw2/data.idx")).hasBinaryContent(Fixtures.bytes("raw.idx"));
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
    Path rec = directory.resolve("magic/data.rec");
    try (StoreWriter<byte[]> writer = RecordIoDataset.writer(rec.getParent())) {
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
  void shouldRefuseALabelThatAFloatCannotHold() throws IOException {
    try (StoreWriter<EncodedImage> sink = open(directory.resolve("nameless"), List.of())) {
      assertThatThrownBy(() -> sink.write(new EncodedImage("k", new byte[1], (1 << 24) + 1)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("2^24");
    }
  }

  @Test
  void shouldBeReadAsMxnetReads() throws Exception {
    try (StoreWriter<EncodedImage> sink = open()) {
      write(sink, 0, 6);
      sink.commit();
    }
    Files.write(directory.resolve("recordio.py"), Fixtures.bytes("recordio.py"));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      expected.add(
          "%d,%d,%d,%s"
              .formatted(i, i, images.get(i).label(), FixtureFiles.crc(images.get(i).bytes())));
    }

    List<String> read =
        Python.run(
            getClass(),
            "read_records.py",
            "struct",
            directory,
            rec(),
            directory.resolve("out/data.idx"));

    assertThat(read).isEqualTo(expected);
  }
}
