package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.codec.internal.ReducedJpeg;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegImage;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReducedJpegTest {
  private static final DecodeOptions EXACT =
      DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.FEEDLINE);

  private static final Interpolation FILTER = Interpolation.BILINEAR;

  private byte[] jpeg;

  @BeforeEach
  void paintASmoothImage() throws IOException {
    BufferedImage image = new BufferedImage(523, 391, BufferedImage.TYPE_3BYTE_BGR);
    Random random = new Random(1);
    for (int y = 0; y < 391; y++) {
      for (int x = 0; x < 523; x++) {
        int red = (int) (128 + 100 * Math.sin(x / 40.0 + y / 90.0));
        int green = (int) (128 + 100 * Math.cos(y / 30.0));
        image.setRGB(x, y, (red << 16) | (green << 8) | ((x + y) / 4 + random.nextInt(8)));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "jpeg", bytes);
    jpeg = bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({"200, 150, 2", "100, 90, 4", "60, 40, 8", "9, 5, 8"})
  void shouldDecodeAFractionWhereItIsEnough(int width, int height, int divisor) throws IOException {
    assertThat(divisor(width, height)).isEqualTo(divisor);

    byte[] exact = resized(EXACT, width, height);
    byte[] reduced = resized(EXACT.withFast(true), width, height);

    assertThat(reduced).isNotEqualTo(exact);
    long difference = 0;
    for (int i = 0; i < exact.length; i++) {
      difference += Math.abs((exact[i] & 0xFF) - (reduced[i] & 0xFF));
    }
    assertThat(difference).as("in all").isLessThan(3L * exact.length);
  }

  @Test
  void shouldBeExactWhereNothingIsScaledToLessThanHalf() throws IOException {
    assertThat(resized(EXACT.withFast(true), 300, 250)).isEqualTo(resized(EXACT, 300, 250));
    assertThat(resized(EXACT.withFast(true), 523, 391)).isEqualTo(resized(EXACT, 523, 391));
  }

  @Test
  void shouldMakeAScanIndexAndUseIt() throws IOException {
    byte[] expected = resized(EXACT.withFast(true), 60, 40);
    JpegImage parsed = JpegImage.parse(jpeg);
    byte[] index = ScanIndexFile.index(jpeg).orElseThrow().toBytes();
    ScanIndexStore store = ScanIndexStore.inMemory();
    store.place(1).put(ScanIndexFile.index(Fixtures.bytes("jpeg_444.jpg")).orElseThrow());

    assertThat(resized(store.place(0))).as("makes one").isEqualTo(expected);
    assertThat(store.place(0).get(parsed).toBytes()).isEqualTo(index);
    assertThat(resized(store.place(0))).as("with it").isEqualTo(expected);

    assertThat(resized(store.place(1))).as("with that of another image").isEqualTo(expected);
    assertThat(store.place(1).get(parsed)).as("found to be another's").isNull();
  }

  private byte[] resized(ScanIndexStore.Place place) throws IOException {
    EncodedSource source = EncodedSource.of(jpeg, EXACT.withFast(true), place);
    return Image.of(source, "image").resize(60, 40, FILTER).pixels().rgb();
  }

  private byte[] resized(DecodeOptions options, int width, int height) throws IOException {
    return Image.ofEncoded(jpeg, "image", options).resize(width, height, FILTER).pixels().rgb();
  }

  /** At which fraction the image is decoded for a size. */
  private int divisor(int width, int height) throws IOException {
    EncodedSource source =
        EncodedSource.of(jpeg, EXACT.withFast(true), ScanIndexStore.Place.NOWHERE);
    Geometry reduced = Geometry.of(source).resize(width, height, FILTER, true).reduced();
    return reduced.source() instanceof ReducedJpeg small ? small.divisor() : 1;
  }
}
