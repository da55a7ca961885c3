/**
 * Serving what was trained: a model's folder answers requests, with the pixels that it was
 * validated with.
 *
 * <p>{@link io.feedline.examples.serving.ServedModel} opens a folder that {@code TrainResNet50} has
 * written. {@link io.feedline.examples.serving.PredictImages} compares its answers with a
 * validation batch; {@link io.feedline.examples.serving.ServeImages} answers over HTTP, and {@link
 * io.feedline.examples.serving.RequestBatcher} puts its requests together.
 */
package io.feedline.examples.serving;
