package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Damage;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coefficient and raw records as images: what an image is to a user, its record is as well. */
class RecordImagesTest {

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 16;
  private static final int HEADER = 32;

  /** The offsets of the header's numbers. */
  private static final int[] NUMBERS = {8, 10, 11, 12, 16, 20, 24, 26, 27};

  private final List<byte[]> records = new ArrayList<>();
  private final List<byte[]> pixels = new ArrayList<>();
  private int refused;
  private int decoded;

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

  @Test
  void shouldKeepTheOrientationOfExifButNotOfATiffWhosePixelsAreTurned() throws IOException {
    assertThat(Image.exifOrientation(Fixtures.bytes("tiff_orientation.tif"))).isEqualTo(1);
    assertThat(Image.exifOrientation(Fixtures.bytes("exif_6.jpg"))).isEqualTo(6);
    assertThat(Image.exifOrientation(Kind.RAW.record("exif_6.jpg"))).isEqualTo(6);
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
        .hasMessageContainingAll(ImageFormat.of(record).toString(), "maxPixels = 10");
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
    Region part = new Region(0, 0, 4, 4);
    assertThatThrownBy(() -> RawDecoder.decode(RawRecord.parse(after), header, part, ImageMode.RGB))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("it had 4 x 5 pixels, and has 5 x 4");
  }

  /**
   * Feeds broken records to the decoder, most of them with right checksums. There is either an
   * image or a {@link FormatException}, the same from an array and from elsewhere, and sound
   * records are exact afterwards.
   */
  @Test
  void shouldDecodeBrokenRecordsOrRefuseThem() throws IOException {
    for (int i = 0; i < 24; i++) {
      Random random = new Random(i);
      int width = 1 + random.nextInt(60);
      int height = 1 + random.nextInt(60);
      byte[] rgb = TestRaws.pixels(width, height, i % 3 == 0, random);
      pixels.add(rgb);
      records.add(RawWriter.write(rgb, width, height, 1 + i % 8, i % 2 == 0));
    }
    Damage.forEachCase(
        random -> {
          byte[] record = records.get(random.nextInt(records.size())).clone();
          decodeOrRefuse(breakSomething(record, random), random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            int sound = random.nextInt(records.size());
            assertThat(Fixtures.decode(records.get(sound), DecodeOptions.DEFAULT))
                .isEqualTo(pixels.get(sound));
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 10);
  }

  private void decodeOrRefuse(byte[] broken, Random random) {
    ImageHeader header;
    try {
      header = ImageHeaders.parse(broken, Long.MAX_VALUE);
    } catch (FormatException refusal) {
      refused++;
      return;
    }
    int width = Math.min(header.width(), MAX_PIXELS / 64);
    Region region = part(width, Math.min(header.height(), MAX_PIXELS / width), random);
    String one = outcome(() -> RawRecord.parse(broken), header, region);
    assertThat(outcome(() -> elsewhere(broken), header, region)).isEqualTo(one);
  }

  private interface Parsing {
    RawRecord record() throws IOException;
  }

  /** The pixels' checksum, or what is wrong. */
  private String outcome(Parsing parsing, ImageHeader header, Region region) {
    try {
      int[] found = pixels(RawDecoder.decode(parsing.record(), header, region, ImageMode.RGB));
      decoded++;
      return Integer.toHexString(Arrays.hashCode(found));
    } catch (FormatException refusal) {
      refused++;
      assertThat(refusal).hasMessageFindingMatch("raw record|RAW of .* is too large");
      return refusal.getMessage();
    } catch (IOException other) {
      throw new AssertionError(other);
    }
  }

  private static byte[] breakSomething(byte[] data, Random random) {
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int groups = (in.getInt(20) + in.getShort(24) - 1) / in.getShort(24);
    int table = HEADER + 8 * groups;
    byte[] broken = data;
    switch (random.nextInt(8)) {
      case 0 -> broken = Arrays.copyOf(data, random.nextInt(data.length));
      case 1 -> Damage.flipBits(data, 0, HEADER, random);
      case 2 -> Damage.flipBits(data, HEADER, table, random);
      case 3 -> Damage.flipBits(data, table, data.length, random);
      case 4 -> data[table + random.nextInt(data.length - table)] = (byte) random.nextInt();
      case 5 -> Damage.overwrite(data, table, random);
      case 6 -> broken = Arrays.copyOf(data, data.length + 1 + random.nextInt(100));
      default -> {
        int at = NUMBERS[random.nextInt(NUMBERS.length)];
        int number = random.nextInt() >>> random.nextInt(32);
        if (at == 12 || at == 16 || at == 20) {
          in.putInt(at, number);
        } else {
          data[at] = (byte) number;
        }
      }
    }
    if (random.nextInt(10) > 0 && broken.length >= HEADER) {
      if (random.nextInt(4) > 0) {
        ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(12, broken.length);
      }
      TestRaws.seal(broken);
    }
    return broken;
  }
}
