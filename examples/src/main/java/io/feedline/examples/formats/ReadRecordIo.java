package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.recordio.RecordIoDataset;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads images from a RecordIO file, as MXNet's im2rec packs them: {@code ReadRecordIo [DIR]},
 * where DIR keeps the generated files. If the index {@code data.idx} exists beside {@code
 * data.rec}, it is used; otherwise the file is scanned once.
 */
public final class ReadRecordIo {
  private ReadRecordIo() {}

  /** Packs a folder, and prints the first batch of a shuffled epoch. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Path packed = images.pack("recordio", images.directory().resolve("recordio"), images.packing());

    try (ImageDataset dataset = RecordIoDataset.images(packed.resolve("data.rec")).build();
        DataLoader<LabeledImage> loader =
            DataLoader.builder(dataset.withTransform(TrainingData.trainTransform(64)))
                .batchSize(32)
                .shuffle(true)
                .build()) {
      FirstBatch.print("shuffled", loader);
    }
  }
}
