package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JpegImageTest {

  private static final String COLOR = "sound/420_67x67.jpg";

  @ParameterizedTest
  @ValueSource(strings = {COLOR, "sound/all_segments.jpg", "sound/colour_adobe_rgb.jpg"})
  void shouldRefuseAHeaderCutAnywhere(String name) throws Exception {
    byte[] data = TestJpegs.data(name);
    int scanStart = TestJpegs.scanStart(data);
    for (int length = 0; length < scanStart; length++) {
      byte[] cut = Arrays.copyOf(data, length);
      assertThatThrownBy(() -> JpegImage.parse(cut))
          .isInstanceOfSatisfying(
              JpegException.class,
              cause -> assertThat(TestJpegs.byteOffset(cause)).isBetween(0, cut.length));
    }
    assertThat(JpegImage.parse(Arrays.copyOf(data, scanStart)).unsupported()).isNull();
  }

  /** Each row overwrites a byte, counted from the code byte of a marker. */
  @ParameterizedTest
  @CsvSource({
    "C0, 2, 16, 14 bytes are no length for a frame header",
    "C0, 5, 0, a height that only follows the image data (DNL)",
    "C0, 7, 0, a frame of width 0 with 3 components",
    "C0, 8, 0, a frame of width 67 with 0 components",
    "C0, 8, 4, 15 bytes are no length for a frame header",
    "C0, 10, 2, sampling factors 0 x 2",
    "C0, 10, 37, sampling factors 2 x 5",
    "C0, 11, 4, quantizer table 4",
    "C4, 3, 4, Huffman table 04",
    "C4, 3, 32, Huffman table 20",
    "C4, 4, 255, a Huffman table of",
    "C4, 2, 10, 8 bytes are no length for a Huffman table",
    "DB, 3, 4, quantizer table 04",
    "DB, 3, 32, quantizer table 20",
    "DB, 3, 16, no length for a quantizer table",
    "DA, 3, 2, no length for a scan header",
    "DA, 5, 64, Huffman tables 4 and 0",
    "DA, 5, 4, Huffman tables 0 and 4",
    "DB, 2, 1, a length of 1 behind the marker FFDB"
  })
  void shouldSayWhatIsWrongWithAHeader(String marker, int at, int value, String what) {
    byte[] data = TestJpegs.data(COLOR);
    int code = find(data, Integer.parseInt(marker, 16));
    data[code + at] = (byte) value;
    assertThat(whatIsWrong(data)).contains(what);
  }

  @Test
  void shouldRefuseWhatIsNoJpeg() {
    for (byte[] data : new byte[][] {{}, {-1}, {-1, -40}, {-1, -39}, {1, 2, 3, 4}}) {
      assertThatThrownBy(() -> JpegImage.parse(data)).isInstanceOf(JpegException.class);
    }
    assertThatThrownBy(() -> JpegImage.parse(new byte[] {'P', 'N', 'G'}))
        .hasMessage("not a JPEG: it does not begin with FFD8 (at byte 0)");
    assertThatThrownBy(() -> JpegImage.parse(new byte[] {-1, -40, -1, -39}))
        .hasMessage("the marker FFD9 before any image data (at byte 2)");
  }

  @Test
  void shouldRefuseASecondFrame() {
    byte[] data = TestJpegs.data(COLOR);
    int frame = find(data, Marker.SOF0) - 1;
    byte[] twice = new byte[data.length + 19];
    System.arraycopy(data, 0, twice, 0, frame + 19);
    System.arraycopy(data, frame, twice, frame + 19, data.length - frame);
    assertThat(whatIsWrong(twice)).contains("a second frame header");
  }

  @Test
  void shouldRefuseAHuffmanTableOfTooManyCodes() throws Exception {
    byte[] data = TestJpegs.data(COLOR);
    int table = find(data, Marker.DHT) + 4;
    assertThat(Arrays.copyOfRange(data, table, table + 3)).containsExactly(0, 1, 5);
    // As many codes in all, but two of one bit: that of ones only is not allowed.
    data[table] = 2;
    data[table + 1] = 0;
    data[table + 2] = 4;
    JpegImage image = JpegImage.parse(data);
    assertThatThrownBy(() -> TestJpegs.decode(new JpegDecoder(), image))
        .isInstanceOf(JpegException.class)
        .hasMessageContaining("a Huffman table with too many codes of 1 bits");
  }

  @Test
  void shouldRefuseGigabytesOfPixelsInAFewBytes() throws Exception {
    byte[] data = TestJpegs.data(COLOR);
    int frame = find(data, Marker.SOF0);
    Arrays.fill(data, frame + 4, frame + 8, (byte) 0xFF);
    assertThat(whatIsWrong(data)).contains("65500", "65535 x 65535");
    data[frame + 5] = (byte) 0xDC;
    data[frame + 7] = (byte) 0xDC;
    JpegImage image = JpegImage.parse(data);
    assertThat(image.width()).isEqualTo(65500);
    assertThatThrownBy(() -> new JpegDecoder().decode(image, 0, 0, 65500, 65500))
        .isInstanceOf(JpegException.class)
        .hasMessageContainingAll("truncated", "bytes for 65500 x 65500 pixels");
    // The first rows of such an image might be there.
    assertThatThrownBy(() -> new JpegDecoder().decode(image, 0, 0, 65500, 16))
        .isInstanceOf(JpegException.class);
  }

  private static String whatIsWrong(byte[] data) {
    try {
      return JpegImage.parse(data).unsupported();
    } catch (JpegException wrong) {
      return wrong.getMessage();
    }
  }

  /** The offset of the code byte of the first such marker. */
  private static int find(byte[] data, int marker) {
    int at = 2;
    while ((data[at + 1] & 0xFF) != marker) {
      at += 2 + ((data[at + 2] & 0xFF) << 8 | (data[at + 3] & 0xFF));
    }
    return at + 1;
  }
}
