package io.feedline.formats.image.opencv.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;

/** The input of OpenCV, and the release of its native memory. */
class OpenCvDecoderTest {

  private static final DecodeOptions OPENCV =
      DecodeOptions.DEFAULT.withBackend(DecodeOptions.Backend.OPENCV);

  @Test
  void shouldCloseAllThatIsNativeWithEachImage() throws IOException {
    List<Fixture> images = Fixtures.images("golden.csv");
    byte[] broken = brokenWebp();
    decodeAll(images);
    long before = Pointer.totalCount();

    decodeAll(images);
    assertThatThrownBy(() -> Fixtures.decode(broken, OPENCV)).isInstanceOf(IOException.class);

    assertThat(Pointer.totalCount()).isEqualTo(before);
  }

  private static void decodeAll(List<Fixture> images) throws IOException {
    for (Fixture image : images) {
      Fixtures.decode(Fixtures.bytes(image.name()), OPENCV);
    }
  }

  /** Intact chunks around a broken stream, which only the decoder can tell. */
  private static byte[] brokenWebp() {
    byte[] data = Fixtures.bytes("webp_lossless.webp");
    Arrays.fill(data, 40, 60, (byte) 255);
    return data;
  }

  @Test
  void shouldNameItselfInTheErrorOfAnImageThatItCannotDecode() {
    assertThatThrownBy(() -> Fixtures.decode(brokenWebp(), OPENCV))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("OpenCV 4", "cannot decode the WEBP");
  }

  @Test
  void shouldDecodeAnImageThatIsLargerThanTheMemoryItKeeps() throws IOException {
    int width = 24_000;
    int height = 1_000;
    assertThat(3L * width * height).isGreaterThan(OpenCvDecoder.KEPT_BYTES);
    EncodedSource image =
        EncodedSource.of(whiteJpeg(width, height), OPENCV, ScanIndexStore.Place.NOWHERE);

    byte[] rgb = Fixtures.decode(image, new Region(width - 10, height - 5, 10, 5));

    byte[] white = new byte[3 * 10 * 5];
    Arrays.fill(white, (byte) 255);
    assertThat(rgb).isEqualTo(white);
  }

  private static byte[] whiteJpeg(int width, int height) throws IOException {
    BufferedImage white = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
    byte[] samples = ((DataBufferByte) white.getRaster().getDataBuffer()).getData();
    Arrays.fill(samples, (byte) 255);
    ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
    ImageIO.write(white, "jpeg", jpeg);
    return jpeg.toByteArray();
  }
}
