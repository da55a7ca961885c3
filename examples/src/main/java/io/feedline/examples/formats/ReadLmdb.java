package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.lmdb.LmdbDataset;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from an LMDB database: {@code ReadLmdb [DIR]}, where DIR keeps the generated files.
 * Databases of BasicSR, Caffe and PyTorch's folder2lmdb open in the same way.
 */
public final class ReadLmdb {
  private ReadLmdb() {}

  /** Packs a folder, and prints the first batch of a shuffled epoch. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Path packed = images.pack("lmdb", images.directory().resolve("train.lmdb"), images.packing());

    try (ImageDataset dataset = LmdbDataset.images(packed);
        DataLoader<LabeledImage> loader =
            DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
                .batchSize(32)
                .shuffle(true)
                .build()) {
      FirstBatch.print("shuffled", loader);
    }
  }
}
