package io.feedline.bench;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;

/**
 * A network in training with DJL, one step at a time: stochastic gradient descent with momentum
 * 0.9, weight decay 1e-4 and a learning rate of 0.01, on the cross-entropy of classes. {@code
 * peers/train_step.py} trains in the same way with PyTorch.
 *
 * <p>The caller closes it. Used by one thread.
 */
final class Training implements AutoCloseable {
  private static final float LEARNING_RATE = 0.01f;
  private static final float MOMENTUM = 0.9f;
  private static final float WEIGHT_DECAY = 1e-4f;

  private final Model model;
  private final Trainer trainer;

  private Training(Model model, Trainer trainer) {
    this.model = model;
    this.trainer = trainer;
  }

  /**
   * Initializes a network on a device.
   *
   * @param network a network without weights
   * @param imageSize the width and height of the images
   */
  static Training begin(Block network, int imageSize, Device device) {
    Model model = Model.newInstance("train-step", device);
    Trainer trainer = null;
    try {
      model.setBlock(network);
      trainer = model.newTrainer(config(device));
      trainer.initialize(new Shape(1, 3, imageSize, imageSize));
      return new Training(model, trainer);
    } catch (Throwable failure) {
      close(model, trainer);
      throw failure;
    }
  }

  private static DefaultTrainingConfig config(Device device) {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optDevices(new Device[] {device})
        .optOptimizer(
            Optimizer.sgd()
                .setLearningRateTracker(Tracker.fixed(LEARNING_RATE))
                .optMomentum(MOMENTUM)
                .optWeightDecays(WEIGHT_DECAY)
                .build());
  }

  /** Returns the manager to which images and labels belong, directly or by a sub-manager. */
  NDManager manager() {
    return trainer.getManager();
  }

  /**
   * Takes one step. On a GPU this only queues work. Reading the loss waits for all queued work,
   * since the copy of the loss to the host is queued after it.
   *
   * @param images float32 (N, 3, height, width); all computed arrays belong to its manager
   * @param labels class numbers (N)
   * @return the loss before the step, on the manager of {@code images}
   */
  NDArray step(NDArray images, NDArray labels) {
    NDArray loss;
    try (GradientCollector gradients = trainer.newGradientCollector()) {
      NDList expected = new NDList(labels);
      NDList predicted = trainer.forward(new NDList(images), expected);
      loss = trainer.getLoss().evaluate(expected, predicted);
      gradients.backward(loss);
    }
    trainer.step();
    return loss;
  }

  /** Frees the network and all arrays of {@link #manager}. */
  @Override
  public void close() {
    close(model, trainer);
  }

  private static void close(Model model, Trainer trainer) {
    try {
      if (trainer != null) {
        trainer.close();
      }
    } finally {
      model.close();
    }
  }
}
