package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.codec.DecodeOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TIFFs that libraries repair, or log and return as black or garbage. */
class TiffDecoderTest {

  /** Returns the offset of an entry's value, in a TIFF of little-endian order. */
  private static int value(byte[] tiff, int tag) {
    ByteBuffer bytes = ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN);
    int at = bytes.getInt(4) + 2;
    while (bytes.getShort(at) != tag) {
      at += 12;
    }
    return at + 8;
  }

  /** Returns the first strip's frame header, which begins with its marker. */
  private static int frame(byte[] tiff) {
    int at = 0;
    while ((tiff[at] & 0xFF) != 0xFF || (tiff[at + 1] & 0xFF) != 0xC0) {
      at++;
    }
    return at;
  }

  /** Changes the value of a tag, or with tag 0 a byte of the first frame header. */
  @ParameterizedTest
  @CsvSource({
    "grey, 0, 1, 194, 'tile 0 of the TIFF is a JPEG of a kind that is not supported: progressive'",
    "grey, 0, 1, 195, 'not supported: lossless'",
    "grey, 0, 1, 201, 'not supported: arithmetic coding'",
    "grey, 0, 4, 12, 'not supported: 12 bits per sample'",
    "rgb, 0, 6, 7, 'strip 0 of the TIFF is a JPEG of 45 x 7 pixels, expected 45 x 8'",
    "grey, 258, 0, 12, 'JPEGs of 12 bits a sample'",
    "rgb, 262, 0, 8, 'in photometric interpretation 8 with 3 samples a pixel'",
    "422, 262, 0, 2, 'which is not what the TIFF says'",
    "rgb, 259, 0, 6, 'the TIFF has compression 6 (JPEG before 1995)'",
    "grey, 259, 0, 4, 'fax compression for samples of 8 bits'",
  })
  void shouldRefuseWhatLibrariesGuess(String name, int tag, int at, int value, String message) {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_" + name + ".tif");
    tiff[tag == 0 ? frame(tiff) + at : value(tiff, tag)] = (byte) value;

    assertRefused(tiff, message);
  }

  private static void assertRefused(byte[] tiff, String message) {
    assertThatThrownBy(() -> Fixtures.decode(tiff, DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldRefuseAnotherNumberOfSamplesThanTheTiffSaysAndTablesThatAreNone() {
    byte[] color = Fixtures.bytes("tiff_jpeg_grey.tif");
    color[value(color, 262)] = 2;
    color[value(color, 277)] = 3;
    assertRefused(color, "tile 0 of the TIFF is a JPEG of 1 components");

    byte[] tiff = Fixtures.bytes("tiff_jpeg_rgb.tif");
    int tables = ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN).getInt(value(tiff, 347));
    tiff[tables + 3] ^= 1;
    assertRefused(tiff, "strip 0 of the TIFF: ");
  }

  @Test
  void shouldRefuseAMaskThatLossesWouldChange() throws IOException {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_grey.tif");

    assertThat(StoredMode.of(tiff).channels()).isOne();
    assertThatThrownBy(() -> Mask.ofEncoded(tiff, "mask.tif").ids())
        .hasMessageContaining("compressed with JPEG");
  }

  /** A bilevel image in one strip, whose number of bytes is not told if it is negative. */
  private static byte[] tiff(int compression, int offset, int bytes) {
    int[][] entries = {
      {256, 8},
      {257, 8},
      {258, 1},
      {259, compression},
      {262, 0},
      {273, offset},
      {278, 8},
      {279, bytes}
    };
    int count = bytes < 0 ? entries.length - 1 : entries.length;
    ByteBuffer out = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8).putShort((short) count);
    for (int i = 0; i < count; i++) {
      out.putShort((short) entries[i][0]).putShort((short) 4).putInt(1).putInt(entries[i][1]);
    }
    return out.array();
  }

  @ParameterizedTest
  @CsvSource({
    "4, -1, -1",
    "4, 201, -1",
    "4, -1, 8",
    "4, 199, 8",
    "32773, -1, 0",
    "1, -1, 8",
    "1, 199, 8"
  })
  void shouldRefuseAStripThatLiesBehindTheData(int compression, int offset, int bytes) {
    assertRefused(tiff(compression, offset, bytes), "truncated");
  }
}
