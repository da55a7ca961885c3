package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from a ZIP archive, such as {@code zip -0 -r train.zip cat dog} makes of a folder:
 * {@code ReadZip [DIR]}, where DIR keeps the generated files.
 */
public final class ReadZip {
  private ReadZip() {}

  /** Packs a folder, and prints the first batch of a shuffled epoch. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Path packed = images.pack("zip", images.directory().resolve("train.zip"), images.packing());

    try (ImageDataset dataset = ImageDataset.open(packed);
        DataLoader<LabeledImage> loader =
            DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
                .batchSize(32)
                .shuffle(true)
                .build()) {
      FirstBatch.print("shuffled", loader);
    }
  }
}
