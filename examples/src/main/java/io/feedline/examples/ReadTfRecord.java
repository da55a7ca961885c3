package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.IterableDataset;
import io.feedline.formats.image.LabeledImage;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.tfrecord.TfRecordPictureSink;
import io.feedline.formats.tfrecord.TfRecordPictures;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.ShardedSampler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * Reads pictures from TFRecord files with ImageNet's features: {@code ReadTfRecord [DIR]}, where
 * DIR keeps what is generated.
 */
public final class ReadTfRecord {
  private ReadTfRecord() {}

  /** Packs a folder into four shards, and prints the first batch of three ways to read them. */
  public static void main(String[] args) throws IOException {
    SmallPictures pictures = SmallPictures.of(args);
    Path base = pictures.directory().resolve("tfrecord").resolve("train");
    pictures.packInto(
        () ->
            TfRecordPictureSink.builder(base)
                .shards(4, pictures.folder().size())
                .classes(pictures.folder().classes())
                .build());
    Path shards = base.resolveSibling("train-*");

    try (TfRecordPictures dataset = TfRecordPictures.of(shards)) {
      // Any order. The files are scanned once; an index beside them remembers that.
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .shuffle(true)
              .build()) {
        FirstBatch.print("shuffled", loader);
      }

      // Two files at a time, each once an epoch: for disks and networks that like it in order.
      TfRecordDataset records = dataset.records();
      long[] shardSizes =
          IntStream.range(0, records.shards()).mapToLong(records::shardSize).toArray();
      Sampler order = ShardedSampler.of(shardSizes, 2, 0);
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
              .batchSize(32)
              .sampler(order)
              .build()) {
        FirstBatch.print("shuffled shard by shard", loader);
      }
    }

    // From front to back: no index, and compressed files too.
    IterableDataset<LabeledImage> stream = TfRecordPictures.builder(shards).stream();
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
