package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures.Fixture;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;

/** What OpenCV is handed, and what becomes of the native memory. */
class OpenCvDecoderTest {

  private static final DecodeOptions OPENCV =
      DecodeOptions.DEFAULT.withBackend(ImageBackend.OPENCV);

  @Test
  void shouldCloseAllThatIsNativeWithEachImage() throws IOException {
    List<Fixture> images = Fixtures.images("golden.csv");
    byte[] broken = brokenBmp();
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

  /** Run-length encoded, so that only the decoder can tell that its rows are no rows. */
  private static byte[] brokenBmp() {
    byte[] data = Fixtures.bytes("bmp_24.bmp");
    data[30] = 1;
    return data;
  }

  @Test
  void shouldNameItselfInTheErrorOfAnImageThatItCannotDecode() {
    assertThatThrownBy(() -> Fixtures.decode(brokenBmp(), OPENCV))
        .isInstanceOf(ImageFormatException.class)
        .hasMessageContainingAll("OpenCV 4", "cannot decode the BMP");
  }

  @Test
  void shouldDecodeAnImageThatIsLargerThanTheMemoryItKeeps() throws IOException {
    int width = 24_000;
    int height = 1_000;
    assertThat(3L * width * height).isGreaterThan(OpenCvDecoder.KEPT_BYTES);
    EncodedSource image =
        EncodedSource.of(whiteBitsAsPng(width, height), OPENCV, ScanIndexStore.Place.NOWHERE);

    byte[] rgb = Fixtures.decode(image, new Region(width - 10, height - 5, 10, 5));

    byte[] white = new byte[3 * 10 * 5];
    Arrays.fill(white, (byte) 255);
    assertThat(rgb).isEqualTo(white);
  }

  private static byte[] whiteBitsAsPng(int width, int height) throws IOException {
    byte[] row = new byte[1 + width / 8];
    Arrays.fill(row, 1, row.length, (byte) 255);
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(rows, new Deflater(Deflater.BEST_SPEED))) {
      for (int y = 0; y < height; y++) {
        out.write(row);
      }
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    png.writeBytes(Arrays.copyOf(Fixtures.bytes("png_rgb.png"), 8));
    ByteBuffer header = ByteBuffer.allocate(13).putInt(width).putInt(height).put((byte) 1);
    writeChunk(png, "IHDR", header.array());
    writeChunk(png, "IDAT", rows.toByteArray());
    writeChunk(png, "IEND", new byte[0]);
    return png.toByteArray();
  }

  private static void writeChunk(ByteArrayOutputStream png, String type, byte[] content)
      throws IOException {
    CRC32 crc = new CRC32();
    crc.update(type.getBytes(US_ASCII));
    crc.update(content);
    DataOutputStream out = new DataOutputStream(png);
    out.writeInt(content.length);
    out.writeBytes(type);
    out.write(content);
    out.writeInt((int) crc.getValue());
  }
}
