package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.TestImage;
import io.feedline.transform.SampleRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** {@link TorchvisionTargetsTest} compares the draws and parts of RandomIoUCrop. */
class BoxTransformsTest {

  private record Boxed(Image image, BoundingBoxes boxes, BoxLabels labels) {}

  private static Boxed sample(int width, int height, BoundingBoxes.Format format, float... edges) {
    long[] labels = LongStream.range(0, edges.length / 4).toArray();
    BoundingBoxes boxes =
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, width, height).convert(format);
    return new Boxed(TestImage.image(width, height), boxes, BoxLabels.of(labels));
  }

  // ---- SanitizeBoundingBoxes ----

  private static Boxed sample(BoundingBoxes.Format format, float... edges) {
    return sample(20, 10, format, edges);
  }

  private static long[] kept(SanitizeBoundingBoxes transform, Boxed sample) throws Exception {
    return JointTransform.<Boxed>of(transform).apply(sample).labels().toArray();
  }

  @Test
  void shouldKeepBoxesThatAreLargeEnoughAndWithinTheImage() throws Exception {
    for (BoundingBoxes.Format format : BoundingBoxes.Format.values()) {
      Boxed sample =
          sample(
              format,
              new float[] {
                0, 0, 20, 10, // all of the image
                5, 5, 6, 6, // one pixel
                5, 5, 5.9f, 8, // too narrow
                5, 5, 9, 5, // no height
                7, 3, 6, 9, // from right to left
                -1, 2, 5, 5, // reaches outside
                15, 5, 20.5f, 9
              });

      assertThat(kept(SanitizeBoundingBoxes.of(), sample)).as("%s", format).containsExactly(0, 1);
    }
  }

  @Test
  void shouldDemandTheSizeAndAreaThatAreAskedFor() throws Exception {
    Boxed sample = sample(BoundingBoxes.Format.XYXY, 0, 0, 3, 9, 0, 0, 4, 4, 0, 0, 4, 6);
    SanitizeBoundingBoxes large = SanitizeBoundingBoxes.of().withMinSize(4).withMinArea(20);

    assertThat(kept(large, sample)).containsExactly(2);
  }

  @Test
  void shouldLeaveASampleWithoutBoxes() throws Exception {
    Boxed none =
        JointTransform.<Boxed>of(SanitizeBoundingBoxes.of())
            .apply(sample(BoundingBoxes.Format.XYWH, 3, 3, 3, 3));

    assertThat(none.boxes().count()).isZero();
    assertThat(none.boxes().shape().lengths()).containsExactly(0, 4);
    assertThat(none.labels().count()).isZero();
    assertThat(kept(SanitizeBoundingBoxes.of(), none)).isEmpty();
  }

  @Test
  void shouldKeepABoxThatPassesTheEdgeByItsRounding() throws Exception {
    for (int i = 0; i < 200; i++) {
      float left = 0.1f + i * 0.0625f;
      Boxed cut = sample(BoundingBoxes.Format.XYXY, left, 0.3f, 33, 12);
      BoundingBoxes boxes = cut.boxes().convert(BoundingBoxes.Format.CXCYWH).clamp();

      assertThat(kept(SanitizeBoundingBoxes.of(), new Boxed(cut.image(), boxes, cut.labels())))
          .as("%s", boxes.box(0)[0])
          .containsExactly(0);
    }
  }

  // ---- RandomIoUCrop ----

  private static Boxed cropped(RandomIoUCrop crop, int index, float... boxes) throws Exception {
    return JointTransform.<Boxed>of(crop)
        .apply(sample(40, 30, BoundingBoxes.Format.XYXY, boxes), SampleRandom.ofBatch(3, 0, index));
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
            () -> RandomIoUCrop.of().apply(TestImage.image(9, 9), SampleRandom.ofBatch(0, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RandomIoUCrop(")
        .hasMessageContaining("apply it through JointTransform");
  }
}
