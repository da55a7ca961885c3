package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import org.junit.jupiter.api.Test;

class SanitizeBoundingBoxesTest {

  private record Boxed(Image image, BoundingBoxes boxes, BoxLabels labels) {}

  private static Boxed sample(BoundingBoxes.Format format, float... edges) {
    long[] labels = new long[edges.length / 4];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = i;
    }
    BoundingBoxes boxes =
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, 20, 10).convert(format);
    return new Boxed(Image.ofRgb(new byte[600], 20, 10), boxes, BoxLabels.of(labels));
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
}
