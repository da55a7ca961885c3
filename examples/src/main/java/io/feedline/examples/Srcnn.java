package io.feedline.examples;

import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;

/**
 * SRCNN 9-1-5 (Dong et al., "Image Super-Resolution Using Deep Convolutional Networks", 2015):
 * three convolutions that sharpen what a bicubic filter has enlarged. 20 thousand parameters, the
 * same for every scale.
 *
 * <p>Unlike the paper's it takes all three colours, as in its section 4.4, and pads with zeros, so
 * that what comes out is as large as what went in.
 */
final class Srcnn {
  private Srcnn() {}

  /** The network, float32 (n, 3, height, width) to the same shape. */
  static SequentialBlock block() {
    return new SequentialBlock()
        .add(convolution(64, 9))
        .add(Activation.reluBlock())
        .add(convolution(32, 1))
        .add(Activation.reluBlock())
        .add(convolution(3, 5));
  }

  private static Conv2d convolution(int filters, int side) {
    return Conv2d.builder()
        .setFilters(filters)
        .setKernelShape(new Shape(side, side))
        .optPadding(new Shape(side / 2, side / 2))
        .build();
  }
}
