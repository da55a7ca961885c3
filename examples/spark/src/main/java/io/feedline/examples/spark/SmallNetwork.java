package io.feedline.examples.spark;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.GradientCollector;
import ai.djl.training.ParameterStore;
import ai.djl.training.loss.Loss;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Resize;
import io.feedline.transform.Transform;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.FloatBuffer;

/**
 * A network of a few hundred parameters that classifies images. {@link #toBytes} makes it portable
 * to other machines.
 *
 * <p>Not thread-safe. The caller closes it, which frees its parameters.
 */
final class SmallNetwork implements AutoCloseable {

  private static final int SIZE = 32;
  private static final float LEARNING_RATE = 0.05f;

  private final NDManager manager = NDManager.newBaseManager();
  private final Block block;
  private final Loss loss = Loss.softmaxCrossEntropyLoss();

  /** Creates an untrained network; equal seeds give equal networks. */
  SmallNetwork(int classes, int seed) {
    Engine.getInstance().setRandomSeed(seed);
    this.block =
        new SequentialBlock()
            .add(Conv2d.builder().setKernelShape(new Shape(5, 5)).setFilters(8).build())
            .add(Activation.reluBlock())
            .add(Pool.maxPool2dBlock(new Shape(2, 2), new Shape(2, 2)))
            .add(Pool.globalAvgPool2dBlock())
            .add(Linear.builder().setUnits(classes).build());
    block.initialize(manager, DataType.FLOAT32, new Shape(1, 3, SIZE, SIZE));
    requireGradients();
  }

  private void requireGradients() {
    for (Parameter parameter : block.getParameters().values()) {
      parameter.getArray().setRequiresGradient(true);
    }
  }

  /** Returns the transform of each image before the network. */
  static Transform<Image, Image> transform() {
    return Resize.of(SIZE).andThen(CenterCrop.of(SIZE)).andThen(Normalize.imagenet());
  }

  /** Returns a network with the parameters that {@link #toBytes} wrote. */
  static SmallNetwork of(int classes, byte[] bytes) throws Exception {
    SmallNetwork network = new SmallNetwork(classes, 0);
    network.block.loadParameters(
        network.manager, new DataInputStream(new ByteArrayInputStream(bytes)));
    network.requireGradients();
    return network;
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.saveParameters(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /** Trains on a batch; returns the loss before the update. */
  float train(Batch batch) {
    try (NDManager step = manager.newSubManager()) {
      // DJL can collect gradients only once at a time in a process, which may run several tasks.
      synchronized (SmallNetwork.class) {
        float mean = collectGradients(step, batch);
        for (Parameter parameter : block.getParameters().values()) {
          NDArray array = parameter.getArray();
          NDArray gradient = array.getGradient();
          gradient.attach(step);
          unrecorded(step, array).subi(gradient.mul(LEARNING_RATE));
        }
        return mean;
      }
    }
  }

  private float collectGradients(NDManager step, Batch batch) {
    NDArray labels = step.create(batch.tensor("label").toLongArray());
    try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
      NDArray scores = forward(step, batch.tensor("image"), true);
      NDArray value = loss.evaluate(new NDList(labels), new NDList(scores));
      collector.backward(value);
      return value.getFloat();
    }
  }

  /** Returns an array over the same memory, whose changes are not part of a gradient. */
  private static NDArray unrecorded(NDManager step, NDArray array) {
    NDArray same = array.stopGradient();
    same.attach(step);
    return same;
  }

  /** Returns all parameters in one array, always in the same order. */
  float[] parameters() {
    FloatBuffer all =
        FloatBuffer.allocate(
            (int)
                block.getParameters().values().stream()
                    .mapToLong(parameter -> parameter.getArray().size())
                    .sum());
    for (Parameter parameter : block.getParameters().values()) {
      all.put(parameter.getArray().toFloatArray());
    }
    return all.array();
  }

  /** Sets all parameters to those of {@link #parameters}. */
  void setParameters(float[] values) {
    FloatBuffer all = FloatBuffer.wrap(values);
    try (NDManager step = manager.newSubManager()) {
      for (Parameter parameter : block.getParameters().values()) {
        float[] own = new float[(int) parameter.getArray().size()];
        all.get(own);
        NDArray array = parameter.getArray();
        unrecorded(step, array).muli(0).addi(step.create(own, array.getShape()));
      }
    }
  }

  /** Returns the probability of each class, for each image of a batch. */
  float[][] predict(Batch batch) {
    try (NDManager step = manager.newSubManager()) {
      NDArray probabilities = forward(step, batch.tensor("image"), false).softmax(1);
      int classes = (int) probabilities.getShape().get(1);
      FloatBuffer all = FloatBuffer.wrap(probabilities.toFloatArray());
      float[][] each = new float[batch.size()][classes];
      for (float[] one : each) {
        all.get(one);
      }
      return each;
    }
  }

  private NDArray forward(NDManager step, Tensor images, boolean training) {
    NDArray input = step.create(images.toFloatArray(), new Shape(images.shape().lengths()));
    return block
        .forward(new ParameterStore(manager, false), new NDList(input), training)
        .singletonOrThrow();
  }

  @Override
  public void close() {
    manager.close();
  }
}
