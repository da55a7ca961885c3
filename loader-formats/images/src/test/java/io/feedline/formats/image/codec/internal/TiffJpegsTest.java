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
import org.junit.jupiter.params.provider.ValueSource;

/** JPEGs within TIFFs, of the kinds that libraries log and return as black or garbage. */
class TiffJpegsTest {

  private static final int BITS = 258;
  private static final int COMPRESSION = 259;
  private static final int PHOTOMETRIC = 262;
  private static final int SAMPLES = 277;

  private static void decode(byte[] tiff) throws IOException {
    Fixtures.decode(tiff, DecodeOptions.DEFAULT);
  }

  /** Returns the offset of an entry's value, in a TIFF of little-endian order. */
  private static int value(byte[] tiff, int tag) {
    ByteBuffer bytes = ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN);
    int at = bytes.getInt(4) + 2;
    while (bytes.getShort(at) != tag) {
      at += 12;
    }
    return at + 8;
  }

  private static byte[] with(String name, int tag, int value) {
    byte[] tiff = Fixtures.bytes(name);
    ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN).putShort(value(tiff, tag), (short) value);
    return tiff;
  }

  /** Returns the first strip's frame header, which begins with its marker. */
  private static int frame(byte[] tiff) {
    int at = 0;
    while ((tiff[at] & 0xFF) != 0xFF || (tiff[at + 1] & 0xFF) != 0xC0) {
      at++;
    }
    return at;
  }

  @ParameterizedTest
  @CsvSource({"2, progressive", "3, lossless", "9, arithmetic coding"})
  void shouldRefuseOtherKindsOfJpegAndNameThem(int kind, String name) {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_grey.tif");
    tiff[frame(tiff) + 1] = (byte) (0xC0 + kind);

    assertThatThrownBy(() -> decode(tiff))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(
            "tile 0 of the TIFF is a JPEG of a kind that is not supported: " + name);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 16})
  void shouldRefuseMoreThan8Bits(int bits) {
    assertThatThrownBy(() -> decode(with("tiff_jpeg_grey.tif", BITS, bits)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("JPEGs of %d bits a sample".formatted(bits));
    byte[] strip = Fixtures.bytes("tiff_jpeg_grey.tif");
    strip[frame(strip) + 4] = (byte) bits;
    assertThatThrownBy(() -> decode(strip))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("not supported: %d bits per sample".formatted(bits));
  }

  @Test
  void shouldRefuseLab() {
    assertThatThrownBy(() -> decode(with("tiff_jpeg_rgb.tif", PHOTOMETRIC, 8)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("in photometric interpretation 8 with 3 samples a pixel");
  }

  @Test
  void shouldRefuseAnotherNumberOfSamplesThanTheTiffSays() {
    byte[] tiff = with("tiff_jpeg_grey.tif", PHOTOMETRIC, 2);
    ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN).putShort(value(tiff, SAMPLES), (short) 3);

    assertThatThrownBy(() -> decode(tiff))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("tile 0 of the TIFF is a JPEG of 1 components");
  }

  @Test
  void shouldRefuseDifferencesOfFewerPixelsWhereSamplesAreColors() {
    assertThatThrownBy(() -> decode(with("tiff_jpeg_422.tif", PHOTOMETRIC, 2)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("which is not what the TIFF says");
  }

  @Test
  void shouldRefuseAJpegOfAnotherSizeThanItsStrip() {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_rgb.tif");
    tiff[frame(tiff) + 6]--;

    assertThatThrownBy(() -> decode(tiff))
        .isInstanceOf(FormatException.class)
        .hasMessage("strip 0 of the TIFF is a JPEG of 45 x 7 pixels, expected 45 x 8");
  }

  @Test
  void shouldRefuseTablesThatAreNone() {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_rgb.tif");
    int tables = ByteBuffer.wrap(tiff).order(ByteOrder.LITTLE_ENDIAN).getInt(value(tiff, 347));
    tiff[tables + 3] ^= 1;

    assertThatThrownBy(() -> decode(tiff))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("strip 0 of the TIFF: ");
  }

  @Test
  void shouldNameTheOldKindOfJpegAndFaxOfMoreThanABit() {
    assertThatThrownBy(() -> decode(with("tiff_jpeg_rgb.tif", COMPRESSION, 6)))
        .hasMessageContaining("the TIFF has compression 6 (JPEG before 1995)");
    assertThatThrownBy(() -> decode(with("tiff_jpeg_grey.tif", COMPRESSION, 4)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("fax compression for samples of 8 bits");
  }

  @Test
  void shouldRefuseAMaskThatLossesWouldChange() throws IOException {
    byte[] tiff = Fixtures.bytes("tiff_jpeg_grey.tif");

    assertThat(StoredMode.of(tiff).channels()).isOne();
    assertThatThrownBy(() -> Mask.ofEncoded(tiff, "mask.tif").ids())
        .hasMessageContaining("compressed with JPEG");
  }
}
