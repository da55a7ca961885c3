package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FcosTest {

  private static final int SIDE = 4;

  private final Fcos fcos = new Fcos(2, SIDE * Fcos.STRIDE);
  private final NDManager manager = NDManager.newBaseManager(Device.cpu());

  @AfterEach
  void close() {
    manager.close();
  }

  /** Logits of both classes, and distances, the same for all points. */
  private NDList predicted(float logit, float distance) {
    Shape points = new Shape(1, SIDE * SIDE, 1);
    return new NDList(
        manager.full(points, logit).repeat(2, 2), manager.full(points, distance).repeat(2, 4));
  }

  private float loss(NDList predicted, float[] boxes, long[] labels, long count) {
    return fcos.loss(
            predicted,
            manager.create(boxes, new Shape(1, labels.length, 4)),
            manager.create(labels, new Shape(1, labels.length)),
            manager.create(new long[] {count}))
        .getFloat();
  }

  @Test
  void shouldLeavePaddingOutOfTheLoss() {
    NDList predicted = predicted(-1, 5);
    float[] box = {2, 2, 12, 14};

    float alone = loss(predicted, box, new long[] {1}, 1);
    float padded = loss(predicted, new float[] {2, 2, 12, 14, 0, 0, 0, 0}, new long[] {1, 0}, 1);
    float[] two = {2, 2, 12, 14, 4, 4, 9, 9};

    assertThat(padded).isEqualTo(alone);
    assertThat(loss(predicted, two, new long[] {1, 0}, 1))
        .as("what is behind the count is padding, whatever it is")
        .isEqualTo(alone);
    assertThat(loss(predicted, two, new long[] {1, 0}, 2)).isNotEqualTo(alone);
  }

  @Test
  void shouldLearnFromImagesWithoutBoxesThatAllIsBackground() {
    float[] none = {0, 0, 0, 0};
    // Each of 32 scores: 0.75 * p^2 * -log(1 - p).
    double p = 1 / (1 + Math.exp(1));
    double expected = 32 * 0.75 * p * p * -Math.log(1 - p);

    assertThat(loss(predicted(-1, 5), none, new long[] {0}, 0))
        .isCloseTo((float) expected, within(1e-4f));
  }

  @Test
  void shouldHaveNoLossForTheRightBoxAndClass() {
    // The points at 6 and 10 are near the middle of the box, (8, 8).
    float[] scores = new float[2 * SIDE * SIDE];
    float[] distances = new float[4 * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
      int x = 4 * (i % SIDE) + 2;
      int y = 4 * (i / SIDE) + 2;
      boolean near = Math.abs(x - 8) <= 6 && Math.abs(y - 8) <= 6;
      scores[2 * i] = -20;
      scores[2 * i + 1] = near ? 20 : -20;
      float[] edges = {x - 1, y - 1, 15 - x, 15 - y};
      System.arraycopy(edges, 0, distances, 4 * i, 4);
    }
    NDList right =
        new NDList(
            manager.create(scores, new Shape(1, SIDE * SIDE, 2)),
            manager.create(distances, new Shape(1, SIDE * SIDE, 4)));
    float[] box = {1, 1, 15, 15};

    assertThat(loss(right, box, new long[] {1}, 1)).isCloseTo(0, within(1e-5f));
    assertThat(loss(right, box, new long[] {0}, 1)).as("of the other class").isGreaterThan(1);
    assertThat(fcos.detections(right)).containsExactly(List.of(new Detection(1, 1, 1, 1, 15, 15)));
  }

  @Test
  void shouldMeanTheSmallerOfTwoBoxes() {
    NDList predicted = predicted(-1, 4);
    float[] both = {0, 0, 16, 16, 5, 5, 11, 11};
    float[] other = {5, 5, 11, 11, 0, 0, 16, 16};

    assertThat(loss(predicted, both, new long[] {0, 1}, 2))
        .isCloseTo(loss(predicted, other, new long[] {1, 0}, 2), within(1e-5f));
  }

  @Test
  void shouldHaveGradientsForScoresAndBoxes() {
    NDList predicted = predicted(-1, 5);
    predicted.forEach(array -> array.setRequiresGradient(true));
    NDArray boxes = manager.create(new float[] {2, 2, 12, 14}, new Shape(1, 1, 4));
    try (GradientCollector gradients = manager.getEngine().newGradientCollector()) {
      gradients.backward(
          fcos.loss(
              predicted,
              boxes,
              manager.create(new long[] {1}, new Shape(1, 1)),
              manager.create(new long[] {1})));
    }

    for (NDArray array : predicted) {
      float[] gradient = array.getGradient().toFloatArray();
      assertThat(gradient).doesNotContain(Float.NaN);
      float sum = 0;
      for (float value : gradient) {
        sum += Math.abs(value);
      }
      assertThat(sum).isPositive();
    }
  }
}
