package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;

/**
 * SRCNN 9-1-5 (Dong et al., "Image Super-Resolution Using Deep Convolutional Networks", 2015):
 * three convolutions that sharpen an image after a bicubic filter has enlarged it. 20 thousand
 * parameters, the same for every scale.
 *
 * <p>Unlike the paper's main network, it takes all three colors, as in the paper's section 4.4, and
 * pads with zeros, so that the output is as large as the input. Its initial weights return the
 * input, so that a short run starts from the bicubic image. The paper's network starts near black,
 * and needs hundreds of millions of steps.
 */
final class Srcnn {
  private static final int COLORS = 3;
  private static final float NOISE = 0.01f;

  private Srcnn() {}

  /** Returns the network, from float32 (n, 3, height, width) to the same shape. */
  static SequentialBlock block() {
    return new SequentialBlock()
        .add(convolution(64, 9))
        .add(Activation.reluBlock())
        .add(convolution(32, 1))
        .add(Activation.reluBlock())
        .add(convolution(COLORS, 5));
  }

  private static Conv2d convolution(int filters, int side) {
    Conv2d convolution =
        Conv2d.builder()
            .setFilters(filters)
            .setKernelShape(new Shape(side, side))
            .optPadding(new Shape(side / 2, side / 2))
            .build();
    convolution.setInitializer(Srcnn::passOn, Parameter.Type.WEIGHT);
    return convolution;
  }

  /**
   * Returns filters that copy the input: each of the three colors in its own channel, with some
   * noise in all channels. Shape: (filters, channels, height, width).
   */
  private static NDArray passOn(NDManager manager, Shape shape, DataType type) {
    NDArray filters = manager.randomNormal(0, NOISE, shape, type);
    try (NDArray ones = manager.create(1f)) {
      for (int color = 0; color < COLORS; color++) {
        NDIndex middle = new NDIndex(color, color, shape.get(2) / 2, shape.get(3) / 2);
        filters.set(middle, ones);
      }
    }
    return filters;
  }
}
