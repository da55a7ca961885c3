package io.feedline.formats.cli.internal.doctor;

import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.batch.HostAllocator;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.sampler.ShardedSampler;
import java.time.Duration;

/**
 * The data and the options of a loader.
 *
 * @param images the images, which are shuffled in each epoch
 * @param readAhead the number of reads in flight ahead of the workers; 0 for the loader's default
 * @param byShards true if the order keeps the images of a shard together
 */
record Loading(
    ImageDataset images,
    PipelineOptions pipeline,
    int batchSize,
    int workers,
    int readAhead,
    boolean byShards,
    HostAllocator memory) {

  /** The largest fraction of broken images; with a user's own pipeline, no image may fail. */
  private static final double MOST_BROKEN = 0.1;

  /** The default number of reads in flight of a loader that reads ahead. */
  static final int READS_AHEAD = 64;

  Loading(ImageDataset images, PipelineOptions pipeline, int batchSize, int workers) {
    this(images, pipeline, batchSize, workers, 0, false, new KeptMemory());
  }

  Loading withImages(ImageDataset other) {
    return new Loading(other, pipeline, batchSize, workers, readAhead, byShards, memory);
  }

  /**
   * Returns the options to load {@code other}, a packed copy of these images: in the order of
   * shards, and with reading ahead, which reads neighboring images together.
   */
  Loading withPacked(ImageDataset other) {
    return new Loading(other, pipeline, batchSize, workers, READS_AHEAD, true, memory);
  }

  Loading withPipeline(PipelineOptions other) {
    return new Loading(images, other, batchSize, workers, readAhead, byShards, memory);
  }

  Loading withBatchSize(int other) {
    return new Loading(images, pipeline, other, workers, readAhead, byShards, memory);
  }

  Loading withWorkers(int other) {
    return new Loading(images, pipeline, batchSize, other, readAhead, byShards, memory);
  }

  Loading withReadAhead(int reads) {
    return new Loading(images, pipeline, batchSize, workers, reads, byShards, memory);
  }

  int threads() {
    return Math.max(1, workers);
  }

  /**
   * Returns the images a second that a training gets. Without workers, the training's thread loads
   * between its steps, and the GPU, which computes {@code need} images a second, waits meanwhile.
   */
  double trained(double imagesPerSecond, double need) {
    return workers == 0 ? 1 / (1 / imagesPerSecond + 1 / need) : imagesPerSecond;
  }

  DataLoaderBuilder<LabeledImage> options(
      DataLoaderBuilder<LabeledImage> loader, long seed, Duration timeout) {
    loader.batchSize(batchSize).numWorkers(workers).seed(seed).allocator(memory);
    if (workers > 0) {
      loader.timeout(timeout);
    }
    if (!pipeline.isOwn()) {
      loader.errorPolicy(ErrorPolicy.skip().atMostRate(MOST_BROKEN));
    }
    if (readAhead > 0) {
      loader.readAhead(readAhead);
    }
    return byShards
        ? loader.sampler(ShardedSampler.of(images.store().shardSizes(), 1, seed))
        : loader.shuffle(true);
  }
}
