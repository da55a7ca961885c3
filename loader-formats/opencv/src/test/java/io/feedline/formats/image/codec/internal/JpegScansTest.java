package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JpegScansTest {

  private final byte[] progressive = Fixtures.bytes("jpeg_progressive.jpg");

  @ParameterizedTest
  @EnumSource(DecodeOptions.Backend.class)
  void shouldRefuseManyScansWhateverDecodes(DecodeOptions.Backend backend) throws IOException {
    byte[] bomb = withScansRepeated(progressive, 3000);
    EncodedSource image =
        EncodedSource.of(
            bomb, DecodeOptions.DEFAULT.withBackend(backend), ScanIndexStore.Place.NOWHERE);
    assertThatThrownBy(() -> image.decode(new Region(0, 0, 1, 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("more than 100 scans", "of " + bomb.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 80})
  void shouldPassAsManyScansAsAnEncoderMayWrite(int repetitions) throws IOException {
    byte[] data = withScansRepeated(progressive, repetitions);
    assertThatCode(() -> JpegScans.requireReasonable(data)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpeg_progressive.jpg", "jpeg_420.jpg", "jpeg_grey.jpg"})
  void shouldRefuseAFewBytesThatClaimGigabytes(String name) {
    byte[] bomb = withSize(Fixtures.bytes(name), 12_000, 12_000);
    assertThatThrownBy(() -> JpegScans.requireReasonable(bomb))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("blocks of 8 x 8, expected at most", bomb.length + " bytes");
  }

  @Test
  void shouldPassAnImageOfOneScanThatClaimsMoreThanItHasButNotMuch() {
    byte[] incomplete = withSize(Fixtures.bytes("jpeg_grey.jpg"), 8000, 8000);
    assertThatCode(() -> JpegScans.requireReasonable(incomplete)).doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseAFewBytesThatAreMuchWork() throws IOException {
    byte[] bomb = withSize(withScansRepeated(progressive, 80), 6000, 6000);
    assertThatThrownBy(() -> JpegScans.requireReasonable(bomb))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("scans go over", bomb.length + " bytes");
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
    assertThatCode(() -> JpegScans.requireReasonable(data.toByteArray()))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldPassEveryFixture() throws IOException {
    for (String name :
        List.of("jpeg_420.jpg", "jpeg_cmyk_adobe.jpg", "jpeg_progressive.jpg", "jpeg_grey.jpg")) {
      JpegScans.requireReasonable(Fixtures.bytes(name));
    }
  }

  @Test
  void shouldRefuseAnUnknownMarkerWithinTheScanAsPillowDoes() throws IOException {
    byte[] data = Fixtures.bytes("jpeg_444.jpg");
    int at = data.length * 3 / 4;
    data[at] = (byte) 0xFF;
    data[at + 1] = (byte) 0xF3;
    EncodedSource image =
        EncodedSource.of(data, DecodeOptions.DEFAULT, ScanIndexStore.Place.NOWHERE);
    Region whole = new Region(0, 0, image.width(), image.height());

    assertThatThrownBy(() -> image.decode(whole))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("FFF3", "byte " + at);
  }

  @Test
  void shouldKeepDamageThatPillowShows() throws IOException {
    byte[] damaged = Fixtures.bytes("jpeg_damaged.jpg");
    assertThat(Fixtures.decode(damaged, DecodeOptions.DEFAULT)).isNotEmpty();
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
