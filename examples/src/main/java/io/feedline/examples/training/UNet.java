package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A small U-Net (Ronneberger et al., 2015), with batch normalization, and with padding so that the
 * output is as large as the input.
 */
final class UNet {

  private static final Shape HALF = new Shape(2, 2);

  private UNet() {}

  /**
   * Returns the network without its last layer: float32 (n, channels, height, width) to (n, {@code
   * width}, height, width), for any number of channels.
   *
   * @param width the number of filters at full resolution; it doubles at each lower level
   * @param depth the number of times that the resolution is halved
   */
  static Block of(int width, int depth) {
    SequentialBlock level = new SequentialBlock().add(convolution(width, 1));
    if (depth > 0) {
      Block below =
          new SequentialBlock()
              .add(Pool.maxPool2dBlock(HALF, HALF))
              .add(of(2 * width, depth - 1))
              .add(pointwise(4 * width))
              .add(new LambdaBlock(UNet::enlarge, "enlarge"));
      level.add(new ParallelBlock(UNet::concatenate).add(Blocks.identityBlock()).add(below));
    }
    return level.add(convolution(width, 1));
  }

  /** Returns a 3 x 3 convolution with batch normalization. */
  static Block convolution(int filters, int stride) {
    return new SequentialBlock()
        .add(
            Conv2d.builder()
                .setFilters(filters)
                .setKernelShape(new Shape(3, 3))
                .optPadding(new Shape(1, 1))
                .optStride(new Shape(stride, stride))
                .optBias(false)
                .build())
        .add(BatchNorm.builder().build())
        .add(Activation.reluBlock());
  }

  /** Returns a last layer, which computes a number for each pixel and channel. */
  static Conv2d pointwise(int channels) {
    return Conv2d.builder().setFilters(channels).setKernelShape(new Shape(1, 1)).build();
  }

  /**
   * Makes a square of 2 x 2 pixels from each group of four channels. After {@link #pointwise} it
   * acts as a transposed convolution, which DJL lacks for PyTorch.
   */
  private static NDList enlarge(NDList input) {
    NDArray small = input.singletonOrThrow();
    long batch = small.getShape().get(0);
    long channels = small.getShape().get(1) / 4;
    long height = small.getShape().get(2);
    long width = small.getShape().get(3);
    NDArray squares = small.reshape(batch, channels, 2, 2, height, width);
    return new NDList(
        squares.transpose(0, 1, 4, 2, 5, 3).reshape(batch, channels, 2 * height, 2 * width));
  }

  private static NDList concatenate(List<NDList> branches) {
    NDList channels =
        branches.stream()
            .map(NDList::singletonOrThrow)
            .collect(Collectors.toCollection(NDList::new));
    return new NDList(NDArrays.concat(channels, 1));
  }
}
