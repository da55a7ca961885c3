package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.internal.TestRaws;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RgbSource;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw records as images: what an image is to a user, its record is as well. */
class RawImagesTest {

  private static byte[] record(byte[] encoded, boolean lz4) throws IOException {
    Pixels pixels = Image.ofEncoded(encoded, "an image", DecodeOptions.DEFAULT).pixels();
    return RawWriter.write(
        pixels.rgb(), pixels.width(), pixels.height(), Image.exifOrientation(encoded), lz4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg_420.jpg",
        "jpeg_grey.jpg",
        "jpeg_1x1.jpg",
        "png_rgb.png",
        "exif_1.jpg",
        "exif_2.jpg",
        "exif_3.jpg",
        "exif_4.jpg",
        "exif_5.jpg",
        "exif_6.jpg",
        "exif_7.jpg",
        "exif_8.jpg"
      })
  void shouldBeTheImageThatWasPacked(String name) throws IOException {
    for (boolean lz4 : new boolean[] {false, true}) {
      byte[] record = record(Fixtures.bytes(name), lz4);
      assertThat(ImageFormat.of(record)).isEqualTo(ImageFormat.RAW);
      for (boolean turned : new boolean[] {false, true}) {
        DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
        Image expected = Image.ofEncoded(Fixtures.bytes(name), name, options);
        Image image = Image.ofEncoded(record, name, options);
        assertThat(image.width()).isEqualTo(expected.width());
        assertThat(image.height()).isEqualTo(expected.height());
        assertThat(image.pixels().rgb()).isEqualTo(expected.pixels().rgb());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void shouldGiveEveryPartAsItIsInTheWhole(boolean gray, boolean lz4) throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      int width = 1 + random.nextInt(70);
      int height = 1 + random.nextInt(70);
      byte[] rgb = TestRaws.pixels(width, height, gray, random);
      byte[] record = RawWriter.write(rgb, width, height, 1, lz4);
      ImageHeader header = ImageHeaders.parse(record, Long.MAX_VALUE);
      Region region = part(width, height, random);
      int[] expected = pixels(new RgbSource(rgb, width, height).decode(region));

      assertThat(pixels(RawDecoder.decode(RawRecord.parse(record), header, region, ImageMode.RGB)))
          .isEqualTo(expected);
      assertThat(pixels(RawDecoder.decode(elsewhere(record), header, region, ImageMode.RGB)))
          .isEqualTo(expected);
    }
  }

  /** A record that is not in memory. */
  static RawRecord elsewhere(byte[] bytes) throws IOException {
    return RawRecord.parse(
        bytes.length,
        (position, target, offset, length) ->
            System.arraycopy(bytes, position, target, offset, length));
  }

  static Region part(int width, int height, Random random) {
    int columns = 1 + random.nextInt(width);
    int rows = 1 + random.nextInt(height);
    return new Region(
        random.nextInt(width - columns + 1), random.nextInt(height - rows + 1), columns, rows);
  }

  static int[] pixels(PixelRows rows) {
    try (rows) {
      int[] pixels = new int[rows.width() * rows.height()];
      rows.read(0, rows.height(), pixels, 0, rows.width());
      return pixels;
    }
  }

  @ParameterizedTest
  @EnumSource(DecodeOptions.Backend.class)
  void shouldBeDecodedByUsWhateverTheBackend(DecodeOptions.Backend backend) throws IOException {
    byte[] png = Fixtures.bytes("png_rgb.png");
    assertThat(Fixtures.decode(record(png, false), DecodeOptions.DEFAULT.withBackend(backend)))
        .isEqualTo(Fixtures.decode(png, DecodeOptions.DEFAULT));
  }

  /** A TIFF's orientation is applied when it is packed, and is not kept. */
  @Test
  void shouldNotKeepTheOrientationOfATiff() throws IOException {
    byte[] tiff = Fixtures.bytes("tiff_orientation.tif");
    assertThat(Image.exifOrientation(tiff)).isEqualTo(1);
    assertThat(Image.exifOrientation(Fixtures.bytes("exif_6.jpg"))).isEqualTo(6);
    assertThat(Image.exifOrientation(record(Fixtures.bytes("exif_6.jpg"), false))).isEqualTo(6);
    assertThatThrownBy(() -> Image.exifOrientation(new byte[9]))
        .isInstanceOf(FormatException.class);
  }

  @Test
  void shouldRefuseARecordWhoseHeaderIsCutOffOrOfAnotherVersion() throws IOException {
    byte[] record = record(Fixtures.bytes("png_rgb.png"), false);
    for (int length : new int[] {8, 12, 20, 26, 31, 40, record.length - 1}) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThatThrownBy(() -> Image.ofEncoded(cut, "cut", DecodeOptions.DEFAULT).pixels())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cut");
    }
    record[8] = 2;
    assertThatThrownBy(() -> Image.ofEncoded(record, "key 7", DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("key 7")
        .hasMessageContaining("of version 2, and this Feedline reads version 1");
  }

  @Test
  void shouldRefuseMorePixelsThanAllowed() {
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(10);
    assertThatThrownBy(
            () -> Image.ofEncoded(record(Fixtures.bytes("png_rgb.png"), false), "large", small))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("RAW")
        .hasMessageContaining("maxPixels = 10");
  }

  @Test
  void shouldNameTheGroupThatIsDamagedWhereItIsRead() throws IOException {
    byte[] record = record(Fixtures.bytes("png_rgb.png"), false);
    record[record.length - 1] ^= 1;
    Image image = Image.ofEncoded(record, "shard 3, key 7", DecodeOptions.DEFAULT);
    image.crop(new Region(0, 0, image.width(), 16)).pixels();
    assertThatThrownBy(image::pixels)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shard 3, key 7")
        .hasMessageContaining("the checksum of group");
  }

  @Test
  void shouldRefuseARecordThatHasBecomeAnother() throws IOException {
    byte[] before = RawWriter.write(new byte[3 * 4 * 5], 4, 5, 1, false);
    byte[] after = RawWriter.write(new byte[3 * 5 * 4], 5, 4, 1, false);
    ImageHeader header = ImageHeaders.parse(before, Long.MAX_VALUE);
    assertThatThrownBy(
            () ->
                RawDecoder.decode(
                    RawRecord.parse(after), header, new Region(0, 0, 4, 4), ImageMode.RGB))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("it had 4 x 5 pixels, and has 5 x 4");
  }
}
