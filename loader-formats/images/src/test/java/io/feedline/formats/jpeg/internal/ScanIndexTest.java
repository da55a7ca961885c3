package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.jpeg.internal.TestJpegs.Fixture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScanIndexTest {

  private static final String WITHOUT_RESTARTS = "sound/420_200x90_noise.jpg";
  private static final String WITH_RESTARTS = "sound/fill_bytes_before_restart.jpg";

  private final JpegDecoder decoder = new JpegDecoder();
  private JpegImage image;
  private ScanIndex index;

  @BeforeEach
  void build() throws JpegException {
    image = JpegImage.parse(TestJpegs.data(WITHOUT_RESTARTS));
    index = ScanIndex.build(image);
  }

  /** Decoding from an entry up to the next must end exactly where that begins. */
  @ParameterizedTest
  @MethodSource("io.feedline.formats.jpeg.internal.TestJpegs#sound")
  void shouldKnowWhereEachMcuBeginsAndEnds(Fixture image) throws Exception {
    JpegImage parsed = image.parse();
    ScanIndex dense = ScanIndex.build(parsed, 1);
    McuTables tables = new McuTables();
    tables.fill(parsed);
    ScanReader inOrder = new ScanReader(tables);
    inOrder.open(parsed);
    ScanReader direct = new ScanReader(tables);
    direct.open(parsed);
    ScanIndex.Entry entry = new ScanIndex.Entry();
    int columns = parsed.grid().columns();
    for (int mcu = 0; mcu < columns * parsed.grid().rows(); mcu++) {
      assertThat(dense.find(mcu / columns, mcu % columns, mcu % columns + 1, entry)).isTrue();
      assertThat(entry.mcu).isEqualTo(mcu);
      direct.seek(entry, false);
      direct.skip(1);
      inOrder.skip(1);
      assertThat(direct.bitPosition()).isEqualTo(inOrder.bitPosition());
      assertThat(direct.predictions()).isEqualTo(inOrder.predictions());
      if (parsed.restartInterval() == 0) {
        assertThat(entry.endBit).isEqualTo(inOrder.bitPosition());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 13, 65535})
  void shouldSurviveItsBytes(int mcusPerEntry) throws Exception {
    int[] whole = TestJpegs.decode(decoder, image);
    ScanIndex built = ScanIndex.build(image, mcusPerEntry);
    ByteBuffer direct = ByteBuffer.allocateDirect(built.byteSize() + 20).position(13);
    direct.put(built.toBytes()).flip().position(13);

    ScanIndex read = ScanIndex.of(direct);

    assertThat(direct.position()).isEqualTo(13);
    assertThat(read.byteSize()).isEqualTo(built.byteSize());
    assertThat(read.toBytes()).isEqualTo(built.toBytes());
    assertThat(decoder.decode(image, read, 50, 20, 100, 60)).isTrue();
    assertThat(TestJpegs.read(decoder, 100, 60))
        .isEqualTo(TestJpegs.crop(whole, image.width(), 50, 20, 100, 60));
  }

  @Test
  void shouldBeLaidOutAsDescribed() {
    ByteBuffer bytes = ByteBuffer.wrap(index.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[4];
    bytes.get(magic);
    assertThat(magic).containsExactly('J', 'S', 'I', 'X');
    assertThat(bytes.get()).isEqualTo((byte) 1);
    assertThat(bytes.get()).isEqualTo((byte) 3);
    assertThat(bytes.getShort()).isEqualTo((short) 8);
    assertThat(bytes.getInt()).isEqualTo(image.data().length);
    assertThat(bytes.getInt()).isEqualTo(ScanIndex.crc(image.data()));
    assertThat(bytes.getShort()).isEqualTo((short) 13);
    assertThat(bytes.getShort()).isEqualTo((short) 6);
    int endOfScan = image.data().length - 2 - image.scanStart();
    assertThat(bytes.getInt()).isBetween(8 * endOfScan - 7, 8 * endOfScan);
    assertThat(bytes.getInt()).isEqualTo(index.byteSize());
    bytes.getInt();
    assertThat(bytes.getInt()).as("first bit of the first row").isZero();
    assertThat(bytes.getInt()).as("its differences").isEqualTo(32 + 6 * 14);
  }

  @Test
  void shouldNotBeUsedForAnotherImage() throws Exception {
    byte[] data = image.data().clone();
    // Still a sound image, of equal length.
    data[image.scanStart() - 20] ^= 1;
    data[2 + 2 + 2 + 9] ^= 1;
    for (byte[] other : List.of(data, TestJpegs.data(WITH_RESTARTS))) {
      JpegImage image = JpegImage.parse(other);
      assertThat(index.matches(image)).isFalse();
      assertUnused(image, index);
    }
    assertThat(index.matches(image)).isTrue();
    assertThat(index.matches(JpegImage.parse(TestJpegs.data("unsupported/progressive.jpg"))))
        .isFalse();
  }

  @Test
  void shouldRefuseEachByteThatIsWrongAndEachOtherLength() {
    byte[] bytes = index.toBytes();
    for (int i = 0; i < bytes.length + 3; i++) {
      if (i < bytes.length) {
        byte[] wrong = bytes.clone();
        wrong[i] ^= (byte) (1 << (i & 7));
        refused(
            JpegException.class, () -> ScanIndex.of(ByteBuffer.wrap(wrong)), "the index of a JPEG");
      }
      if (i != bytes.length) {
        ByteBuffer other = ByteBuffer.wrap(Arrays.copyOf(bytes, i));
        assertThatThrownBy(() -> ScanIndex.of(other)).isInstanceOf(JpegException.class);
      }
    }
  }

  /** The checksums are right: what remains is not to crash, and to fall back where it shows. */
  @ParameterizedTest
  @ValueSource(strings = {WITHOUT_RESTARTS, WITH_RESTARTS})
  void shouldDoNoHarmIfForged(String name) throws Exception {
    JpegImage image = JpegImage.parse(TestJpegs.data(name));
    byte[] bytes = ScanIndex.build(image, 2).toBytes();
    int[] whole = TestJpegs.decode(decoder, image);
    Random random = new Random(4);
    int fallbacks = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] forged = bytes.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = 20 + random.nextInt(bytes.length - 20);
        forged[at < 32 && at >= 24 ? 20 : at] = (byte) random.nextInt();
      }
      ByteBuffer buffer = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
      buffer.putInt(ScanIndex.CRC_AT, ScanIndex.crc(buffer));
      ScanIndex index = ScanIndex.of(buffer);
      if (!decoder.decode(image, index, 0, 0, image.width(), image.height())) {
        fallbacks++;
        assertThat(TestJpegs.read(decoder, image.width(), image.height())).isEqualTo(whole);
      }
    }
    assertThat(fallbacks).isGreaterThan(100);
    assertThat(TestJpegs.decode(decoder, image)).isEqualTo(whole);
  }

  @Test
  void shouldContradictNeitherItselfNorTheImage() throws Exception {
    byte[] bytes = index.toBytes();
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putShort(ScanIndex.ROWS_AT, (short) 60000);
    buffer.putInt(ScanIndex.CRC_AT, ScanIndex.crc(buffer));
    refused(JpegException.class, () -> ScanIndex.of(buffer), "contradicts itself");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 65536})
  void shouldRefuseAnImpossibleDensity(int mcusPerEntry) {
    assertThatThrownBy(() -> ScanIndex.build(image, mcusPerEntry))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mcusPerEntry must be 1 to 65535: " + mcusPerEntry);
  }

  @Test
  void shouldNotBeMadeOfAnImageThatIsDamagedBelow() throws Exception {
    JpegImage cut = JpegImage.parse(Arrays.copyOf(image.data(), image.data().length - 500));
    decoder.decode(cut, 0, 0, 10, 10);
    assertThatThrownBy(() -> decoder.decodeAndIndex(cut, 8, 0, 0, 10, 10))
        .isInstanceOf(JpegException.class);
  }

  private void assertUnused(JpegImage image, ScanIndex index) throws JpegException {
    int[] whole = TestJpegs.decode(decoder, image);
    assertThat(decoder.decode(image, index, 0, 0, image.width(), image.height())).isFalse();
    assertThat(TestJpegs.read(decoder, image.width(), image.height())).isEqualTo(whole);
  }
}
