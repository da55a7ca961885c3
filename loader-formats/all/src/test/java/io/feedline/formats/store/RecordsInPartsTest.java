package io.feedline.formats.store;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.internal.ReadMeter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The formats that let parts of coefficient and raw records be read where they lie. */
class RecordsInPartsTest {

  @TempDir private Path root;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "mds", "recordio", "webdataset"})
  void shouldReadOfARecordTheRowsOfACropAlone(String format) throws Exception {
    byte[] rgb = new byte[3 * 64 * 640];
    new Random(3).nextBytes(rgb);
    byte[] record = RawWriter.write(rgb, 64, 640, 1, false);
    byte[] png = Fixtures.bytes("png_rgb.png");
    Path path = root.resolve("store");
    FixtureFiles.write(
        StoreFormat.named(format).create(path, Packing.of(List.of("ant", "bee"), 2)),
        List.of(new EncodedImage("bee/0", record, 1), new EncodedImage("bee/1", png, 0)));
    Region part = new Region(5, 600, 10, 2);
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    Image image;
    try (ImageDataset images = ImageDataset.open(path)) {
      // Shows that there are records.
      byte[] expected = images.get(0).image().crop(part).pixels().rgb();
      meter.take();

      LabeledImage sample = images.get(0);
      image = sample.image();
      byte[] crop = image.crop(part).pixels().rgb();

      assertThat(meter.take()).isPositive().isLessThan(record.length / 4);
      assertThat(crop).isEqualTo(expected);
      assertThat(image.pixels().rgb()).isEqualTo(rgb);
      assertThat(sample.label()).isEqualTo(1);
      assertThat(images.get(1).label()).isZero();
      assertThat(images.get(1).image().pixels().rgb())
          .isEqualTo(Image.ofEncoded(png, "png").pixels().rgb());
    } finally {
      ReadMeter.restore(before);
    }
    refused(IllegalStateException.class, image::pixels, "closed");
  }

  /** A query for sizes reads a few bytes of files that are no records. */
  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "mds", "recordio", "tfrecord", "webdataset", "zip"})
  void shouldFindHeaderLabelAndKeyWithoutReadingTheImage(String format) throws Exception {
    byte[] png = Fixtures.bytes("png_rgb.png");
    byte[] large = Arrays.copyOf(png, 1 << 20);
    Path path = root.resolve("store");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(path, Packing.of(List.of("ant", "bee"), 4))) {
      for (int i = 0; i < 4; i++) {
        writer.write(new EncodedImage(i < 2 ? "ant/" + i : "bee/" + i, large, i / 2));
      }
      writer.commit();
    }
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (ImageStore store = StoreFormat.named(format).open(path, StoreOptions.NONE)) {
      meter.take();
      for (int i = 0; i < 4; i++) {
        byte[] header = new byte[4096];
        try (StoredImage image = store.locate(i).orElseThrow()) {
          image.read(0, header, 0, header.length);
          assertThat(image.label()).isEqualTo(i / 2);
        }
        assertThat(header).startsWith(png);
        assertThat(store.label(i)).isEqualTo(i / 2);
        assertThat(store.key(i)).endsWith(Integer.toString(i));
        assertThat(store.view(i)).as("it is better read at once").isEmpty();
      }
      assertThat(meter.take()).isPositive().isLessThan(4 * (1 << 15));
    } finally {
      ReadMeter.restore(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "recordio", "webdataset"})
  void shouldShowWhatItReadsAndNothingBeyondItsEnd(String format) throws Exception {
    byte[] record = RawWriter.write(new byte[3 * 320 * 320], 320, 320, 1, false);
    byte[] small = RawWriter.write(new byte[3 * 4 * 4], 4, 4, 1, false);
    Path path = root.resolve("store");
    FixtureFiles.write(
        StoreFormat.named(format).create(path, Packing.of(List.of("ant", "bee"), 3)),
        List.of(
            new EncodedImage("0", record, 0),
            new EncodedImage("1", record, 1),
            new EncodedImage("2", small, 1)));
    try (var store = StoreFormat.named(format).open(path, StoreOptions.NONE)) {
      store.read(2);
      assertThat(store.view(1)).as("no large record has been read").isEmpty();
      store.read(0);
      StoredImage stored = store.view(1).orElseThrow();
      try {
        assertThat(stored.label()).isEqualTo(1);
        assertThat(stored.copy()).isEqualTo(record);
        assertThatThrownBy(() -> stored.read(record.length - 1, new byte[2], 0, 2))
            .isInstanceOf(IndexOutOfBoundsException.class);
      } finally {
        stored.close();
      }
      refused(IllegalStateException.class, stored::copy, "is read after it was closed");
    }
  }
}
