package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.batch.BatchTransform;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandAugment;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import java.io.IOException;

/**
 * Augments images as today's training recipes do: {@code MixedBatches [DIR]}, where DIR keeps the
 * generated images. Colors, RandAugment and erasing change each image by itself; MixUp and CutMix
 * mix the images of a batch, whose labels become probabilities.
 */
public final class MixedBatches {
  private MixedBatches() {}

  /** Prints the first batch: one label of each image has become a row of probabilities. */
  public static void main(String[] args) throws IOException {
    ImageDataset folder = SmallImages.of(args).folder();
    int classes = folder.classes().size();
    Dataset<LabeledImage> dataset =
        folder.withTransform(
            RandomResizedCrop.of(64)
                .andThen(RandomHorizontalFlip.of())
                .andThen(ColorJitter.of(0.4, 0.4, 0.4, 0.1))
                .andThen(RandAugment.of())
                .andThen(Normalize.imagenet())
                .andThen(RandomErasing.of(0.25)));
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset)
            .batchSize(32)
            .shuffle(true)
            .batchTransform(BatchTransform.oneOf(MixUp.of(classes, 0.2), CutMix.of(classes)))
            .build()) {
      FirstBatch.print("mixed", loader);
    }
  }
}
