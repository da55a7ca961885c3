package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.internal.TestRaws;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RgbSource;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coefficient and raw records as images: what an image is to a user, its record is as well. */
class RecordImagesTest {

  private enum Kind {
    COEFFICIENTS,
    RAW,
    COMPRESSED_RAW;

    byte[] record(String name) throws IOException {
      byte[] encoded = Fixtures.bytes(name);
      if (this == COEFFICIENTS) {
        return CoefficientRecord.of(encoded).orElseThrow();
      }
      Pixels pixels = Image.ofEncoded(encoded, name).pixels();
      int orientation = Image.exifOrientation(encoded);
      boolean lz4 = this == COMPRESSED_RAW;
      return RawWriter.write(pixels.rgb(), pixels.width(), pixels.height(), orientation, lz4);
    }

    ImageFormat format() {
      return this == COEFFICIENTS ? ImageFormat.COEFFICIENTS : ImageFormat.RAW;
    }
  }

  static Stream<Arguments> kindsAndNames() {
    Stream<String> jpegs =
        Stream.of("420", "422", "444", "grey", "1x1", "no_jfif", "rgb_adobe", "trailing_bytes")
            .map("jpeg_%s.jpg"::formatted);
    Stream<String> turned = IntStream.rangeClosed(1, 8).mapToObj("exif_%d.jpg"::formatted);
    return Stream.concat(
        Stream.concat(jpegs, turned)
            .flatMap(name -> Stream.of(Kind.values()).map(kind -> Arguments.of(kind, name))),
        Stream.of(
            Arguments.of(Kind.RAW, "png_rgb.png"),
            Arguments.of(Kind.COMPRESSED_RAW, "png_rgb.png")));
  }

  @ParameterizedTest
  @MethodSource("kindsAndNames")
  void shouldBeTheImageThatWasPacked(Kind kind, String name) throws IOException {
    byte[] record = kind.record(name);
    assertThat(ImageFormat.of(record)).isEqualTo(kind.format());
    for (boolean turned : new boolean[] {false, true}) {
      DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
      Image expected = Image.ofEncoded(Fixtures.bytes(name), name, options);
      Image image = Image.ofEncoded(record, name, options);
      assertThat(image.width()).isEqualTo(expected.width());
      assertThat(image.height()).isEqualTo(expected.height());
      assertThat(image.pixels().rgb()).isEqualTo(expected.pixels().rgb());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeDecodedByUsWhateverTheBackend(Kind kind) throws IOException {
    byte[] expected = Fixtures.decode(Fixtures.bytes("jpeg_420.jpg"), DecodeOptions.DEFAULT);
    for (DecodeOptions.Backend backend : DecodeOptions.Backend.values()) {
      DecodeOptions options = DecodeOptions.DEFAULT.withBackend(backend);
      assertThat(Fixtures.decode(kind.record("jpeg_420.jpg"), options)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpeg_420.jpg", "jpeg_444.jpg", "jpeg_grey.jpg"})
  void shouldBeReducedAsTheJpegIs(String name) throws IOException {
    byte[] record = Kind.COEFFICIENTS.record(name);
    DecodeOptions fast = DecodeOptions.DEFAULT.withFast(true);
    assertThat(fifth(record, fast))
        .isEqualTo(fifth(Fixtures.bytes(name), fast))
        .isNotEqualTo(fifth(record, DecodeOptions.DEFAULT));
  }

  private static byte[] fifth(byte[] data, DecodeOptions options) throws IOException {
    Image image = Image.ofEncoded(data, "an image", options);
    return image
        .resize(image.width() / 5, image.height() / 5, Interpolation.BILINEAR)
        .pixels()
        .rgb();
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

  /** A TIFF's orientation is applied when it is packed, and is not kept. */
  @Test
  void shouldNotKeepTheOrientationOfATiff() throws IOException {
    byte[] tiff = Fixtures.bytes("tiff_orientation.tif");
    assertThat(Image.exifOrientation(tiff)).isEqualTo(1);
    assertThat(Image.exifOrientation(Fixtures.bytes("exif_6.jpg"))).isEqualTo(6);
    assertThat(Image.exifOrientation(Kind.RAW.record("exif_6.jpg"))).isEqualTo(6);
    assertThatThrownBy(() -> Image.exifOrientation(new byte[9]))
        .isInstanceOf(FormatException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseARecordThatIsCutOffOrTooLargeOrOfAnotherVersion(Kind kind) throws IOException {
    byte[] record = kind.record("jpeg_420.jpg");
    for (int length : new int[] {8, 12, 20, 26, 27, 28, 31, 40, 100, record.length - 1}) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThatThrownBy(() -> Image.ofEncoded(cut, "cut").pixels())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cut");
    }
    assertThatThrownBy(
            () -> Image.ofEncoded(record, "large", DecodeOptions.DEFAULT.withMaxPixels(10)))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(kind.format().toString(), "maxPixels = 10");
    byte[] other = record.clone();
    other[8] = 2;
    assertThatThrownBy(() -> Image.ofEncoded(other, "key 7"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("key 7", "of version 2, and this Feedline reads version 1");
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameThePartThatIsDamagedWhereItIsRead(Kind kind) throws IOException {
    byte[] record = kind.record("jpeg_420.jpg");
    record[record.length - 1] ^= 1;
    Image image = Image.ofEncoded(record, "shard 3, key 7");
    if (kind != Kind.COEFFICIENTS) {
      assertThat(image.crop(new Region(0, 0, image.width(), 16)).pixels()).isNotNull();
    }
    assertThatThrownBy(image::pixels)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shard 3, key 7")
        .hasMessageFindingMatch("the checksum of (band|group)");
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
