package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.data.IterableDataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from TFRecord files with ImageNet's features: {@code ReadTfRecord [DIR]}, where DIR
 * keeps the generated files.
 */
public final class ReadTfRecord {
  private ReadTfRecord() {}

  /** Packs a folder into four shards; prints the first batch in each of three ways to read them. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Packing packing = images.packing().withShards(4);
    Path packed = images.pack("tfrecord", images.directory().resolve("tfrecord"), packing);
    Path shards = packed.resolve("data-*");

    try (ImageDataset dataset = TfRecordDataset.images(shards).build()) {
      // Random order. The files are scanned once; an index beside them keeps the result.
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .shuffle(true)
              .build()) {
        FirstBatch.print("shuffled", loader);
      }

      // Two files at a time, each once in an epoch: for disks and networks that read sequentially
      // faster.
      Sampler order = ShardedSampler.of(dataset.store().shardSizes(), 2, 0);
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .sampler(order)
              .build()) {
        FirstBatch.print("shuffled shard by shard", loader);
      }
    }

    // Sequential: needs no index, and reads compressed files, too.
    IterableDataset<LabeledImage> stream = TfRecordDataset.images(shards).stream();
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(stream.map(TrainingData.trainSample(64)))
            .batchSize(32)
            .shuffleShards(true)
            .interleave(2)
            .shuffleBuffer(40)
            .build()) {
      FirstBatch.print("streamed", loader);
    }
  }
}
