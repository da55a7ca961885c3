package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.data.IterableDataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.webdataset.ImageFields;
import io.feedline.formats.webdataset.WebDataset;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from WebDataset's tar files, in any order and as a stream: {@code ReadWebDataset
 * [DIR]}, where DIR keeps the generated files.
 */
public final class ReadWebDataset {
  private ReadWebDataset() {}

  /** Packs a folder into four shards; prints the first batch in each of three ways to read them. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Packing packing = images.packing().withShards(4);
    Path packed = images.pack("webdataset", images.directory().resolve("webdataset"), packing);
    String shards = packed + "/data-{000000..000003}.tar";

    try (ImageDataset dataset = WebDataset.images(shards).build()) {
      // Random order. The headers are scanned once; an index beside each shard keeps the result.
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .shuffle(true)
              .build()) {
        FirstBatch.print("shuffled", loader);
      }

      // Two shards at a time, each once in an epoch: for disks and networks that read sequentially
      // faster.
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .sampler(ShardedSampler.of(dataset.store().shardSizes(), 2, 0))
              .build()) {
        FirstBatch.print("shuffled shard by shard", loader);
      }
    }

    // Sequential, as in Python's webdataset: needs no index, and reads .tar.gz, too.
    ImageFields fields = ImageFields.DEFAULT;
    IterableDataset<LabeledImage> stream =
        WebDataset.builder(shards).fields(fields::contains).stream().map(fields::labeledImage);
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
