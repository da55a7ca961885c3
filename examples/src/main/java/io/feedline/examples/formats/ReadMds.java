package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.store.Packing;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from an MDS dataset, the format of MosaicML's streaming: {@code ReadMds [DIR]},
 * where DIR keeps the generated files.
 */
public final class ReadMds {
  private static final int SHARD_BYTES = 1 << 20;

  private ReadMds() {}

  /**
   * Packs a folder into shards of 1 MiB; prints the first batch in each of two ways to read them.
   */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Packing packing = images.packing().withShardBytes(SHARD_BYTES);
    Path packed = images.pack("mds", images.directory().resolve("mds"), packing);

    try (ImageDataset dataset = MdsDataset.images(packed).build()) {
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .shuffle(true)
              .build()) {
        FirstBatch.print("shuffled", loader);
      }

      // Reads two shards at a time, each shard once in an epoch, so a compressed shard is
      // decompressed once.
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .sampler(ShardedSampler.of(dataset.store().shardSizes(), 2, 0))
              .build()) {
        FirstBatch.print("shuffled shard by shard", loader);
      }
    }
  }
}
