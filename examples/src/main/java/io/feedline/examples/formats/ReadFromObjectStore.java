package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.LocalObjectStore;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;

/**
 * Reads a folder of images from an object store, through a cache on the local disk: {@code
 * ReadFromObjectStore [DIR]}, where DIR keeps the generated files and the cache. The object store
 * runs in this process, on another port in each run. A cache identifies objects by server, bucket,
 * key and version, so a later run reads the objects again; with a permanent server it would find
 * them in the cache.
 */
public final class ReadFromObjectStore {
  private ReadFromObjectStore() {}

  /** Uploads images, and prints a batch, and the number of images in two epochs. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    try (LocalObjectStore server = new LocalObjectStore()) {
      server.put("pictures", "train", images.directory().resolve("train"));

      // With AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, ... in the environment this would
      // be Path.of(URI.create("s3://pictures/train")).
      try (FileSystem store =
          RemoteFileSystem.s3("pictures")
              .endpoint(server.endpoint())
              .credentials(() -> LocalObjectStore.CREDENTIALS)
              .build()) {
        Path train = store.getPath("train");
        try (ImageDataset dataset = ImageDataset.open(train);
            DataLoader<LabeledImage> loader = loader(dataset)) {
          FirstBatch.print("from " + train.toUri(), loader);
        }

        // The first epoch reads from the server, later epochs and later runs read from the disk.
        DiskCache cache =
            DiskCache.at(images.directory().resolve("cache")).cacheBytes(64L << 20).build();
        Path cached = cache.inFrontOf(train);
        FileSystem throughCache = cached.getFileSystem(); // closing it writes all to the cache
        try (throughCache;
            ImageDataset dataset = ImageDataset.open(cached);
            DataLoader<LabeledImage> loader = loader(dataset)) {
          for (int epoch = 0; epoch < 2; epoch++) {
            long samples = 0;
            for (Batch batch : loader) {
              try (batch) {
                samples += batch.size();
              }
            }
            System.out.println("epoch %d through a cache: %d images".formatted(epoch, samples));
          }
        }
      }
    }
  }

  private static DataLoader<LabeledImage> loader(ImageDataset dataset) {
    return DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
        .batchSize(32)
        .numWorkers(2)
        .shuffle(true)
        .build();
  }
}
