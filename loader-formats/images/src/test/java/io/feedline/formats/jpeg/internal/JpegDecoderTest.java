package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Damage;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import io.feedline.formats.jpeg.internal.TestJpegs.Fixture;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JpegDecoderTest {

  /** One decoder for all images: that none leaves a trace in it is part of each test. */
  private static final JpegDecoder DECODER = new JpegDecoder();

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 20;
  private static final int MARGIN = 64;
  private static final int UNTOUCHED = 0x7EADBEEF;

  private final List<Fixture> images = TestJpegs.sound();
  private int refused;
  private int decoded;

  @ParameterizedTest
  @MethodSource("io.feedline.formats.jpeg.internal.TestJpegs#sound")
  void shouldDecodeWhatLibjpegTurboDecodes(Fixture fixture) throws Exception {
    JpegImage image = fixture.parse();
    assertThat(image.unsupported()).isNull();
    assertThat(image.width()).isEqualTo(fixture.width());
    assertThat(image.height()).isEqualTo(fixture.height());
    assertThat(TestJpegs.crc(TestJpegs.decode(DECODER, image))).isEqualTo(fixture.crc());
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.jpeg.internal.TestJpegs#sound")
  void shouldDecodeRectanglesAsPartsOfTheWholeAtEachScale(Fixture fixture) throws Exception {
    JpegImage image = fixture.parse();
    int mcus = 1 + fixture.width() % 3;
    ScanIndex index = ScanIndex.build(image, mcus);
    Random random = new Random(fixture.name().hashCode());
    for (int scale = 8; scale >= 1; scale /= 2) {
      DECODER.scale(scale);
      int right = (image.width() + scale - 1) / scale;
      int bottom = (image.height() + scale - 1) / scale;
      DECODER.decode(image, 0, 0, right, bottom);
      int[] whole = TestJpegs.read(DECODER, right, bottom);
      for (int i = 0; i < (scale == 1 ? 12 : 4); i++) {
        int width = 1 + random.nextInt(right);
        int height = 1 + random.nextInt(bottom);
        int x = random.nextInt(right - width + 1);
        int y = random.nextInt(bottom - height + 1);
        int[] part = TestJpegs.crop(whole, right, x, y, width, height);

        DECODER.decode(image, x, y, width, height);
        assertThat(TestJpegs.read(DECODER, width, height)).isEqualTo(part);

        assertThat(DECODER.decode(image, index, x, y, width, height)).isTrue();
        assertThat(TestJpegs.read(DECODER, width, height)).isEqualTo(part);

        ScanIndex recorded = DECODER.decodeAndIndex(image, mcus, x, y, width, height);
        assertThat(TestJpegs.read(DECODER, width, height)).isEqualTo(part);
        assertThat(recorded.toBytes()).isEqualTo(index.toBytes());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.jpeg.internal.TestJpegs#damaged")
  void shouldSayWhereAnImageIsDamaged(Fixture fixture) throws Exception {
    byte[] data = fixture.data();
    JpegImage image = JpegImage.parse(data);

    assertThatThrownBy(() -> TestJpegs.decode(DECODER, image))
        .isInstanceOfSatisfying(
            JpegException.class,
            damage -> {
              int mcu = TestJpegs.mcu(damage);
              int columns = image.grid().columns();
              assertThat(damage)
                  .hasMessageStartingWith("the JPEG is damaged: ")
                  .hasMessageEndingWith("row %d, column %d)", mcu / columns, mcu % columns);
              assertThat(TestJpegs.byteOffset(damage)).isBetween(image.scanStart(), data.length);
              assertThat(mcu).isBetween(0, columns * image.grid().rows() - 1);
            });
    assertThatThrownBy(() -> DECODER.read(0, 1, new int[image.width()], 0, image.width()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> ScanIndex.build(image)).isInstanceOf(JpegException.class);
  }

  @Test
  void shouldNameTheByteAndTheMcuWhereDataEnd() throws Exception {
    byte[] data = TestJpegs.data("damaged/truncated_420_5.jpg");
    JpegException damage = damageOf(data);
    assertThat(damage).hasMessageContaining("the image data are truncated");
    assertThat(TestJpegs.byteOffset(damage)).isEqualTo(data.length);

    // All MCUs before can be read.
    JpegImage image = JpegImage.parse(data);
    int columns = image.grid().columns();
    assertThat(TestJpegs.mcu(damage)).isBetween(columns, 2 * columns - 1);
    McuTables tables = new McuTables();
    tables.fill(image);
    ScanReader reader = new ScanReader(tables);
    reader.open(image);
    reader.skip(TestJpegs.mcu(damage));
    assertThatThrownBy(() -> reader.skip(1))
        .isInstanceOf(JpegException.class)
        .hasMessage(damage.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "ended_444_5, 'the image data end early, before the marker FFD9'",
    "restart_interval_lost, the marker FFD2 instead of the marker FFD1",
    "restart_interval_repeated, the marker FFD1 instead of the marker FFD2",
    "restart_marker_of_another_number, the marker FFD5 instead of the marker FFD1",
    "restart_interval_cut, 'the image data end early, before the marker FFD2'",
    "garbage_before_restart, bytes that no MCU needs are left before the marker FFD2",
    "garbage_before_end, bytes that no MCU needs are left before the marker FFD9"
  })
  void shouldSayWhatIsWrong(String name, String what) {
    assertThat(damageOf(TestJpegs.data("damaged/" + name + ".jpg"))).hasMessageContaining(what);
  }

  @Test
  void shouldNotReadWhatLiesBelow() throws Exception {
    JpegImage sound = JpegImage.parse(TestJpegs.data("sound/420_67x67.jpg"));
    byte[] data = sound.data().clone();
    Arrays.fill(data, data.length - data.length / 4, data.length, (byte) 0);
    DECODER.decode(sound, 3, 0, 60, 14);
    int[] top = TestJpegs.read(DECODER, 60, 14);

    DECODER.decode(JpegImage.parse(data), 3, 0, 60, 14);

    assertThat(TestJpegs.read(DECODER, 60, 14)).isEqualTo(top);
    assertThat(TestJpegs.mcu(damageOf(data))).isGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.jpeg.internal.TestJpegs#unsupported")
  void shouldLeaveUnusualKindsToOthers(String name) throws Exception {
    JpegImage image = JpegImage.parse(TestJpegs.data(name));
    assertThat(image.unsupported()).isNotBlank();
    assertThatThrownBy(() -> DECODER.decode(image, 0, 0, 1, 1))
        .isInstanceOf(JpegException.class)
        .hasMessage("the JPEG is of an unsupported kind: " + image.unsupported());
    assertThatThrownBy(() -> ScanIndex.build(image))
        .isInstanceOf(JpegException.class)
        .hasMessage("the JPEG is of an unsupported kind: " + image.unsupported());
  }

  @ParameterizedTest
  @CsvSource({
    "progressive, progressive",
    "arithmetic, arithmetic coding",
    "12_bits, 12 bits per sample",
    "no_height, a height that only follows the image data (DNL)",
    "four_components, 4 components",
    "one_scan_a_component, components in several scans",
    "quantisers_of_16_bits, quantizers above 255",
    "'sampling_2x2_1x2_1x2', 'the sampling factors [2, 1, 1] x [2, 2, 2]'"
  })
  void shouldSayWhatKindIsUnsupported(String name, String reason) throws Exception {
    assertThat(JpegImage.parse(TestJpegs.data("unsupported/" + name + ".jpg")).unsupported())
        .isEqualTo(reason);
  }

  @Test
  void shouldRefuseRegionsAndRowsThatDoNotExist() throws Exception {
    JpegImage image = JpegImage.parse(TestJpegs.data("sound/420_67x67.jpg"));
    assertThatThrownBy(() -> DECODER.decode(image, 60, 0, 8, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("8 x 1 pixels at (60, 0) are not within 67 x 67");
    assertThatThrownBy(() -> DECODER.decode(image, 0, -1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DECODER.decode(image, 1, 0, Integer.MAX_VALUE, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JpegDecoder().read(0, 1, new int[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
    DECODER.decode(image, 0, 0, 10, 10);
    assertThatThrownBy(() -> DECODER.read(9, 2, new int[100], 0, 10))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> DECODER.read(0, 10, new int[99], 0, 10))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> DECODER.read(0, 10, new int[200], 0, 9))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** More data than the window for them keeps, in rows that are longer than one batch. */
  @Test
  void shouldDecodeRectanglesOfLargeImages() throws Exception {
    byte[] noise = new byte[3 * 1803 * 1201];
    new Random(3).nextBytes(noise);
    JpegImage image = JpegImage.parse(BaselineEncoder.encode(noise, 1803, 1201, 75));
    assertThat(image.data()).hasSizeGreaterThan(1 << 20);
    int[] whole = TestJpegs.decode(DECODER, image);
    ScanIndex index = ScanIndex.build(image);
    assertThat(DECODER.decode(image, index, 0, 0, image.width(), image.height())).isTrue();
    assertThat(TestJpegs.read(DECODER, image.width(), image.height())).isEqualTo(whole);

    DECODER.decode(image, 700, 1000, 500, 100);

    assertThat(TestJpegs.read(DECODER, 500, 100))
        .isEqualTo(TestJpegs.crop(whole, image.width(), 700, 1000, 500, 100));
  }

  private static JpegException damageOf(byte[] data) {
    try {
      TestJpegs.decode(DECODER, JpegImage.parse(data));
    } catch (JpegException damage) {
      return damage;
    }
    throw new AssertionError("no damage found");
  }

  /**
   * Feeds broken files to the decoder. There is either an image or a {@link JpegException}, nothing
   * is written outside of the rows asked for, and the decoder is exact afterwards.
   */
  @Test
  void shouldDecodeBrokenFilesOrRefuseThem() throws Exception {
    Damage.forEachCase(
        random -> {
          Fixture image = images.get(random.nextInt(images.size()));
          decodeOrRefuse(breakSomething(image.data(), random), image, random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            assertExact(random);
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 6);
  }

  private void decodeOrRefuse(byte[] broken, Fixture original, Random random) {
    JpegImage image;
    try {
      image = JpegImage.parse(broken);
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    if (image.unsupported() != null) {
      return;
    }
    // Embedders bound the size before they decode.
    int width = 1 + random.nextInt(Math.min(image.width(), MAX_PIXELS / 64));
    int height = 1 + random.nextInt(Math.min(image.height(), MAX_PIXELS / width));
    int x = random.nextInt(image.width() - width + 1);
    int y = random.nextInt(image.height() - height + 1);
    boolean small = (long) image.width() * image.height() <= MAX_PIXELS;
    try {
      switch (random.nextInt(small ? 4 : 2)) {
        case 0 -> DECODER.decodeAndIndex(image, 1 + random.nextInt(9), x, y, width, height);
        case 1 -> DECODER.decode(image, x, y, width, height);
        case 2 -> DECODER.decode(image, ScanIndex.build(image), x, y, width, height);
        default -> {
          ScanIndex stale = ScanIndex.build(original.parse());
          byte[] index = stale.toBytes();
          index[random.nextInt(index.length)] ^= (byte) (1 << random.nextInt(8));
          DECODER.decode(image, stale, x, y, width, height);
          ScanIndex.of(ByteBuffer.wrap(index));
        }
      }
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    decoded++;
    assertRowsOnly(width, height, random);
  }

  private void assertRowsOnly(int width, int height, Random random) {
    int rows = 1 + random.nextInt(Math.min(height, 20));
    int stride = width + random.nextInt(3);
    int[] pixels = new int[2 * MARGIN + rows * stride];
    Arrays.fill(pixels, UNTOUCHED);
    DECODER.read(random.nextInt(height - rows + 1), rows, pixels, MARGIN, stride);
    for (int i = 0; i < pixels.length; i++) {
      int at = i - MARGIN;
      boolean inside = at >= 0 && at < rows * stride && at % stride < width;
      if (inside ? (pixels[i] >>> 24) != 0 : pixels[i] != UNTOUCHED) {
        throw new AssertionError("pixel %d is %08X".formatted(at, pixels[i]));
      }
    }
  }

  private void assertExact(Random random) throws JpegException {
    Fixture sound = images.get(random.nextInt(images.size()));
    assertThat(TestJpegs.crc(TestJpegs.decode(DECODER, sound.parse())))
        .as(sound.name())
        .isEqualTo(sound.crc());
  }

  private static byte[] breakSomething(byte[] data, Random random) throws JpegException {
    int scanStart = TestJpegs.scanStart(data);
    switch (random.nextInt(7)) {
      case 0 -> {
        return Arrays.copyOf(data, random.nextInt(data.length));
      }
      case 1 -> Damage.flipBits(data, 0, data.length, random);
      case 2 -> Damage.flipBits(data, 0, scanStart, random);
      case 3 -> Damage.flipBits(data, scanStart, data.length, random);
      case 4 -> {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          data[random.nextInt(scanStart)] = (byte) random.nextInt();
        }
      }
      case 5 -> Damage.overwrite(data, 0, random);
      default -> Damage.setJpegSize(data, 2, random);
    }
    return data;
  }
}
