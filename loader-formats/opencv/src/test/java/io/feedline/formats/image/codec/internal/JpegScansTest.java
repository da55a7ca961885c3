package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JpegScansTest {

  private final byte[] progressive = Fixtures.bytes("jpeg_progressive.jpg");

  @Test
  void shouldRefuseManyScans() throws IOException {
    byte[] bomb = withScansRepeated(progressive, 3000);
    assertThatThrownBy(() -> Fixtures.decode(bomb, DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("more than 100 scans", "of " + bomb.length);
  }

  /** Repeats the last scan of an image, and claims another size. */
  @ParameterizedTest
  @CsvSource({
    "jpeg_progressive.jpg, 0, 12000, 'blocks of 8 x 8, expected at most'",
    "jpeg_420.jpg, 0, 12000, 'blocks of 8 x 8, expected at most'",
    "jpeg_grey.jpg, 0, 12000, 'blocks of 8 x 8, expected at most'",
    "jpeg_progressive.jpg, 80, 6000, scans go over",
    "jpeg_grey.jpg, 0, 8000,",
    "jpeg_progressive.jpg, 20, 0,",
    "jpeg_progressive.jpg, 80, 0,",
    "jpeg_cmyk_adobe.jpg, 0, 0,",
  })
  void shouldRefuseAFewBytesThatAreMuchWorkOrClaimGigabytes(
      String name, int repetitions, int side, String message) throws IOException {
    byte[] data = Fixtures.bytes(name);
    if (repetitions > 0) {
      data = withScansRepeated(data, repetitions);
    }
    if (side > 0) {
      withSize(data, side, side);
    }
    if (message == null) {
      JpegScans.requireReasonable(data);
      return;
    }
    byte[] bomb = data;
    assertThatThrownBy(() -> JpegScans.requireReasonable(bomb))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(message, bomb.length + " bytes");
  }

  @Test
  void shouldPassALargeImageOfOneColor() throws IOException {
    // As libjpeg writes 10 scans of 12 000 x 12 000: a bit for each block, twice.
    byte[] padded = new byte[2 * 3_375_000 / 8];
    byte[] large = withSize(progressive, 12_000, 12_000);
    int end = large.length - 2;
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.write(large, 0, end);
    data.write(padded);
    data.write(large, end, 2);
    JpegScans.requireReasonable(data.toByteArray());
  }

  @Test
  void shouldRefuseAnUnknownMarkerWithinTheScanAsPillowDoes() throws IOException {
    byte[] data = Fixtures.bytes("jpeg_444.jpg");
    int at = data.length * 3 / 4;
    data[at] = (byte) 0xFF;
    data[at + 1] = (byte) 0xF3;

    assertThatThrownBy(() -> Fixtures.decode(data, DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("FFF3", "byte " + at);
  }

  /** The image with its last scan again and again. */
  private static byte[] withScansRepeated(byte[] jpeg, int repetitions) {
    int scan = jpeg.length;
    while ((jpeg[scan - 2] & 0xFF) != 0xFF || (jpeg[scan - 1] & 0xFF) != 0xDA) {
      scan--;
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.write(jpeg, 0, jpeg.length - 2);
    for (int i = 0; i < repetitions; i++) {
      data.write(jpeg, scan - 2, jpeg.length - scan);
    }
    data.write(jpeg, jpeg.length - 2, 2);
    return data.toByteArray();
  }

  private static byte[] withSize(byte[] jpeg, int width, int height) {
    int at = 2;
    while ((jpeg[at] & 0xFF) != 0xFF
        || ((jpeg[at + 1] & 0xFF) != 0xC0 && (jpeg[at + 1] & 0xFF) != 0xC2)) {
      at++;
    }
    ByteBuffer.wrap(jpeg).putShort(at + 5, (short) height).putShort(at + 7, (short) width);
    return jpeg;
  }
}
