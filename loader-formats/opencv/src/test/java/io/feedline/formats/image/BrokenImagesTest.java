package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are, the end is an image of the size that was announced or an exception. */
class BrokenImagesTest {

  /** Enough for all fixtures, so that a flipped bit in a size cannot make a test slow. */
  private static final DecodeOptions OPTIONS =
      DecodeOptions.DEFAULT.withMaxPixels(1 << 16).withExifRotation(true);

  private static final int PNG_SIGNATURE = 8;
  private static final int PNG_CHUNK_OVERHEAD = 12;
  private static final int SOS = 0xDA;
  private static final int DHT = 0xC4;
  private static final int DQT = 0xDB;

  private final Map<ImageMode, Integer> decoded = new EnumMap<>(ImageMode.class);
  private int refused;

  private static List<String> names() {
    return Fixtures.images("golden.csv").stream().map(Fixture::name).toList();
  }

  private static void assertRefused(byte[] data, String... words) {
    assertThatThrownBy(() -> Fixtures.decode(data, OPTIONS))
        .isInstanceOf(FormatException.class)
        .hasMessageMatching(".{12,}")
        .satisfies(refused -> assertThat(List.of(words)).allMatch(refused.getMessage()::contains));
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldRefuseAnImageThatEndsAnywhereInItsFirst200Bytes(String name) {
    byte[] data = Fixtures.bytes(name);
    for (int length = 0; length < Math.min(200, data.length); length++) {
      assertRefused(Arrays.copyOf(data, length));
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

  /** Replaces bytes behind others; 9000 x 9000 pixels are allowed, but take no memory. */
  @ParameterizedTest
  @CsvSource({
    "jpeg_420.jpg, FFC0, 5, FFDCFFDC, '65500 x 65500 pixels'",
    "jpeg_420.jpg, FFC0, 5, 0000, 35 x 0",
    "jpeg_grey.jpg, FFC0, 4, 0C, 12 bits",
    "png_rgb.png, 49484452, 4, 7FFFFFFF7FFFFFFF, 2147483647 x 2147483647",
    "png_rgb.png, 49484452, 4, FFFFFFFFFFFFFFFF, 4294967295 x 4294967295",
    "png_rgb.png, 49484452, 4, 0000000000000000, 0 x 0",
    "png_rgb.png, 49484452, 4, 000186A0000186A0, 100000 x 100000",
    "png_rgb.png, 49484452, 4, 0000232800002328, compressed bytes cannot hold",
    "tiff_rgb.tif, 01010400, 0, 0001, two entries with tag 256",
  })
  void shouldRefuseAHostileHeader(String name, String after, int skip, String bytes, String words) {
    byte[] data = Fixtures.bytes(name);
    int at = HexFormat.of().withUpperCase().formatHex(data).indexOf(after) / 2 + skip;
    byte[] patch = HexFormat.of().parseHex(bytes);
    System.arraycopy(patch, 0, data, at, patch.length);
    if (name.endsWith("png")) {
      sumUp(data);
    }

    assertThatThrownBy(() -> Fixtures.decode(data, DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(words);
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

  @ParameterizedTest
  @CsvSource({
    "'P6 99999999999 1 255\\n', ''",
    "'P6 1 1 70000\\n', maxval",
    "'P6 1 1 0\\n', maxval",
    "'P3 1 1 255\\n1 2 256', 256",
    "'P3 1 1 255\\n1 2', truncated",
    "'P1 2 1\\n12', ''",
    "P5 x, ''",
    "P7 1 1, not an image",
    "GIF89a123456, ''",
    "hello, not an image",
    "'', 0 bytes",
    "....ftypheic, this is HEIC",
    "....ftypmif1, this is HEIC",
    "....ftypavif, this is AVIF",
    "....ftypisom, this is a video (brand 'isom')",
    "'\\0\\0\\0\\fjP  ', this is JPEG 2000",
    "\u00FFO\u00FFQ, this is JPEG 2000",
    "'\\0\\0\\0\\fJXL ', this is JPEG XL",
    "'\\37\\213', gzip",
    "8BPS, this is a Photoshop file",
    "%PDF-1.4, this is PDF",
  })
  void shouldRefuseTextAndNameOtherKindsOfFiles(String start, String words) {
    byte[] data = start.translateEscapes().getBytes(ISO_8859_1);
    boolean other = words.matches("this is.*|gzip");
    assertRefused(
        other ? Arrays.copyOf(data, 64) : data,
        words,
        other ? "not supported; JPEG, PNG, BMP, GIF," : "");
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

  @Test
  void shouldDecodeBrokenImagesAlikeInAllModesOrRefuseThem() throws IOException {
    List<String> names = new ArrayList<>(names());
    for (int i = 0; i < 9; i++) {
      names().stream().filter(name -> name.contains("grey_16bit")).forEach(names::add);
    }
    Damage.forEachCase(
        random -> {
          String name = names.get(random.nextInt(names.size()));
          check(name, broken(Fixtures.bytes(name), random));
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 2);
    assertThat(decoded.get(ImageMode.GRAY)).isGreaterThan(Damage.CASES / 10);
    assertThat(decoded.get(ImageMode.RGBA)).isGreaterThan(Damage.CASES / 10);
    assertThat(decoded.get(ImageMode.GRAY16)).isGreaterThan(Damage.CASES / 50);
  }

  /** Workers decode a dataset's images in any order, and so each after any other. */
  @ParameterizedTest
  @MethodSource("names")
  void shouldDecodeABrokenImageAlikeInAnyOrderOrRefuseIt(String name) {
    byte[] whole = Fixtures.bytes(name);
    List<byte[]> damaged = new ArrayList<>();
    for (int[] table : tables(whole)) {
      byte[] without = Arrays.copyOf(whole, whole.length - (table[1] - table[0]));
      System.arraycopy(whole, table[1], without, table[0], whole.length - table[1]);
      damaged.add(without);
    }
    Random random = new Random(whole.length);
    for (int i = 0; i < 12; i++) {
      damaged.add(whole.clone());
      Damage.flipBits(damaged.get(damaged.size() - 1), 0, whole.length, random);
    }
    List<byte[]> others =
        List.of(
            whole,
            withOtherTables(whole),
            Fixtures.bytes("jpeg_progressive.jpg"),
            Fixtures.bytes("jpeg_cmyk_adobe.jpg"));
    for (byte[] each : damaged) {
      int[] first = pixels(name, each, ImageMode.RGB);
      for (byte[] before : others) {
        pixels(name, before, ImageMode.RGB);
        assertThat(pixels(name, each, ImageMode.RGB)).isEqualTo(first);
      }
    }
  }

  /** Those of which Pillow's verdict on their colors is known. */
  @Test
  void shouldDecodeWhatPillowWasAskedForAlikeInAllModes() throws IOException {
    for (PillowMutantsTest.Case each : PillowMutantsTest.cases("pillow_mutants.gz")) {
      check(each.name(), each.data());
    }
    assertThat(decoded.get(ImageMode.RGB)).isGreaterThan(300);
    assertThat(decoded.get(ImageMode.GRAY16)).isGreaterThan(10);
  }

  private void check(String name, byte[] data) {
    Map<ImageMode, int[]> found = new EnumMap<>(ImageMode.class);
    for (ImageMode mode : ImageMode.values()) {
      int[] pixels = pixels(name, data, mode);
      if (pixels == null) {
        refused++;
      } else {
        found.put(mode, pixels);
        decoded.merge(mode, 1, Integer::sum);
      }
    }
    int[] rgb = found.get(ImageMode.RGB);
    if (name.endsWith(".jpg")) {
      // The gray of a JPEG is its luminance, not made of its colors.
      return;
    }
    // Gray needs no more than color does.
    assertThat(found.containsKey(ImageMode.GRAY)).as(name).isEqualTo(rgb != null);
    if (rgb == null) {
      assertThat(found).as(name).doesNotContainKeys(ImageMode.RGBA, ImageMode.GRAY16);
      return;
    }
    int[] gray = found.get(ImageMode.GRAY);
    assertThat(gray).as(name).isEqualTo(each(rgb, PackedRgb::luminance));
    if (found.containsKey(ImageMode.RGBA)) {
      assertThat(each(found.get(ImageMode.RGBA), pixel -> pixel & 0xFFFFFF))
          .as(name)
          .isEqualTo(rgb);
    }
    if (found.containsKey(ImageMode.GRAY16)) {
      assertThat(each(found.get(ImageMode.GRAY16), value -> value >> 8)).as(name).isEqualTo(gray);
    }
  }

  private static int[] each(int[] pixels, IntUnaryOperator change) {
    return Arrays.stream(pixels).map(change).toArray();
  }

  private static int @Nullable [] pixels(String name, byte[] data, ImageMode mode) {
    try {
      EncodedSource source =
          EncodedSource.of(data, OPTIONS.withMode(mode), ScanIndexStore.Place.NOWHERE);
      int width = source.width();
      int height = source.height();
      try (PixelRows rows = source.decode(new Region(0, 0, width, height))) {
        int[] pixels = new int[width * height];
        rows.read(0, height, pixels, 0, width);
        return pixels;
      }
    } catch (IOException refusal) {
      assertThat(refusal)
          .as(name)
          .isInstanceOf(FormatException.class)
          .hasMessageMatching("(?s).{12,}");
      return null;
    }
  }

  private static byte[] broken(byte[] data, Random random) {
    byte[] out = data;
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(random.nextInt(3) == 0 ? out.length : Math.min(out.length, 64));
      switch (random.nextInt(7)) {
        case 0 -> out[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> out[at] = (byte) random.nextInt();
        case 2 -> out[at] = new byte[] {0, 1, 2, 3, 4, 6, 8, 16, 32, -1}[random.nextInt(10)];
        case 3 -> {
          if (out.length >= 4) {
            ByteBuffer.wrap(out).putInt(Math.min(at, out.length - 4), random.nextInt());
          }
        }
        case 4 -> out = Arrays.copyOf(out, 1 + random.nextInt(out.length));
        // Random bytes after a signature.
        case 5 -> {
          out = Arrays.copyOf(out, 300 + random.nextInt(300));
          for (int from = 10 + random.nextInt(100); from < out.length; from++) {
            out[from] = (byte) random.nextInt();
          }
        }
        // The depth and the color type of a PNG.
        default ->
            out[Math.min(out.length - 1, 24 + random.nextInt(2))] = (byte) (1 << random.nextInt(5));
      }
    }
    if (out[0] == (byte) 0x89 && random.nextInt(5) > 0) {
      sumUp(out);
    }
    return out;
  }

  /** Makes the checksums of a PNG right again, so that damage gets behind them. */
  private static void sumUp(byte[] data) {
    ByteBuffer png = ByteBuffer.wrap(data);
    int at = PNG_SIGNATURE;
    while (at + PNG_CHUNK_OVERHEAD <= data.length) {
      long end = at + PNG_CHUNK_OVERHEAD + (png.getInt(at) & 0xFFFFFFFFL);
      if (end > data.length) {
        return;
      }
      CRC32 sum = new CRC32();
      sum.update(data, at + 4, (int) end - at - 8);
      png.putInt((int) end - 4, (int) sum.getValue());
      at = (int) end;
    }
  }

  @Test
  void shouldSayWhatIsWrongWithATransparencyChunk() {
    byte[] png = Fixtures.bytes("png_rgb_transparent_colour.png");
    int at = new String(png, ISO_8859_1).indexOf("tRNS");
    // Of its 6 bytes 4, and behind it an empty chunk that no reader knows.
    ByteBuffer shorter = ByteBuffer.allocate(png.length + 10);
    shorter.put(png, 0, at - 4).putInt(4).put(png, at, 8).putInt(0);
    shorter.putInt(0).put("xTra".getBytes(ISO_8859_1)).putInt(0);
    shorter.put(png, at + 14, png.length - at - 14);
    sumUp(shorter.array());

    assertThat(pixels("shorter", shorter.array(), ImageMode.RGB)).isNotEmpty();
    assertThatThrownBy(() -> Fixtures.decode(shorter.array(), OPTIONS.withMode(ImageMode.RGBA)))
        .isInstanceOf(FormatException.class)
        .hasMessage("the tRNS chunk at byte %d has 4 bytes, expected 6".formatted(at - 4));
  }

  /** The image as it is, but coarser, where it is a JPEG. */
  private static byte[] withOtherTables(byte[] data) {
    byte[] coarser = data.clone();
    for (int[] table : tables(data)) {
      for (int i = table[0] + 5; i < table[1] && data[table[0] + 1] == (byte) DQT; i++) {
        coarser[i] = (byte) Math.min(255, 3 * (data[i] & 0xFF));
      }
    }
    return coarser;
  }

  /** Returns the begins and ends of a JPEG's segments that hold tables. */
  private static List<int[]> tables(byte[] data) {
    List<int[]> tables = new ArrayList<>();
    boolean jpeg = (data[0] & 0xFF) == 0xFF;
    for (int at = 2; jpeg && (data[at + 1] & 0xFF) != SOS; ) {
      int marker = data[at + 1] & 0xFF;
      int end = at + 2 + (((data[at + 2] & 0xFF) << 8) | (data[at + 3] & 0xFF));
      if (marker == DHT || marker == DQT) {
        tables.add(new int[] {at, end});
      }
      at = end;
    }
    return tables;
  }
}
