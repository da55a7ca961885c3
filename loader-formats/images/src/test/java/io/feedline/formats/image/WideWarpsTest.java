package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.batch.DType;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Compares warps with those of Pillow and torchvision; torchvision_v2_warps.py made the file. */
class WideWarpsTest {

  private static final int WIDTH = 37;
  private static final int HEIGHT = 23;
  private static final Interpolation[] FILTERS = {
    Interpolation.NEAREST, Interpolation.BILINEAR, Interpolation.BICUBIC
  };
  private static final Image WIDE = TestImage.noise(ImageMode.GRAY16, WIDTH, HEIGHT);

  private static ByteBuffer golden() throws IOException {
    byte[] packed = Fixtures.bytes("torchvision_v2_warps.bin.gz");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static void assertWide(Image image, ByteBuffer expected, int tolerance)
      throws IOException {
    ByteBuffer found = Golden.written(image.toTensor(DType.UINT16, ImageLayout.CHW));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      assertThat(found.getShort(2 * i) & 0xFFFF)
          .as("%s at (%d, %d)", image, i % WIDTH, i / WIDTH)
          .isCloseTo(expected.getShort() & 0xFFFF, within(tolerance));
    }
  }

  private static Image elastic(Image image, Interpolation filter, int fill) {
    float[] alongX = new float[WIDTH * HEIGHT];
    float[] alongY = new float[WIDTH * HEIGHT];
    for (int i = 0; i < alongX.length; i++) {
      int x = i % WIDTH;
      int y = i / WIDTH;
      alongX[i] = ((x * 7 + y * 5) % 11 - 5) / 64f;
      alongY[i] = ((x * 3 + y * 8) % 13 - 6) / 64f;
    }
    return image.elastic(alongX, alongY, filter, fill);
  }

  @Test
  void shouldWarpSamplesOf16BitsAndDisplaceByACubic() throws IOException {
    ByteBuffer golden = golden();
    for (double angle : new double[] {13, -70, 200.5}) {
      for (Interpolation filter : FILTERS) {
        assertWide(WIDE.rotate(angle, false, filter, 0), golden, 0);
      }
    }
    for (Interpolation filter : FILTERS) {
      AffineMatrix affine = new AffineMatrix(0.9, 0.2, -3, -0.1, 1.1, 2);
      assertWide(WIDE.affine(affine, WIDTH, HEIGHT, filter, 0), golden, 0);
    }
    for (Interpolation filter : FILTERS) {
      PerspectiveMatrix matrix = new PerspectiveMatrix(0.9, 0.2, -3, -0.1, 1.1, 2, 0.004, -0.002);
      assertWide(WIDE.perspective(matrix, filter, 0), golden, 0);
    }
    for (Interpolation filter : FILTERS) {
      // Sums of float32 in another order.
      assertWide(elastic(WIDE, filter, 0), golden, 1);
    }
    for (int fill : new int[] {0, 10 << 16 | 200 << 8 | 30}) {
      Image image = TestImage.noise(WIDTH, HEIGHT);
      byte[] rgb = elastic(image, Interpolation.BICUBIC, fill).pixels().rgb();
      for (int i = 0; i < rgb.length; i++) {
        assertThat(rgb[i] & 0xFF).as("%06x, %d", fill, i).isCloseTo(golden.get() & 0xFF, within(1));
      }
    }
    assertThat(golden.hasRemaining()).isFalse();
  }
}
