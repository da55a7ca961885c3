package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads a folder of images in batches: {@code QuickStart DIR}, with images in {@code DIR/CLASS}.
 */
public final class QuickStart {
  private QuickStart() {}

  /** Prints what is in each batch of one epoch. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("Usage: QuickStart DIR, with images in DIR/CLASS/*.jpg");
      return;
    }
    Dataset<LabeledImage> dataset =
        ImageFolder.of(Path.of(args[0]))
            .withTransform(
                RandomResizedCrop.of(224)
                    .andThen(RandomHorizontalFlip.of())
                    .andThen(Normalize.imagenet()));
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSize(32).shuffle(true).build()) {
      for (Batch batch : loader) {
        try (batch) {
          System.out.println(batch.tensor("image") + " " + batch.tensor("label"));
        }
      }
    }
  }
}
