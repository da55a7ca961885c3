package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are, the end is an image of the size that was announced or an exception. */
class BrokenImagesTest {

  /** Enough for all fixtures, so that a flipped bit in a size cannot make a test slow. */
  private static final DecodeOptions OPTIONS = DecodeOptions.DEFAULT.withMaxPixels(1 << 16);

  private static final int FLIPS = 40;

  static List<Fixture> images() {
    return Fixtures.images("golden.csv");
  }

  static Stream<Arguments> imagesByBackend() {
    return images().stream()
        .flatMap(
            image ->
                Stream.of(DecodeOptions.Backend.OPENCV, DecodeOptions.Backend.FEEDLINE)
                    .map(backend -> Arguments.of(image, backend)));
  }

  private static void assertRefused(byte[] data, String... words) {
    assertThatThrownBy(() -> Fixtures.decode(data, OPTIONS))
        .isInstanceOf(FormatException.class)
        .hasMessageMatching(".{12,}")
        .satisfies(refused -> assertThat(List.of(words)).allMatch(refused.getMessage()::contains));
  }

  @ParameterizedTest
  @MethodSource("images")
  void shouldRefuseAnImageThatEndsAnywhereInItsFirst200Bytes(Fixture image) {
    byte[] data = Fixtures.bytes(image.name());
    for (int length = 0; length < Math.min(200, data.length); length++) {
      byte[] cut = Arrays.copyOf(data, length);
      assertThatThrownBy(() -> Fixtures.decode(cut, OPTIONS))
          .as("cut after %d bytes", length)
          .isInstanceOf(FormatException.class)
          .hasMessageMatching(".{12,}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jpeg_420.jpg, 1 2 3 8 20 100 400, the JPEG is truncated",
    "jpeg_progressive.jpg, 1 2 3 8 20 100 400, the JPEG is truncated",
    "jpeg_cmyk_adobe.jpg, 1 2 3 8 20 100 400, the JPEG is truncated",
    "png_rgb.png, 1 5 12 13 60 300, the PNG is truncated",
    "bmp_24.bmp, 100, data",
    "webp_lossy.webp, 100, data",
    "webp_lossless.webp, 100, data",
    "tiff_rgb.tif, 100, data",
    "pnm_rgb.ppm, 100, data",
    "pnm_grey_16bit.pgm, 100, data"
  })
  void shouldRefuseATruncatedImageAsPillowDoes(String name, String missing, String words) {
    byte[] data = Fixtures.bytes(name);
    for (String bytes : missing.split(" ", -1)) {
      int length = data.length - Integer.parseInt(bytes);
      String place = name.endsWith(".jpg") ? "byte " + length : "byte ";
      assertRefused(Arrays.copyOf(data, length), words, place);
    }
  }

  @Test
  void shouldRefuseAPngWhoseChecksumIsWrong() {
    byte[] data = Fixtures.bytes("png_rgb.png");
    data[data.length / 2] ^= 4;
    assertRefused(data, "the PNG is corrupt", "checksum");
  }

  @ParameterizedTest
  @ValueSource(ints = {16_777_217, 20_000_000, 0x7FFFFFFF})
  void shouldRefuseASideThatIsTooLong(int side) throws IOException {
    byte[] png = Fixtures.bytes("png_rgb.png");
    ByteBuffer.wrap(png).putInt(16, side).putInt(20, 1);
    byte[] bmp = Fixtures.bytes("bmp_24.bmp");
    ByteBuffer.wrap(bmp).order(ByteOrder.LITTLE_ENDIAN).putInt(18, 1).putInt(22, side);
    byte[] raw = RawWriter.write(new byte[3], 1, 1, 1, false);
    ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN).putInt(16, side);
    byte[] pnm = ("P5 1 " + side + " 255\n").getBytes(US_ASCII);
    for (byte[] data : List.of(png, bmp, raw, pnm)) {
      assertThatThrownBy(() -> Image.ofEncoded(data, "a name"))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("a name", "" + side, "a side has at most 16777216");
      assertThatThrownBy(() -> Image.exifOrientation(data)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void shouldRefuseAJpegOfHostileSize() {
    byte[] data = Fixtures.bytes("jpeg_420.jpg");
    int frame = indexOf(data, 0xFF, 0xC0);
    ByteBuffer.wrap(data).putShort(frame + 5, (short) 65500).putShort(frame + 7, (short) 65500);

    assertThatThrownBy(() -> Fixtures.decode(data, DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("65500 x 65500", "maxPixels = 178956970");
  }

  @Test
  void shouldRefuseAJpegWithoutHeight() {
    byte[] data = Fixtures.bytes("jpeg_420.jpg");
    ByteBuffer.wrap(data).putShort(indexOf(data, 0xFF, 0xC0) + 5, (short) 0);

    assertRefused(data, "35 x 0", "1 or more");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, -1, 0, 100_000})
  void shouldRefuseAPngOfHostileSize(int side) {
    assertThatThrownBy(() -> Fixtures.decode(pngThatClaims(side), DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("%1$d x %1$d".formatted(side & 0xFFFFFFFFL));
  }

  private static byte[] pngThatClaims(int side) {
    byte[] data = Fixtures.bytes("png_rgb.png");
    ByteBuffer.wrap(data).putInt(16, side).putInt(20, side);
    CRC32 crc = new CRC32();
    crc.update(data, 12, 17);
    ByteBuffer.wrap(data).putInt(29, (int) crc.getValue());
    return data;
  }

  /** A size that is allowed, for which it takes no memory. */
  @Test
  void shouldRefuseAPngWhoseDataAreTooFewForItsSize() {
    assertThatThrownBy(() -> Fixtures.decode(pngThatClaims(9000), DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("9000 x 9000", "compressed bytes cannot hold");
  }

  /** Its rows are inflated in several parts; each is the one above it, and so white. */
  @Test
  void shouldContinueALargePngWithTheRowAbove() throws IOException {
    int width = 4096;
    int height = 400;
    int length = 1 + width / 8;
    byte[] rows = new byte[height * length];
    Arrays.fill(rows, 1, length, (byte) 0xFF);
    for (int y = 1; y < height; y++) {
      rows[y * length] = 2; // filtered by what is above
    }
    byte[] data = SmallHeapTest.png(width, height, SmallHeapTest.deflated(rows));

    byte[] expected = new byte[3 * width * height];
    Arrays.fill(expected, (byte) 0xFF);
    assertThat(Fixtures.decode(data, DecodeOptions.DEFAULT)).isEqualTo(expected);
  }

  @Test
  void shouldRefuseATiffThatHasATagTwice() {
    byte[] data = Fixtures.bytes("tiff_rgb.tif");
    ByteBuffer tiff = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int directory = tiff.getInt(4);
    int last = directory + 2 + 12 * (tiff.getShort(directory) - 1);
    tiff.putShort(last, (short) 256);

    assertRefused(data, "two entries with tag 256");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "P6 99999999999 1 255\n",
        "P6 1 1 70000\n",
        "P6 1 1 0\n",
        "P3 1 1 255\n1 2 256",
        "P3 1 1 255\n1 2",
        "P1 2 1\n12",
        "P5 x",
        "P7 1 1",
        "GIF89a123456",
        "hello",
        ""
      })
  void shouldRefuseText(String text) {
    assertRefused(text.getBytes(US_ASCII));
  }

  @Test
  void shouldRefuseTwelveBitJpeg() {
    byte[] data = Fixtures.bytes("jpeg_grey.jpg");
    data[indexOf(data, 0xFF, 0xC0) + 4] = 12;
    assertRefused(data, "12 bits");
  }

  @Test
  void shouldRefuseRandomBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      byte[] data = new byte[random.nextInt(300)];
      random.nextBytes(data);
      assertRefused(data);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void shouldDecodeRandomBytesAfterASignatureOrRefuseThem(DecodeOptions.Backend backend) {
    Random random = new Random(2);
    for (Fixture image : images()) {
      byte[] start = Fixtures.bytes(image.name());
      for (int i = 0; i < 10; i++) {
        byte[] data = new byte[300 + random.nextInt(300)];
        random.nextBytes(data);
        System.arraycopy(start, 0, data, 0, Math.min(start.length, 10 + random.nextInt(100)));
        assertDecodedOrRefused(data, OPTIONS.withBackend(backend));
      }
    }
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("imagesByBackend")
  void shouldDecodeAnImageWithFlippedBitsOrRefuseIt(Fixture image, DecodeOptions.Backend backend) {
    byte[] data = Fixtures.bytes(image.name());
    Random random = new Random(image.name().hashCode());
    for (int i = 0; i < FLIPS; i++) {
      byte[] broken = data.clone();
      for (int flip = 0; flip <= i % 4; flip++) {
        // Half of them at the beginning, where the header is.
        int at = random.nextInt(i % 2 == 0 ? Math.min(64, data.length) : data.length);
        broken[at] ^= (byte) (1 << random.nextInt(8));
      }
      assertDecodedOrRefused(broken, OPTIONS.withBackend(backend).withExifRotation(true));
    }
  }

  private static void assertDecodedOrRefused(byte[] data, DecodeOptions options) {
    try {
      EncodedSource image = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);
      int width = image.width();
      int height = image.height();
      Region whole = new Region(0, 0, width, height);
      byte[] rgb = Fixtures.decode(image, whole);
      assertThat(rgb).hasSize(3 * width * height);
      // Missing rows must not be filled with the image before.
      Fixtures.decode(Fixtures.bytes("tiff_rgb.tif"), options);
      assertThat(Fixtures.decode(image, whole)).isEqualTo(rgb);
    } catch (IOException refused) {
      assertThat(refused).isInstanceOf(FormatException.class).hasMessageMatching(".{12,}");
    }
  }

  private static int indexOf(byte[] data, int first, int second) {
    int at = 0;
    while ((data[at] & 0xFF) != first || (data[at + 1] & 0xFF) != second) {
      at++;
    }
    return at;
  }
}
