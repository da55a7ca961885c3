/**
 * Small programs that show Feedline at work, and the training runs that they lead to.
 *
 * <p>{@link io.feedline.examples.QuickStart} reads a folder of images in batches, {@link
 * io.feedline.examples.SplitAndTransform} splits images of any format and transforms each part in
 * its own way, {@link io.feedline.examples.MixedBatches} augments them further. {@link
 * io.feedline.examples.SmallData} has what small data sets ask for. {@link
 * io.feedline.examples.PackImages} packs them into any format, and each {@code Read} program reads
 * one packed format, in every way that the format recommends: {@link
 * io.feedline.examples.ReadLmdb}, {@link io.feedline.examples.ReadTfRecord}, {@link
 * io.feedline.examples.ReadRecordIo}, {@link io.feedline.examples.ReadWebDataset}, {@link
 * io.feedline.examples.ReadMds}, {@link io.feedline.examples.ReadZip}, {@link
 * io.feedline.examples.ReadHdf5}. {@link io.feedline.examples.ReadFromObjectStore} reads from a
 * server of S3's API, through a cache. {@link io.feedline.examples.NormalizeOnDevice} sends images
 * to the device as bytes. {@link io.feedline.examples.EasyTrainWithFeedline} gives a loader to
 * DJL's own training loop. {@link io.feedline.examples.TrainResNet50}, {@link
 * io.feedline.examples.TrainSuperResolution}, {@link io.feedline.examples.TrainSegmentation} and
 * {@link io.feedline.examples.TrainDetection} train networks with loops of their own and tell where
 * the time goes, in the terms of PyTorch's ImageNet script.
 *
 * <p>{@link io.feedline.examples.FromPyTorch}, {@link io.feedline.examples.FromDjl}, {@link
 * io.feedline.examples.Recipes}, {@link io.feedline.examples.ClassifySentences}, {@link
 * io.feedline.examples.PackText} and {@link io.feedline.examples.SharpenImages} are the code of the
 * pages beside this module's README: translations, the guide and tutorials. What a page shows must
 * occur in a program; a test looks.
 *
 * <p>Each program is a class with a {@code main}; the classes beside them hold one part of the
 * training runs each: options, data, network, loop, checkpoints. Every program is run by a test.
 *
 * <p>To add a program for a format, copy the nearest {@code Read} program: {@code SmallImages}
 * makes and packs the images, {@code FirstBatch} prints.
 */
package io.feedline.examples;
