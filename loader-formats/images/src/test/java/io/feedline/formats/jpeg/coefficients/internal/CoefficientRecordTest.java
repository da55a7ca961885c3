package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.BAND_ENTRY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Damage;
import io.feedline.formats.jpeg.internal.HuffmanTable;
import io.feedline.formats.jpeg.internal.JpegDecoder;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.McuGrid;
import io.feedline.formats.jpeg.internal.PixelPlanes;
import io.feedline.formats.jpeg.internal.PlainPixelKernels;
import io.feedline.formats.jpeg.internal.Sampling;
import io.feedline.formats.jpeg.internal.TestJpegs;
import io.feedline.formats.jpeg.internal.TestJpegs.Fixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoefficientRecordTest {

  private static final CoefficientDecoder PLAIN =
      new CoefficientDecoder(new PixelPlanes(new PlainPixelKernels()), new PlainSetKernels());
  private static final CoefficientDecoder FASTEST = new CoefficientDecoder();

  /** A decoder that clears nothing and meets one that destroys all that it reads. */
  private static final CoefficientDecoder MIXED =
      new CoefficientDecoder(new PixelPlanes(new PlainPixelKernels()), SetKernels.create());

  private static final JpegDecoder JPEG = new JpegDecoder();

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 16;

  /** Sound to libjpeg, which adds the end of the image where it is missing. */
  private static final List<String> WITHOUT_END =
      List.of("sound/no_end_of_image.jpg", "sound/end_of_image_is_another_marker.jpg");

  private int refused;
  private int decoded;

  static List<Fixture> packed() {
    return TestJpegs.sound().stream().filter(f -> !WITHOUT_END.contains(f.name())).toList();
  }

  static List<String> leftAlone() {
    return Stream.of(
            WITHOUT_END,
            TestJpegs.unsupported(),
            TestJpegs.damaged().stream().map(Fixture::name).toList())
        .flatMap(List::stream)
        .toList();
  }

  static byte[] pack(Fixture fixture) {
    return CoefficientRecord.of(fixture.data()).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("packed")
  void shouldDecodeToThePixelsOfTheJpeg(Fixture fixture) throws Exception {
    JpegImage image = fixture.parse();
    CoefficientRecord record = CoefficientRecord.parse(pack(fixture));
    assertThat(record.width()).isEqualTo(image.width());
    assertThat(record.height()).isEqualTo(image.height());
    Random random = new Random(fixture.name().hashCode());
    for (int scale = 1; scale <= 8; scale *= 2) {
      int right = (image.width() + scale - 1) / scale;
      int bottom = (image.height() + scale - 1) / scale;
      JPEG.scale(scale);
      JPEG.decode(image, 0, 0, right, bottom);
      int[] whole = TestJpegs.read(JPEG, right, bottom);
      for (CoefficientDecoder decoder : List.of(PLAIN, FASTEST, MIXED)) {
        assertEqual(decoder, record, scale, whole, right, random);
      }
    }
  }

  /** Compares the whole image at a scale and some random crops. */
  private static void assertEqual(
      CoefficientDecoder decoder,
      CoefficientRecord record,
      int scale,
      int[] whole,
      int right,
      Random random)
      throws JpegException {
    int bottom = whole.length / right;
    decoder.decode(record, scale, 0, 0, right, bottom);
    assertThat(read(decoder, right, bottom)).isEqualTo(whole);
    for (int i = 0; i < 3; i++) {
      int width = 1 + random.nextInt(right);
      int height = 1 + random.nextInt(bottom);
      int x = random.nextInt(right - width + 1);
      int y = random.nextInt(bottom - height + 1);
      decoder.decode(record, scale, x, y, width, height);
      assertThat(read(decoder, width, height))
          .isEqualTo(TestJpegs.crop(whole, right, x, y, width, height));
    }
  }

  @ParameterizedTest
  @MethodSource("packed")
  void shouldBecomeAJpegOfTheSameHeaderAndCoefficients(Fixture fixture) throws Exception {
    byte[] record = pack(fixture);
    byte[] jpeg = CoefficientRecord.parse(record).toJpeg();

    assertThat(CoefficientRecord.of(jpeg)).hasValueSatisfying(r -> assertThat(r).isEqualTo(record));
    assertThat(TestJpegs.crc(TestJpegs.decode(JPEG, JpegImage.parse(jpeg))))
        .isEqualTo(fixture.crc());
  }

  @ParameterizedTest
  @MethodSource("leftAlone")
  void shouldNotBeMadeOfWhatIsToStayAsItIs(String name) {
    assertThat(CoefficientRecord.of(TestJpegs.data(name))).isEmpty();
    assertThat(CoefficientRecord.of(new byte[name.length()])).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sound/444_67x67_q30_waves.jpg", "sound/420_67x67.jpg"})
  void shouldReplaceHuffmanTablesThatLackACode(String name) throws Exception {
    byte[] jpeg = TestJpegs.data(name);
    byte[] record = CoefficientRecord.of(jpeg).orElseThrow();
    JpegImage header = CoefficientRecord.parse(record).header();
    byte[] poor = record.clone();
    for (int c = 0; c < header.grid().sampling().components(); c++) {
      makePoor(poor, header.component(c).dcTable(), 5);
      makePoor(poor, header.component(c).acTable(), 0x11);
    }
    seal(poor);
    CoefficientRecord parsed = CoefficientRecord.parse(poor);

    byte[] again = parsed.toJpeg();

    JpegImage image = JpegImage.parse(again);
    assertThat(TestJpegs.decode(JPEG, image))
        .isEqualTo(TestJpegs.decode(JPEG, JpegImage.parse(jpeg)));
    assertThat(image.component(0).quantizers()).isEqualTo(header.component(0).quantizers());
    assertThat(again.length).isLessThan(jpeg.length + 500);
    CoefficientRecord packed = CoefficientRecord.parse(CoefficientRecord.of(again).orElseThrow());
    for (int band = 0; band < packed.bands(); band++) {
      assertThat(values(packed, band)).isEqualTo(values(parsed, band));
    }
  }

  /** The result equals that of coefficients.py for the records beside it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"420_67x67", "444_67x67_q30_waves", "444_17x15_q100_flat", "grey_48x17_q5_waves"})
  void shouldBeReadByPythonAsByUs(String name) throws Exception {
    byte[] record = resource("coefficients/" + name + ".flc");
    assertThat(CoefficientRecord.of(TestJpegs.data("sound/" + name + ".jpg")))
        .hasValueSatisfying(made -> assertThat(made).isEqualTo(record));

    assertThat(asText(CoefficientRecord.parse(record)))
        .isEqualTo(new String(resource("coefficients/" + name + ".txt"), UTF_8));
  }

  @Test
  void shouldBeAsTheSpecificationShows() throws Exception {
    byte[] record = resource("coefficients/grey_48x17_q5_waves.flc");
    String hex = HexFormat.ofDelimiter(" ").withUpperCase().formatHex(record);
    String shown =
        Files.readAllLines(Path.of("COEFFICIENTS.md")).stream()
            .filter(line -> line.matches(" {4}([0-9A-F]{2} ){9,}[0-9A-F]{2}"))
            .map(String::strip)
            .findFirst()
            .orElseThrow();
    assertThat(hex).endsWith(shown);
  }

  /** Component, row and column of each block, and its values without the zeros at their end. */
  private static String asText(CoefficientRecord record) throws JpegException {
    McuGrid grid = record.header().grid();
    Sampling sampling = grid.sampling();
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < sampling.components(); c++) {
      int across = c == 0 ? sampling.horizontal() : 1;
      int down = c == 0 ? sampling.vertical() : 1;
      QuantizedBand band = new QuantizedBand(grid);
      for (int y = 0; y < grid.rows() * down; y++) {
        band.read(record, y / down / CoefficientLayout.ROWS);
        for (int x = 0; x < grid.columns() * across; x++) {
          int block = c == 0 ? y % down * across + x % across : sampling.lumaBlocks() + c - 1;
          int at = band.at(y / down % CoefficientLayout.ROWS, x / across, block);
          String values =
              IntStream.range(0, 64)
                  .map(place -> at + CoefficientLayout.LANES * place)
                  .mapToObj(i -> Short.toString(band.values()[i]))
                  .collect(Collectors.joining(" "));
          text.append("%d,%d,%d,%s\n".formatted(c, y, x, values.replaceFirst("( 0)+$", "")));
        }
      }
    }
    return text.toString();
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = CoefficientRecordTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  /** Makes every symbol the same, so that all others have no code. */
  private static void makePoor(byte[] data, int table, int symbol) {
    int end = table + HuffmanTable.definitionLength(data, table);
    Arrays.fill(data, table + HuffmanTable.LENGTHS, end, (byte) symbol);
  }

  private static short[] values(CoefficientRecord record, int band) throws JpegException {
    QuantizedBand values = new QuantizedBand(record.header().grid());
    values.read(record, band);
    return values.values();
  }

  /** The record is the specification's example; its second band begins at byte 423. */
  @ParameterizedTest
  @CsvSource({
    "8, 2, false, 'the coefficient record is of version 2, and this Feedline reads version 1'",
    "10, 1, false, 'damaged: 0001 where 0000 is expected (at byte 10)'",
    "12, 0, false, 'damaged: it has 460 bytes, expected 256 (at byte 12)'",
    "16, 64, false, 'damaged: the checksum of its header is '",
    "19, 1, false, 'damaged: a JPEG''s header of 16777544 bytes and 2 bands do not fit into 460"
        + " bytes'",
    "20, 3, true, 'damaged: 3 bands for 3 rows of MCUs, expected 2 (at byte 20)'",
    "100, 9, false, 'damaged: the checksum of its header is '",
    "430, 9, false, 'damaged: the checksum of band 1 of 2, 37 bytes, is '",
    "423, 9, true, 'damaged: the groups of band 1 end at byte 434, expected 460 (at byte 423)'",
    "425, 128, true, 'damaged: group 0 of band 1 (rows of MCUs from 2, columns from 0): set 0 is"
        + " invalid'",
    "425, 193, true, 'set 0 is invalid, or ends after the group''s end (at byte 425)'",
    "426, 7, true, 'set 0 is invalid, or ends after the group''s end'",
    "427, 1, true, 'set 0 is invalid, or ends after the group''s end'",
    "428, 16, true, 'set 0 is invalid, or ends after the group''s end'",
    "455, 0, true, '1 bytes are left behind the last of its 1 sets'"
  })
  void shouldSayWhatIsWrongAndWhere(int at, int value, boolean sealed, String message)
      throws Exception {
    byte[] record = resource("coefficients/grey_48x17_q5_waves.flc");
    record[at] = (byte) value;
    if (sealed) {
      seal(record);
    }
    for (CoefficientDecoder decoder : List.of(PLAIN, FASTEST)) {
      assertThatThrownBy(() -> decoder.decode(CoefficientRecord.parse(record), 1, 0, 0, 48, 17))
          .isInstanceOf(JpegException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void shouldReadOnlyTheBandsOfTheRegion() throws Exception {
    byte[] record = resource("coefficients/grey_48x17_q5_waves.flc");
    record[430] ^= 1;
    CoefficientRecord damaged = CoefficientRecord.parse(record);
    FASTEST.decode(damaged, 1, 0, 0, 48, 16);
    assertThatThrownBy(() -> FASTEST.decode(damaged, 1, 47, 16, 1, 1))
        .isInstanceOf(JpegException.class)
        .hasMessageContaining("the checksum of band 1");
  }

  @Test
  void shouldRefuseRegionsAndRowsThatDoNotExist() throws Exception {
    CoefficientRecord record =
        CoefficientRecord.parse(
            CoefficientRecord.of(TestJpegs.data("sound/420_67x67.jpg")).orElseThrow());
    assertThatThrownBy(() -> FASTEST.decode(record, 1, 60, 0, 8, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> FASTEST.read(0, 1, new int[67], 0, 67))
        .isInstanceOf(IllegalStateException.class);
  }

  /**
   * Feeds broken records to the decoder, most of them with right checksums. There is either an
   * image or a {@link JpegException}, plain and vector kernels say and show the same, and the
   * decoders are exact afterwards.
   */
  @Test
  void shouldDecodeBrokenRecordsOrRefuseThem() throws Exception {
    List<Fixture> images = packed();
    List<byte[]> records = images.stream().map(CoefficientRecordTest::pack).toList();
    Damage.forEachCase(
        random -> {
          byte[] record = records.get(random.nextInt(records.size())).clone();
          decodeOrRefuse(breakSomething(record, random), random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            int sound = random.nextInt(records.size());
            assertExact(PLAIN, records.get(sound), images.get(sound));
            assertExact(FASTEST, records.get(sound), images.get(sound));
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 10);
  }

  private void decodeOrRefuse(byte[] broken, Random random) {
    CoefficientRecord record;
    try {
      record = CoefficientRecord.parse(broken);
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    int width = 1 + random.nextInt(Math.min(record.width(), MAX_PIXELS / 64));
    int height = 1 + random.nextInt(Math.min(record.height(), MAX_PIXELS / width));
    int x = random.nextInt(record.width() - width + 1);
    int y = random.nextInt(record.height() - height + 1);
    String one = outcome(PLAIN, record, x, y, width, height);
    String other = outcome(FASTEST, record, x, y, width, height);
    assertThat(other).isEqualTo(one);
    try {
      JpegImage again = JpegImage.parse(record.toJpeg());
      assertThat(again.width()).isEqualTo(record.width());
    } catch (JpegException refusal) {
      assertThat(refusal).hasMessageFindingMatch("coefficient record|Huffman table");
    }
  }

  /** The pixels' checksum, or what is wrong. */
  private String outcome(
      CoefficientDecoder decoder, CoefficientRecord record, int x, int y, int width, int height) {
    try {
      decoder.decode(record, 1, x, y, width, height);
    } catch (JpegException refusal) {
      refused++;
      assertThat(refusal).hasMessageStartingWith("the coefficient record is damaged: ");
      assertThat(TestJpegs.byteOffset(refusal)).isBetween(0, record.data().length);
      return refusal.getMessage();
    }
    decoded++;
    return Integer.toHexString(TestJpegs.crc(read(decoder, width, height)));
  }

  private static void assertExact(CoefficientDecoder decoder, byte[] record, Fixture image)
      throws JpegException {
    CoefficientRecord sound = CoefficientRecord.parse(record);
    decoder.decode(sound, 1, 0, 0, sound.width(), sound.height());
    assertThat(TestJpegs.crc(read(decoder, sound.width(), sound.height())))
        .as(image.name())
        .isEqualTo(image.crc());
  }

  private static byte[] breakSomething(byte[] data, Random random) {
    int bands = bandsAt(data);
    byte[] broken = data;
    switch (random.nextInt(8)) {
      case 0 -> broken = Arrays.copyOf(data, random.nextInt(data.length));
      case 1 -> Damage.flipBits(data, 0, CoefficientLayout.HEADER_AT, random);
      case 2 -> Damage.flipBits(data, CoefficientLayout.HEADER_AT, bands, random);
      case 3 -> Damage.flipBits(data, bands, data.length, random);
      case 4 -> data[bands + random.nextInt(data.length - bands)] = (byte) random.nextInt();
      case 5 -> Damage.overwrite(data, bands, random);
      case 6 -> broken = Arrays.copyOf(data, data.length + 1 + random.nextInt(100));
      default -> Damage.setJpegSize(data, CoefficientLayout.HEADER_AT, random);
    }
    if (random.nextInt(10) > 0 && broken.length >= CoefficientLayout.HEADER_AT) {
      if (random.nextInt(4) > 0) {
        CoefficientLayout.U32.set(broken, CoefficientLayout.LENGTH_AT, broken.length);
      }
      seal(broken);
    }
    return broken;
  }

  private static int bandsAt(byte[] data) {
    return CoefficientLayout.HEADER_AT
        + (int) CoefficientLayout.u32(data, CoefficientLayout.HEADER_LENGTH_AT);
  }

  /** Makes all checksums right again, as far as the record says where its parts are. */
  private static void seal(byte[] record) {
    long header = CoefficientLayout.u32(record, CoefficientLayout.HEADER_LENGTH_AT);
    long bands = CoefficientLayout.u32(record, CoefficientLayout.BANDS_AT);
    long table = CoefficientLayout.HEADER_AT + header;
    if (table + BAND_ENTRY * bands > record.length) {
      // Such a record claims more than it has; only its header can be sealed.
      return;
    }
    long from = table + BAND_ENTRY * bands;
    for (int band = 0; band < bands; band++) {
      int entry = (int) table + BAND_ENTRY * band;
      long end = CoefficientLayout.u32(record, entry);
      if (end >= from && end <= record.length) {
        CRC32C checksum = new CRC32C();
        checksum.update(record, (int) from, (int) (end - from));
        CoefficientLayout.U32.set(record, entry + 4, (int) checksum.getValue());
        from = end;
      }
    }
    CRC32C checksum = CoefficientRecord.checksum(record, (int) (table + BAND_ENTRY * bands));
    CoefficientLayout.U32.set(record, CoefficientLayout.CHECKSUM_AT, (int) checksum.getValue());
  }

  static int[] read(CoefficientDecoder decoder, int width, int height) {
    int[] pixels = new int[width * height];
    decoder.read(0, height, pixels, 0, width);
    return pixels;
  }
}
