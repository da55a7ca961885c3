package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Splits images at random into a training and a validation part, with different transforms: {@code
 * SplitAndTransform [PATH]}. PATH is any store that Feedline reads: a folder of classes, a
 * database, an archive, a shard or a directory of shards. By default it is a generated folder.
 */
public final class SplitAndTransform {
  private SplitAndTransform() {}

  /** Prints the first batch of each part. */
  public static void main(String[] args) throws IOException {
    Path path = args.length == 0 ? SmallImages.of().folder().path() : Path.of(args[0]);
    try (ImageDataset images = ImageDataset.open(path)) {
      System.out.printf("%s: %d images%n", images.name(), images.size());
      List<ImageDataset> parts = images.split(new double[] {0.8, 0.2}, 0);
      ImageDataset train =
          parts
              .get(0)
              .withTransform(
                  RandomResizedCrop.of(64)
                      .andThen(RandomHorizontalFlip.of())
                      .andThen(Normalize.imagenet()));
      ImageDataset val =
          parts
              .get(1)
              .withTransform(
                  Resize.of(72).andThen(CenterCrop.of(64)).andThen(Normalize.imagenet()));
      print("train", train, true);
      print("val", val, false);
    }
  }

  private static void print(String part, ImageDataset images, boolean shuffle) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images).batchSize(16).shuffle(shuffle).build()) {
      FirstBatch.print(part + ", " + images.size() + " images", loader);
    }
  }
}
