package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTest {

  @Test
  void shouldCountLabelsAmongTheBestScores() {
    float[] scores = {
      3, 1, 2, // label 0: first
      3, 1, 2, // label 2: second
      3, 1, 2, // label 1: third
      3, Float.NaN, 2, // label 1: nowhere
    };
    long[] labels = {0, 2, 1, 1};
    assertThat(Accuracy.topK(scores, labels, 1)).isEqualTo(25);
    assertThat(Accuracy.topK(scores, labels, 2)).isEqualTo(50);
    assertThat(Accuracy.topK(scores, labels, 3)).isEqualTo(100);
    assertThat(Accuracy.topK(new float[] {1, 1}, new long[] {0}, 1)).as("a tie").isZero();
  }

  @Test
  void shouldAverageTheOverlapOfAllIdsThatOccur() {
    MeanIoU iou = new MeanIoU(3);
    iou.add(new int[] {0, 0, 0, 1}, new int[] {0, 0, 1, 1});
    iou.add(new int[] {2, 2, 255, 255}, new int[] {2, 0, 0, 1});
    // 0: two of four; 1: one of two; 2: one of two; unknown pixels do not count.
    assertThat(iou.value()).isCloseTo((2 / 4.0 + 1 / 2.0 + 1 / 2.0) / 3, within(1e-9));
    assertThat(iou.ofBackground()).isCloseTo(3 / 6.0 / 3, within(1e-9));

    MeanIoU ofTwo = new MeanIoU(5);
    assertThat(ofTwo.value()).isZero();
    ofTwo.add(new int[] {0, 1}, new int[] {0, 1});
    assertThat(ofTwo.value()).isEqualTo(1);
    assertThat(ofTwo.ofBackground()).isEqualTo(0.25);
  }

  @Test
  void shouldMeasureTheMeanRatioInDecibels() {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      NDArray truth = manager.zeros(new Shape(2, 3, 4, 4));
      NDArray image =
          manager
              .full(new Shape(1, 3, 4, 4), 0.1f)
              .concat(manager.full(new Shape(1, 3, 4, 4), 0.01f));
      assertThat(Psnr.mean(image, truth)).as("of 20 and 40 dB").isCloseTo(30, within(1e-3));
      assertThat(Psnr.mean(truth.sub(7), truth)).as("clipped").isEqualTo(Psnr.LARGEST);
    }
    assertThat(Psnr.ofError(0.01)).isCloseTo(20, within(1e-9));
    assertThat(Psnr.ofError(1)).isZero();
    assertThat(Psnr.ofError(0)).isEqualTo(Psnr.LARGEST);
  }

  /** A square of side 10, moved to the right. */
  private static Detection at(float left, int label, double score) {
    return new Detection(label, (float) score, left, 0, left + 10, 10);
  }

  @Test
  void shouldKeepTheBestOfBoxesThatOverlap() {
    assertThat(at(0, 0, 1).overlap(at(5, 0, 1))).isCloseTo(1 / 3f, within(1e-6f));
    assertThat(at(0, 0, 1).overlap(at(10, 0, 1))).isZero();
    assertThat(at(0, 0, 1).overlap(at(0, 1, 0.5))).isEqualTo(1);
    List<Detection> found =
        List.of(at(1, 0, 0.6), at(0, 0, 0.9), at(0, 1, 0.5), at(9, 0, 0.4), at(100, 0, 0.95));
    assertThat(Detection.suppress(found, 0.5f))
        .containsExactly(at(100, 0, 0.95), at(0, 0, 0.9), at(0, 1, 0.5), at(9, 0, 0.4));
  }

  private static void precision(
      int classes,
      List<Detection> truth,
      List<Detection> found,
      double value,
      double precision,
      double recall) {
    AveragePrecision measured = new AveragePrecision(classes);
    measured.add(truth, found);
    assertThat(measured.value()).isCloseTo(value, within(1e-9));
    assertThat(measured.precision()).isCloseTo(precision, within(1e-9));
    assertThat(measured.recall()).isCloseTo(recall, within(1e-9));
  }

  @Test
  void shouldTakeTheAreaBelowTheCurveOfPrecision() {
    // Right, wrong, right, and a box that is not found.
    precision(
        1,
        List.of(at(0, 0, 1), at(50, 0, 1), at(200, 0, 1)),
        List.of(at(0, 0, 0.9), at(80, 0, 0.8), at(201, 0, 0.7)),
        (1 + 2 / 3.0) / 3,
        2 / 3.0,
        2 / 3.0);
    // The second prediction of a box is wrong.
    precision(1, List.of(at(0, 0, 1)), List.of(at(1, 0, 0.6), at(0, 0, 0.9)), 1, 0.5, 1);
    // Classes are told apart; the third one does not occur.
    precision(
        3, List.of(at(0, 0, 1), at(50, 1, 1)), List.of(at(0, 0, 0.9), at(50, 0, 0.3)), 0.5, 1, 0.5);
    precision(2, List.of(), List.of(at(0, 1, 0.9)), 0, 0, 0);
  }

  @Test
  void shouldLeavePixelsOfUnknownClassOutOfTheLoss() {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      // (1, 2, 1, 3): the second class is right at the first pixel, the first at the others.
      NDArray scores = manager.create(new float[] {0, 3, 5, 2, 0, 0}, new Shape(1, 2, 1, 3));
      scores.setRequiresGradient(true);
      NDArray mask =
          manager.create(new float[] {1, 0, 255}, new Shape(1, 1, 3)).toType(DataType.UINT8, true);
      try (GradientCollector gradients = manager.getEngine().newGradientCollector()) {
        NDArray loss = TrainSegmentation.loss(scores, mask);
        gradients.backward(loss);
        double first = Math.log(1 + Math.exp(-2));
        double second = Math.log(1 + Math.exp(-3));
        assertThat(loss.getFloat()).isCloseTo((float) (first + second) / 2, within(1e-6f));
      }
      float[] gradient = scores.getGradient().toFloatArray();
      assertThat(new float[] {gradient[2], gradient[5]}).containsOnly(0);
      assertThat(gradient[1]).isNegative();
      assertThat(gradient[3]).isNegative();
    }
  }
}
