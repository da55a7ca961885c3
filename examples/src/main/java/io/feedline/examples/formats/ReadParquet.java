package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.table.TableImages;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads images from Parquet, as Hugging Face's datasets writes them: {@code ReadParquet [DIR]},
 * where DIR gets a small file that pyarrow wrote.
 */
public final class ReadParquet {
  private ReadParquet() {}

  /** Prints the first batch of a shuffled epoch, and of an epoch that reads row groups together. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path file = Files.createDirectories(directory).resolve("textures.parquet");
    if (!Files.exists(file)) {
      try (InputStream made = ReadParquet.class.getResourceAsStream("textures.parquet")) {
        Files.copy(made, file);
      }
    }

    // Random order is fine here. A page has many images, and is decompressed as a whole. If not all
    // pages fit into the cache, use an order that reads the rows of a group together.
    try (ImageDataset textures = TableImages.of(file)) {
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(textures.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .shuffle(true)
              .build()) {
        FirstBatch.print("shuffled", loader);
      }

      ShardedSampler byRowGroup = ShardedSampler.of(textures.store().shardSizes(), 2, 0);
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(textures.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .sampler(byRowGroup)
              .build()) {
        FirstBatch.print("shuffled shard by shard", loader);
      }
    }
  }
}
