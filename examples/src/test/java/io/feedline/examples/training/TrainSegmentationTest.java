package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import org.junit.jupiter.api.Test;

class TrainSegmentationTest {

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
