package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Path;

/**
 * Reads an epoch of images from any store through a cache, and converts them to another store:
 * {@code ReadFromAnyStore URI CACHE [TARGET]}, where the URIs are {@code s3://bucket/train}, {@code
 * gs://bucket/train}, {@code az://container/train}, {@code hf://datasets/owner/name/train} or a
 * signed {@code https} address. Credentials come from the environment.
 */
public final class ReadFromAnyStore {
  private ReadFromAnyStore() {}

  /** Prints the number of images in the epoch, and the stores that were written. */
  public static void main(String[] args) throws IOException {
    Path train = Path.of(URI.create(args[0]));
    DiskCache cache = DiskCache.at(Path.of(args[1])).cacheBytes(1L << 30).build();
    Path cached = cache.inFrontOf(train);
    FileSystem throughCache = cached.getFileSystem(); // closing it writes all to the cache
    try (throughCache;
        ImageDataset images = ImageDataset.open(cached);
        DataLoader<LabeledImage> loader =
            DataLoader.builder(images.withTransform(TrainingData.trainTransform(64)))
                .batchSize(8)
                .numWorkers(2)
                .shuffle(true)
                .build()) {
      long samples = 0;
      for (Batch batch : loader) {
        try (batch) {
          samples += batch.size();
        }
      }
      System.out.println("an epoch of " + train + ": " + samples + " images");
    }
    if (args.length > 2) {
      convert(train, Path.of(URI.create(args[2])));
    }
  }

  /** Writes shards as {@code feedline convert} does; they are listed only when all are complete. */
  public static void convert(Path source, Path target) throws IOException {
    try (ImageDataset images = ImageDataset.open(source);
        StoreWriter<EncodedImage> writer =
            StoreFormat.named("webdataset")
                .create(target, Packing.of(images.classes(), images.size()))) {
      for (long i = writer.written(); i < images.size(); i++) {
        writer.write(images.encoded(i));
      }
      writer.commit();
      System.out.println("written to " + target.toUri() + ": " + images.size() + " images");
    }
  }
}
