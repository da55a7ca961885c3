package io.feedline.formats.recordio;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.recordio.RecordIoDataset.ImageRecord;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore.StoredImage;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIoImagesTest extends DatasetContract<LabeledImage> {

  @TempDir private Path directory;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return RecordIoDataset.images(Fixtures.copy(directory, "pictures.rec", "pictures.idx")).build();
  }

  private Path one(byte[] record) throws IOException {
    Path out = directory.resolve("one");
    FixtureFiles.write(RecordIoDataset.writer(out), List.of(record));
    return out.resolve("data.rec");
  }

  @Test
  void shouldReadTheImagesThatMxnetPacks() throws IOException {
    List<Fixtures.Fixture> expected = Fixtures.images();
    Path rec = Fixtures.copy(directory, "pictures.rec", "pictures.idx");
    try (ImageDataset images = RecordIoDataset.images(rec).build()) {
      assertThat(images.size()).isEqualTo(6);
      for (int i = 0; i < 6; i++) {
        EncodedImage image = images.encoded(i);
        assertThat(image.key()).isEqualTo(expected.get(i).key());
        assertThat(image.label()).isEqualTo(expected.get(i).label());
        assertThat(FixtureFiles.crc(image.bytes())).isEqualTo(expected.get(i).crc());
        assertThat(images.get(i).image().width()).isEqualTo(10 + i);
      }
    }
  }

  @Test
  void shouldReadRecordsOfSeveralLabelsInParts() throws Exception {
    byte[] raw = RawWriter.write(new byte[3 * 320 * 320], 320, 320, 1, false);
    Path out = directory.resolve("several");
    try (StoreWriter<byte[]> writer = RecordIoDataset.writer(out)) {
      writer.write(new ImageRecord(new float[] {3, 1}, 0, 0, raw).pack());
      writer.write(new ImageRecord(new float[] {2, 0}, 1, 0, raw).pack());
      byte[] lying = ImageRecord.of(1, 2, raw).pack();
      lying[2] = 1; // 65 536 labels
      writer.write(lying);
      writer.commit();
    }
    try (ImageDataset images =
        RecordIoDataset.images(out.resolve("data.rec")).labelColumn(1).build()) {
      images.get(0);
      try (StoredImage stored = images.store().view(1).orElseThrow()) {
        assertThat(stored.label()).isZero();
        assertThat(stored.copy()).isEqualTo(raw);
      }
      assertThatThrownBy(() -> images.get(2))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("key 2 at position", "says that 65536 labels follow");
    }
  }

  @Test
  void shouldTakeTheLabelThatItIsToldOfSeveral() throws IOException {
    Path rec = Fixtures.copy(directory, "detection.rec");
    try (ImageDataset images = RecordIoDataset.images(rec).build()) {
      assertThatThrownBy(() -> images.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("key 1 at position", "has 4 labels", "labelColumn");
    }
    try (ImageDataset images = RecordIoDataset.images(rec).labelColumn(2).build()) {
      assertThat(images.get(0).label()).isZero();
      assertThat(images.get(1).label()).isEqualTo(1);
    }
    try (RecordIoDataset records = RecordIoDataset.of(rec)) {
      assertThat(ImageRecord.unpack(records.get(0)).labels())
          .containsExactly(2f, 5f, 0f, 0.25f, 0.5f);
    }
    try (ImageDataset images = RecordIoDataset.images(rec).labelColumn(4).build()) {
      refused(FormatException.class, () -> images.get(0), "the label is 0.5");
      assertThatThrownBy(() -> images.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("labelColumn is 4, but the record has 4 labels");
    }
    assertThatThrownBy(() -> RecordIoDataset.images(rec).labelColumn(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
  }

  @ParameterizedTest
  @ValueSource(floats = {2.5f, -2, 3, 3e9f, Float.NaN, Float.POSITIVE_INFINITY})
  void shouldRefuseALabelThatIsNoClass(float label) throws IOException {
    Path rec = one(ImageRecord.of(label, 0, new byte[] {1}).pack());
    try (ImageDataset images =
        RecordIoDataset.images(rec).classes(List.of("a", "b", "c")).build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("data.rec, key 0 at position 0", "the label is ");
    }
  }

  @Test
  void shouldTakeMinusOneForNoLabel() throws IOException {
    Path rec = one(ImageRecord.of(-1, 0, new byte[] {1}).pack());
    try (ImageDataset images = RecordIoDataset.images(rec).build()) {
      assertThat(images.encoded(0).label()).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @Test
  void shouldNameRecordsThatAreTooShort() throws IOException {
    try (ImageDataset images = RecordIoDataset.images(one(new byte[23])).build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("key 0", "23 bytes is too short for its header of 24");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, Integer.MAX_VALUE, -1, 1 << 30})
  void shouldRefuseMoreLabelsThanThereAre(int flag) {
    byte[] record = new byte[24 + 3];
    for (int i = 0; i < 4; i++) {
      record[i] = (byte) (flag >>> (8 * i));
    }

    assertThatThrownBy(() -> ImageRecord.unpack(record))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(Integer.toUnsignedString(flag) + " labels follow, but 3 bytes do");
  }

  @Test
  void shouldRefuseARecordWithoutLabels() {
    assertThatThrownBy(() -> new ImageRecord(new float[0], 0, 0, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

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

  private StoreWriter<EncodedImage> open(Path out, List<String> classes) throws IOException {
    return new RecordIoFormat().create(out, Packing.of(classes, images.size()));
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
    FixtureFiles.write(RecordIoDataset.writer(rec.getParent()), records);
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
    FixtureFiles.write(open(directory.resolve("out"), List.of("a", "b", "c")), images);
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
