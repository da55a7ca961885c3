package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.batch.BatchTransform;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.transform.RandomTransform;
import java.io.IOException;

/**
 * Changes colors, and a whole batch, by transforms of your own: {@code OwnTransforms [DIR]}, where
 * DIR keeps the generated images.
 */
public final class OwnTransforms {
  private OwnTransforms() {}

  /**
   * Makes an image warmer: more red, less blue.
   *
   * @param by the number that is added to red and subtracted from blue, in levels from 0 to 255
   */
  private record Warmer(int by) implements PixelOperation {

    @Override
    public boolean isPointwise() {
      return true; // only the crop is decoded
    }

    @Override
    public void apply(byte[] rgb, int width, int height) {
      for (int i = 0; i < 3 * width * height; i += 3) {
        rgb[i] = (byte) Math.min(255, (rgb[i] & 0xFF) + by);
        rgb[i + 2] = (byte) Math.max(0, (rgb[i + 2] & 0xFF) - by);
      }
    }
  }

  /** Prints the first batch. */
  public static void main(String[] args) throws IOException {
    RandomTransform<Image, Image> warmer =
        (image, random) -> image.map(new Warmer(random.nextInt(30)));
    Dataset<LabeledImage> dataset =
        SmallImages.of(args).folder().withTransform(warmer.andThen(RandomResizedCrop.of(64)));
    // A transform that blackens the same column in all images of the batch.
    BatchTransform blackColumn =
        (batch, random) -> {
          long column = random.nextInt(64);
          for (int row = 0; row < batch.valid(); row++) {
            batch.fill("image", row, new long[] {0, 0, column}, new long[] {3, 64, column + 1}, 0);
          }
        };
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSize(8).batchTransform(blackColumn).build()) {
      FirstBatch.print("own", loader);
    }
  }
}
