package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds that the networks are the peer's: what is compared with here was printed by {@code python3
 * loader-bench/peers/train_step.py --check} with torch 2.13.
 */
class ResidualNetworkTest {
  private static final int SIDE = 64;
  private static final int CLASSES = 10;

  @ParameterizedTest
  @EnumSource
  void shouldHaveTheParametersOfTorchvision(ResidualNetwork network) {
    long parameters = 0;
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      Block block = network.block(1000);
      block.initialize(manager, DataType.FLOAT32, new Shape(1, 3, SIDE, SIDE));
      for (Parameter parameter : block.getParameters().values()) {
        parameters += parameter.requiresGradient() ? parameter.getArray().size() : 0;
      }
      block.clear();
    }
    assertThat(parameters)
        .isEqualTo(
            switch (network) {
              case RESNET18 -> 11_689_512;
              case RESNET50 -> 25_557_032;
            });
  }

  /** The second and third loss are those of the peer only if gradients and optimizer are, too. */
  @Test
  void shouldLearnAsThePeerDoes() {
    float[] losses = losses(ResidualNetwork.RESNET18, 3);
    assertThat(losses[0]).isCloseTo(3.173802f, withinPercentage(0.01));
    assertThat(losses[1]).isCloseTo(0.046207f, withinPercentage(0.1));
    assertThat(losses[2]).isCloseTo(0.0099588f, withinPercentage(0.1));
  }

  /** So deep a network with so few images carries each rounding on, and is soon elsewhere. */
  @Test
  void shouldBeginAsThePeerDoes() {
    assertThat(losses(ResidualNetwork.RESNET50, 1)[0]).isCloseTo(2.38998f, withinPercentage(0.1));
  }

  private static float[] losses(ResidualNetwork network, int steps) {
    float[] losses = new float[steps];
    try (Training training = Training.begin(network.block(CLASSES), SIDE, Device.cpu());
        NDManager manager = training.manager().newSubManager()) {
      NDArray images =
          manager.create(
              HashedNumbers.of(1000, 4 * 3 * SIDE * SIDE, 1), new Shape(4, 3, SIDE, SIDE));
      NDArray labels = manager.create(new long[] {0, 1, 2, 3});
      for (int i = 0; i < steps; i++) {
        losses[i] = training.step(images, labels).getFloat();
      }
    }
    return losses;
  }
}
