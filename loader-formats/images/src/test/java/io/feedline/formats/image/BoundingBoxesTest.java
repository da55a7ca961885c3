package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.formats.image.pixel.Region;
import io.feedline.transform.Transform;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Boxes, points and labels; how operations move them, {@code TorchvisionTargetsTest} tests. */
class BoundingBoxesTest {

  private record Boxed(Image image, BoundingBoxes boxes) {}

  private static BoundingBoxes boxes(BoundingBoxes.Format format, float... numbers) {
    return BoundingBoxes.of(numbers, format, 100, 80);
  }

  @Test
  void shouldConvertEachFormatIntoEachOther() {
    BoundingBoxes[] same = {
      boxes(BoundingBoxes.Format.XYXY, 10, 20, 16, 40),
      boxes(BoundingBoxes.Format.XYWH, 10, 20, 6, 20),
      boxes(BoundingBoxes.Format.CXCYWH, 13, 30, 6, 20)
    };
    for (BoundingBoxes from : same) {
      for (BoundingBoxes to : same) {
        BoundingBoxes converted = from.convert(to.format());

        assertThat(converted.toArray()).containsExactly(to.toArray());
        assertThat(converted.format()).isEqualTo(to.format());
        assertThat(converted.canvasWidth()).isEqualTo(100);
        assertThat(converted.canvasHeight()).isEqualTo(80);
      }
    }
  }

  @Test
  void shouldCutOffAtTheEdgesInEachFormat() {
    BoundingBoxes edges = boxes(BoundingBoxes.Format.XYXY, -5, 70, 20, 90, 110, -8, 130, 8);
    for (BoundingBoxes.Format format : BoundingBoxes.Format.values()) {
      assertThat(edges.convert(format).clamp().convert(BoundingBoxes.Format.XYXY).toArray())
          .containsExactly(0, 70, 20, 80, 100, 0, 100, 8);
    }
  }

  @Test
  void shouldCutOffInOperationsUnlessToldNotTo() throws Exception {
    Image image = Image.ofRgb(new byte[3 * 100 * 80], 100, 80);
    BoundingBoxes boxes = boxes(BoundingBoxes.Format.XYXY, 10, 20, 60, 40);
    Transform<Image, Image> crop = i -> i.crop(new Region(30, 25, 20, 10));

    Boxed cut = JointTransform.<Boxed>of(crop).apply(new Boxed(image, boxes));
    Boxed whole = JointTransform.<Boxed>of(crop).apply(new Boxed(image, boxes.withClamping(false)));

    assertThat(cut.boxes().toArray()).containsExactly(0, 0, 20, 10);
    assertThat(whole.boxes().toArray()).containsExactly(-20, -5, 30, 15);
    assertThat(whole.boxes().clamping()).isFalse();
    assertThat(whole.boxes().canvasWidth()).isEqualTo(20);
  }

  @Test
  void shouldBeATensorOfFourNumbersForEachBox() throws Exception {
    float[] numbers = {1, 2, 3, 4, 5, 6, 7, 8};
    BoundingBoxes boxes = boxes(BoundingBoxes.Format.XYWH, numbers);
    numbers[0] = 9;
    boxes.toArray()[1] = 9;

    assertThat(boxes.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(boxes.shape()).isEqualTo(Shape.of(2, 4));
    assertThat(TestTargets.floats(boxes)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(boxes.box(1)).containsExactly(5, 6, 7, 8);
    assertThatThrownBy(() -> boxes.box(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(TestTargets.floats(boxes(BoundingBoxes.Format.XYXY))).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNoBox() {
    assertThatThrownBy(() -> boxes(BoundingBoxes.Format.XYXY, 1, 2, 3, 4, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("four numbers each, found 5");
    assertThatThrownBy(() -> boxes(BoundingBoxes.Format.XYXY, 1, 2, 3, 4, 5, Float.NaN, 7, 8))
        .hasMessageContaining("number 1 of box 1 is NaN");
    assertThatThrownBy(() -> BoundingBoxes.of(new float[4], BoundingBoxes.Format.XYXY, 0, 5))
        .hasMessageContaining("1 to 16777216 pixels a side, was 0 x 5");
  }

  @Test
  void shouldBeSeenAndReplacedByTransforms() throws Exception {
    Image image = Image.ofRgb(new byte[3 * 100 * 80], 100, 80);
    BoundingBoxes boxes = boxes(BoundingBoxes.Format.XYXY, 10, 20, 60, 40);
    Transform<Image, Image> larger =
        i -> {
          float[] numbers = i.boxes().orElseThrow().toArray();
          numbers[2] += 5;
          return i.withBoxes(
              BoundingBoxes.of(numbers, BoundingBoxes.Format.XYXY, i.width(), i.height()));
        };
    assertThat(JointTransform.<Boxed>of(larger).apply(new Boxed(image, boxes)).boxes().toArray())
        .containsExactly(10, 20, 65, 40);

    assertThat(image.boxes()).isEmpty();
    assertThatThrownBy(() -> image.withBoxes(boxes))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pixels in memory has no boxes");
    refuse(image, boxes, i -> i.withBoxes(boxes(BoundingBoxes.Format.XYXY)), "0 new boxes for 1");
    refuse(
        image,
        boxes,
        i -> i.withBoxes(BoundingBoxes.of(new float[4], BoundingBoxes.Format.XYXY, 5, 5)),
        "it is 5 x 5, the image is 100 x 80");
    refuse(image, boxes, i -> i.keepBoxes(BitSet.valueOf(new long[] {2})), "cannot keep box 1");
  }

  private static void refuse(
      Image image, BoundingBoxes boxes, Transform<Image, Image> transform, String message) {
    assertThatThrownBy(() -> JointTransform.<Boxed>of(transform).apply(new Boxed(image, boxes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldRefuseToChooseAmongSeveralSets() {
    record Twice(Image image, BoundingBoxes first, BoundingBoxes second) {}
    Twice twice =
        new Twice(
            Image.ofRgb(new byte[3 * 100 * 80], 100, 80),
            boxes(BoundingBoxes.Format.XYXY),
            boxes(BoundingBoxes.Format.XYXY));
    Transform<Image, Image> looking = image -> image.keepBoxes(new BitSet());

    assertThatThrownBy(() -> JointTransform.<Twice>of(looking).apply(twice))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has 2 sets of boxes")
        .hasMessageContaining("join them");
  }

  @Test
  void shouldHavePointsOneByOneOrInGroups() throws Exception {
    float[] numbers = {1, 2, -3, 200, 150, 6};
    KeyPoints single = KeyPoints.of(numbers, 100, 80);
    KeyPoints grouped = KeyPoints.ofObjects(numbers, 3, 100, 80);

    assertThat(single.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(grouped.shape()).isEqualTo(Shape.of(1, 3, 2));
    assertThat(grouped.count()).isEqualTo(1);
    assertThat(TestTargets.floats(grouped)).containsExactly(numbers);
    assertThat(single.clamp().toArray()).containsExactly(1, 2, 0, 79, 99, 6);
    assertThatThrownBy(() -> KeyPoints.of(new float[3], 5, 5))
        .hasMessageContaining("there are 3 numbers, expected a multiple of 2");
    assertThatThrownBy(() -> KeyPoints.ofObjects(new float[4], 3, 5, 5))
        .hasMessageContaining("expected a multiple of 6");
    assertThatThrownBy(() -> KeyPoints.ofObjects(new float[4], 0, 5, 5))
        .hasMessageContaining("perObject must be 1 or more, was 0");
  }

  @Test
  void shouldHaveOneLabelOrSeveralForEachBox() throws Exception {
    BoxLabels rows = BoxLabels.ofRows(new long[] {1, 2, 3, 4}, 2);

    assertThat(BoxLabels.of(7, 8).shape()).isEqualTo(Shape.of(2));
    assertThat(rows.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(rows.count()).isEqualTo(2);
    assertThat(TestTargets.longs(rows)).containsExactly(1, 2, 3, 4);
    assertThat(rows.dtype()).isEqualTo(DType.INT64);
    assertThatThrownBy(() -> BoxLabels.ofRows(new long[3], 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 numbers are not those of boxes with 2 each");
  }
}
