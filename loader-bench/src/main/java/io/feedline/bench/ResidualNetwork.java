package io.feedline.bench;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.initializer.Initializer;
import java.util.List;
import java.util.Locale;

/**
 * The residual networks of torchvision, layer for layer; {@code peers/train_step.py} builds the
 * same networks from {@code torch.nn}. DJL's networks of the same names differ: its {@code
 * resnet18} has bottlenecks.
 *
 * <p>Source: He et al. 2015, "Deep Residual Learning for Image Recognition". As in torchvision, the
 * middle convolution of a bottleneck has the stride.
 */
enum ResidualNetwork {
  /** Basic units; 11.7 million parameters at 1000 classes. */
  RESNET18(false),

  /** Bottlenecks; 25.6 million parameters at 1000 classes. */
  RESNET50(true);

  /** The smallest image side for which the last stage still has a pixel. */
  static final int SMALLEST_IMAGE = 32;

  private static final int STEM_CHANNELS = 64;
  private static final int EXPANSION = 4;

  private final boolean bottlenecks;

  ResidualNetwork(boolean bottlenecks) {
    this.bottlenecks = bottlenecks;
  }

  /** Returns the number of residual units of each stage. */
  private int[] units() {
    return switch (this) {
      case RESNET18 -> new int[] {2, 2, 2, 2};
      case RESNET50 -> new int[] {3, 4, 6, 3};
    };
  }

  /**
   * Returns the network, from float32 (N, 3, height, width) to (N, classes), without weights.
   * Weights will be {@link HashedNumbers} by He's uniform distribution for convolutions and the
   * last layer; biases will be 0, and normalizations the identity.
   */
  Block block(int classes) {
    SequentialBlock network = new SequentialBlock();
    network.add(convolution(STEM_CHANNELS, 7, 2)).add(normalization()).add(relu());
    network.add(Pool.maxPool2dBlock(new Shape(3, 3), new Shape(2, 2), new Shape(1, 1)));
    int channels = STEM_CHANNELS;
    int[] units = units();
    for (int stage = 0; stage < units.length; stage++) {
      int width = STEM_CHANNELS << stage;
      int result = bottlenecks ? EXPANSION * width : width;
      for (int unit = 0; unit < units[stage]; unit++) {
        int stride = stage > 0 && unit == 0 ? 2 : 1;
        network.add(unit(width, result, stride, stride != 1 || channels != result));
        channels = result;
      }
    }
    network.add(Pool.globalAvgPool2dBlock()).add(Blocks.batchFlattenBlock());
    network.add(Linear.builder().setUnits(classes).build());
    initialize(network);
    return network;
  }

  private Block unit(int width, int result, int stride, boolean projected) {
    SequentialBlock residual = new SequentialBlock();
    if (bottlenecks) {
      residual.add(convolution(width, 1, 1)).add(normalization()).add(relu());
      residual.add(convolution(width, 3, stride)).add(normalization()).add(relu());
      residual.add(convolution(result, 1, 1)).add(normalization());
    } else {
      residual.add(convolution(width, 3, stride)).add(normalization()).add(relu());
      residual.add(convolution(result, 3, 1)).add(normalization());
    }
    Block shortcut =
        projected
            ? new SequentialBlock().add(convolution(result, 1, stride)).add(normalization())
            : Blocks.identityBlock();
    return new ParallelBlock(ResidualNetwork::sum, List.of(residual, shortcut));
  }

  private static NDList sum(List<NDList> branches) {
    return new NDList(
        Activation.relu(
            branches.get(0).singletonOrThrow().add(branches.get(1).singletonOrThrow())));
  }

  private static Block convolution(int channels, int kernel, int stride) {
    int padding = kernel / 2;
    return Conv2d.builder()
        .setKernelShape(new Shape(kernel, kernel))
        .setFilters(channels)
        .optStride(new Shape(stride, stride))
        .optPadding(new Shape(padding, padding))
        .optBias(false)
        .build();
  }

  private static Block normalization() {
    return BatchNorm.builder().build();
  }

  private static Block relu() {
    return Activation.reluBlock();
  }

  /** Sets each weight's initializer: a sequence by the weight's number, in torchvision's order. */
  private static void initialize(Block network) {
    int sequence = 0;
    for (Parameter parameter : network.getParameters().values()) {
      if (parameter.getType() == Parameter.Type.WEIGHT) {
        parameter.setInitializer(hashed(sequence++));
      }
    }
  }

  private static Initializer hashed(int sequence) {
    return (manager, shape, type) -> {
      double inputs = (double) shape.size() / shape.get(0);
      float[] weights =
          HashedNumbers.of(sequence, Math.toIntExact(shape.size()), Math.sqrt(6 / inputs));
      return manager.create(weights, shape);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
