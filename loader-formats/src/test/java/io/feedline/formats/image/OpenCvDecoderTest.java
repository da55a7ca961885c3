package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures.Picture;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;

/** What OpenCV is handed, and what becomes of the native memory. */
class OpenCvDecoderTest {

  private static final DecodeOptions OPENCV =
      DecodeOptions.DEFAULT.withBackend(ImageBackend.OPENCV);

  @Test
  void shouldCloseAllThatIsNativeWithEachPicture() throws IOException {
    List<Picture> pictures = Fixtures.pictures("golden.csv");
    byte[] broken = brokenWebp();
    decodeAll(pictures);
    long before = Pointer.totalCount();

    decodeAll(pictures);
    assertThatThrownBy(() -> Fixtures.decode(broken, OPENCV)).isInstanceOf(IOException.class);

    assertThat(Pointer.totalCount()).isEqualTo(before);
  }

  private static void decodeAll(List<Picture> pictures) throws IOException {
    for (Picture picture : pictures) {
      Fixtures.decode(Fixtures.bytes(picture.name()), OPENCV);
    }
  }

  /** Intact chunks around a stream that is none, which only the decoder can tell. */
  private static byte[] brokenWebp() {
    byte[] data = Fixtures.bytes("webp_lossless.webp");
    Arrays.fill(data, 40, 60, (byte) 255);
    return data;
  }

  @Test
  void shouldNameItselfInTheErrorOfAPictureThatItCannotDecode() {
    assertThatThrownBy(() -> Fixtures.decode(brokenWebp(), OPENCV))
        .isInstanceOf(ImageFormatException.class)
        .hasMessageContainingAll("OpenCV 4", "cannot decode the WEBP");
  }

  @Test
  void shouldDecodeAPictureThatIsLargerThanTheMemoryItKeeps() throws IOException {
    int width = 24_000;
    int height = 1_000;
    assertThat(3L * width * height).isGreaterThan(OpenCvDecoder.KEPT_BYTES);
    EncodedImage picture =
        EncodedImage.of(whiteJpeg(width, height), OPENCV, ScanIndexStore.Place.NOWHERE);

    byte[] rgb = Fixtures.decode(picture, new Region(width - 10, height - 5, 10, 5));

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
