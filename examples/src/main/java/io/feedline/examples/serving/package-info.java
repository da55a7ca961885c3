/**
 * Serving a trained model, with the same pixels as in its validation.
 *
 * <p>{@link io.feedline.examples.serving.ServedModel} opens a folder that {@code TrainResNet50} has
 * written. {@link io.feedline.examples.serving.PredictImages} compares its answers with a
 * validation batch; {@link io.feedline.examples.serving.ServeImages} answers over HTTP, and {@link
 * io.feedline.examples.serving.RequestBatcher} combines its requests into batches.
 */
package io.feedline.examples.serving;
