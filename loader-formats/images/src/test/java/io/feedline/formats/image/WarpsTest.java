package io.feedline.formats.image;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.PerspectiveMatrix.Corner;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Perspective and displacement, but for the pixels, which are compared with torchvision's. */
class WarpsTest {

  private static final Corner[] IMAGE = corners(0, 0, 40, 0, 40, 30, 0, 30);

  private static final Interpolation[] FILTERS = {
    Interpolation.NEAREST, Interpolation.BILINEAR, Interpolation.BICUBIC
  };

  private static Corner[] corners(int... xy) {
    Corner[] corners = new Corner[4];
    for (int i = 0; i < 4; i++) {
      corners[i] = new Corner(xy[2 * i], xy[2 * i + 1]);
    }
    return corners;
  }

  @Test
  void shouldFindTheCornersWhereTheyWere() {
    Corner[] moved = corners(5, 3, 37, 1, 30, 29, 2, 20);

    PerspectiveMatrix matrix = PerspectiveMatrix.between(IMAGE, moved).orElseThrow();

    for (int i = 0; i < 4; i++) {
      assertThat(matrix.x(moved[i].x(), moved[i].y())).isCloseTo(IMAGE[i].x(), within(1e-4));
      assertThat(matrix.y(moved[i].x(), moved[i].y())).isCloseTo(IMAGE[i].y(), within(1e-4));
    }
  }

  @Test
  void shouldHaveNoMapForCornersOnALine() {
    assertThat(PerspectiveMatrix.between(IMAGE, corners(0, 0, 10, 10, 20, 20, 0, 30))).isEmpty();
    assertThat(PerspectiveMatrix.between(IMAGE, corners(5, 5, 5, 5, 40, 30, 0, 30))).isEmpty();
    assertThat(PerspectiveMatrix.between(corners(0, 0, 0, 0, 0, 9, 0, 9), IMAGE)).isEmpty();
  }

  @Test
  void shouldTakePixelsFromWhereTheDisplacementTells() {
    float[] alongX = new float[40 * 30];
    float[] alongY = new float[40 * 30];
    alongX[2 * 40 + 3] = 0.1f;
    alongY[2 * 40 + 3] = -0.2f;
    Displacement displacement = Displacement.of(alongX, alongY, 40, 30);

    assertThat(displacement.alongX(3, 2)).isEqualTo(0.1f);
    assertThat(displacement.alongY(3, 2)).isEqualTo(-0.2f);
    assertThat(displacement.sourceX(3, 2)).isCloseTo(3 + 2, within(1e-4f));
    assertThat(displacement.sourceY(3, 2)).isCloseTo(2 - 3, within(1e-4f));
    assertThat(displacement.targetX(3, 2)).isCloseTo(3 - 2, within(1e-4f));
    assertThat(displacement.targetY(3, 2)).isCloseTo(2 + 3, within(1e-4f));
    assertThat(displacement.sourceX(7, 2)).isCloseTo(7, within(1e-4f));
    assertThat(displacement.sourceY(7, 29)).isCloseTo(29, within(1e-4f));
  }

  private static void refuse(ThrowingCallable call, String... words) {
    refused(IllegalArgumentException.class, call, words);
  }

  @Test
  void shouldRefuseCornersFiltersAndDisplacementsThatDoNotFit() {
    Image image = TestImage.image(4, 3);
    PerspectiveMatrix same = new PerspectiveMatrix(1, 0, 0, 0, 1, 0, 0, 0);
    float[] none = new float[12];

    refuse(() -> PerspectiveMatrix.between(IMAGE, new Corner[3]), "four corners, not 4 or 3");
    refuse(() -> image.perspective(same, Interpolation.BOX, 0), "was box");
    refuse(() -> image.elastic(none, none, Interpolation.LANCZOS, 0), "was lanczos");
    refuse(
        () -> image.elastic(new float[11], none, Interpolation.NEAREST, 0),
        "4 x 3",
        "takes 12 numbers",
        "11 and 12");
  }

  @Test
  void shouldShowWhatLiesInfinitelyFarAsNoImage() throws Exception {
    Image image = TestImage.image(4, 3);
    // The divisor is 0 at the centers of the first column.
    PerspectiveMatrix matrix = new PerspectiveMatrix(1, 0, -0.5, 0, 1, 0, -2, 0);

    for (Interpolation filter : FILTERS) {
      Pixels pixels = image.perspective(matrix, filter, 0x010203).pixels();

      assertThat(pixels.rgbAt(0, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(0, 2)).isEqualTo(0x010203);
    }
  }

  @Test
  void shouldTakeNoNumberForOutside() throws Exception {
    float[] alongX = {Float.NaN, Float.POSITIVE_INFINITY, 0};
    Image image = TestImage.image(3, 1);

    for (Interpolation filter : FILTERS) {
      Pixels pixels = image.elastic(alongX, new float[3], filter, 0x010203).pixels();

      assertThat(pixels.rgbAt(0, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(1, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(2, 0)).isEqualTo(image.pixels().rgbAt(2, 0));
    }
  }

  // ---- samples of 16 bits; torchvision_v2_warps.py made the file ----

  private static final int WIDTH = 37;
  private static final int HEIGHT = 23;
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
