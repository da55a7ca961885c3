/**
 * Small programs that show Feedline at work, and the training run that the others lead to.
 *
 * <p>{@link io.feedline.examples.QuickStart} reads a folder of pictures in batches; {@link
 * io.feedline.examples.EasyTrainWithFeedline} gives a loader to DJL's own training loop; {@link
 * io.feedline.examples.TrainResNet50} trains a network with a loop of its own and tells where the
 * time goes, in the terms of PyTorch's ImageNet script.
 *
 * <p>Each program is a class with a {@code main}; the classes beside them hold one part of the
 * training run each: options, data, network, loop, checkpoints. Every program is run by a test.
 */
package io.feedline.examples;
