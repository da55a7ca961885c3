package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.PerspectiveMatrix.Corner;
import io.feedline.formats.image.pixel.Interpolation;
import org.junit.jupiter.api.Test;

/** Perspective and displacement, but for the pixels, which are compared with torchvision's. */
class WarpsTest {

  private static final Corner[] IMAGE = corners(0, 0, 40, 0, 40, 30, 0, 30);

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
  void shouldRefuseOtherNumbersOfCorners() {
    assertThatThrownBy(() -> PerspectiveMatrix.between(IMAGE, new Corner[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a quadrilateral has four corners, not 4 or 3");
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

  @Test
  void shouldRefuseADisplacementOfAnotherSize() {
    Image image = TestImage.image(4, 3);

    assertThatThrownBy(() -> image.elastic(new float[11], new float[12], Interpolation.NEAREST, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("4 x 3", "takes 12 numbers", "11 and 12");
  }

  @Test
  void shouldRefuseFiltersThatTheyDoNotHave() {
    Image image = TestImage.image(4, 3);
    PerspectiveMatrix same = new PerspectiveMatrix(1, 0, 0, 0, 1, 0, 0, 0);
    float[] none = new float[12];

    assertThatThrownBy(() -> image.perspective(same, Interpolation.BOX, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("was box");
    assertThatThrownBy(() -> image.elastic(none, none, Interpolation.LANCZOS, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("interpolation must be nearest, bilinear or bicubic, was lanczos");
  }

  @Test
  void shouldShowWhatLiesInfinitelyFarAsNoImage() throws Exception {
    Image image = TestImage.image(4, 3);
    // The divisor is 0 at the centers of the first column.
    PerspectiveMatrix matrix = new PerspectiveMatrix(1, 0, -0.5, 0, 1, 0, -2, 0);

    for (Interpolation filter :
        new Interpolation[] {
          Interpolation.NEAREST, Interpolation.BILINEAR, Interpolation.BICUBIC
        }) {
      Pixels pixels = image.perspective(matrix, filter, 0x010203).pixels();

      assertThat(pixels.rgbAt(0, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(0, 2)).isEqualTo(0x010203);
    }
  }

  @Test
  void shouldTakeNoNumberForOutside() throws Exception {
    float[] alongX = {Float.NaN, Float.POSITIVE_INFINITY, 0};
    Image image = TestImage.image(3, 1);

    for (Interpolation filter :
        new Interpolation[] {
          Interpolation.NEAREST, Interpolation.BILINEAR, Interpolation.BICUBIC
        }) {
      Pixels pixels = image.elastic(alongX, new float[3], filter, 0x010203).pixels();

      assertThat(pixels.rgbAt(0, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(1, 0)).isEqualTo(0x010203);
      assertThat(pixels.rgbAt(2, 0)).isEqualTo(image.pixels().rgbAt(2, 0));
    }
  }
}
