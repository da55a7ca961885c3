package io.feedline.examples.training;

import ai.djl.basicmodelzoo.cv.classification.ResNetV1;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.BlockList;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.initializer.Initializer;
import ai.djl.training.initializer.NormalInitializer;
import ai.djl.util.Pair;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The residual networks that DJL's {@link ResNetV1} builds for images of ImageNet's size. */
public enum ResNet {
  RESNET18(18),
  RESNET34(34),
  RESNET50(50),
  RESNET101(101),
  RESNET152(152);

  /** The smallest image side; below it, DJL builds another network, for tiny images. */
  static final int SMALLEST_IMAGE = 32;

  private final int layers;

  ResNet(int layers) {
    this.layers = layers;
  }

  /**
   * Returns the network without weights.
   *
   * @param imageSize the side of images in pixels, 32 or more
   */
  public Block block(int classes, int imageSize) {
    return ResNetV1.builder()
        .setImageShape(new Shape(3, imageSize, imageSize))
        .setNumLayers(layers)
        .setOutSize(classes)
        .build();
  }

  /**
   * Sets the weights' initializers to torchvision's: each residual unit begins as the identity
   * (option zero_init_residual; Goyal et al. 2017, "Accurate, Large Minibatch SGD"), and the
   * classes are about equally likely. With DJL's initializers a short run hardly improves on
   * guessing.
   *
   * @param block the result of {@link #block}
   * @param config the configuration of the trainer
   */
  static void initialize(Block block, DefaultTrainingConfig config) {
    for (Pair<String, Block> child : block.getChildren()) {
      if (child.getValue() instanceof ParallelBlock unit) {
        BlockList residual = unit.getChildren().get(0).getValue().getChildren();
        Block normalization = residual.get(residual.size() - 1).getValue();
        config.optInitializer(Initializer.ZEROS, is(normalization, Parameter.Type.GAMMA));
      } else if (child.getValue() instanceof Linear classes) {
        config.optInitializer(new NormalInitializer(0.01f), is(classes, Parameter.Type.WEIGHT));
      }
    }
  }

  private static Predicate<Parameter> is(Block owner, Parameter.Type type) {
    List<Parameter> own = owner.getDirectParameters().values();
    return parameter -> parameter.getType() == type && own.contains(parameter);
  }

  /**
   * Describes the network, with its size. DJL builds the smaller networks from bottlenecks, too, so
   * they are much smaller than in the paper.
   *
   * @param block an initialized network
   */
  String describe(Block block) {
    double millions = trainableParameters(block) / 1e6;
    String text =
        String.format(
            Locale.ROOT,
            "%s (DJL's ResNetV1, %d layers, %.1f M parameters",
            this,
            layers,
            millions);
    return text
        + switch (this) {
          case RESNET18 ->
              "; of bottlenecks, so not the usual ResNet-18, which has 11.7 M at 1000 classes)";
          case RESNET34 ->
              "; of bottlenecks, so not the usual ResNet-34, which has 21.8 M at 1000 classes)";
          default -> ")";
        };
  }

  private static long trainableParameters(Block block) {
    long count = 0;
    for (Pair<String, Parameter> named : block.getParameters()) {
      if (named.getValue().requiresGradient()) {
        count += named.getValue().getArray().size();
      }
    }
    return count;
  }

  /** Returns the lower-case name, such as {@code resnet50}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
