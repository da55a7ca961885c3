/**
 * Trainings of networks: the short programs of the tutorials, and four programs for long runs.
 *
 * <p>{@link io.feedline.examples.training.ClassifySentences}, {@link
 * io.feedline.examples.training.ClassifySounds}, {@link
 * io.feedline.examples.training.ClassifyVideos}, {@link
 * io.feedline.examples.training.ForecastLoad}, {@link io.feedline.examples.training.PackText},
 * {@link io.feedline.examples.training.PredictPrices} and {@link
 * io.feedline.examples.training.SharpenImages} are as short as possible. {@link
 * io.feedline.examples.training.StreamText} streams and packs texts out of compressed JSON lines.
 * {@link io.feedline.examples.training.EasyTrainWithFeedline} gives a loader to DJL's own training
 * loop. {@link io.feedline.examples.training.TrainResNet50}, {@link
 * io.feedline.examples.training.TrainSuperResolution}, {@link
 * io.feedline.examples.training.TrainSegmentation} and {@link
 * io.feedline.examples.training.TrainDetection} have loops of their own, and report where the time
 * goes, in the terms of PyTorch's ImageNet script. Other classes have one part of a run each:
 * options, data, network, loop, checkpoints.
 */
package io.feedline.examples.training;
