package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.TestImage;
import io.feedline.transform.SampleRandom;
import org.junit.jupiter.api.Test;

/** Its draws and parts are compared with torchvision's in {@link TorchvisionTargetsTest}. */
class RandomIoUCropTest {

  private record Boxed(Image image, BoundingBoxes boxes) {}

  private static Boxed cropped(RandomIoUCrop crop, int index, float... boxes) throws Exception {
    Boxed sample =
        new Boxed(
            TestImage.image(40, 30), BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, 40, 30));
    return JointTransform.<Boxed>of(crop).apply(sample, new SampleRandom(3, 0, index, 0));
  }

  @Test
  void shouldMarkBoxesWhoseMiddleIsCutAwayWithZeros() throws Exception {
    RandomIoUCrop crop = RandomIoUCrop.of().withOverlaps(0).withScale(0.3, 0.5);
    int marked = 0;
    for (int i = 0; i < 50; i++) {
      Boxed result = cropped(crop, i, 2, 2, 12, 12, 28, 18, 38, 28);

      assertThat(result.boxes().canvasWidth()).isEqualTo(result.image().width()).isLessThan(21);
      float[] first = result.boxes().box(0);
      float[] second = result.boxes().box(1);
      boolean firstGone = first[2] == 0 && first[3] == 0;
      boolean secondGone = second[2] == 0 && second[3] == 0;
      assertThat(firstGone && secondGone).isFalse();
      marked += firstGone || secondGone ? 1 : 0;
    }
    assertThat(marked).isGreaterThan(30);
  }

  @Test
  void shouldLeaveImagesAsTheyAreWhereToldSoOrWhereNothingFits() throws Exception {
    RandomIoUCrop never = RandomIoUCrop.of().withOverlaps(1);
    assertThat(cropped(never, 0, 2, 2, 12, 12).image().width()).isEqualTo(40);

    RandomIoUCrop strict = RandomIoUCrop.of().withOverlaps(0.99).withTrials(1);
    assertThat(cropped(strict, 0, 39, 29, 40, 30).image().width()).isEqualTo(40);

    assertThat(cropped(RandomIoUCrop.of(), 0).boxes().count()).as("no boxes at all").isZero();
  }

  @Test
  void shouldRefuseAnImageWithoutBoxes() {
    assertThatThrownBy(
            () -> RandomIoUCrop.of().apply(TestImage.image(9, 9), new SampleRandom(0, 0, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RandomIoUCrop(")
        .hasMessageContaining("apply it through JointTransform");
  }
}
