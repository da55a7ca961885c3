package io.feedline.examples.gamma;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * The pipeline of {@link GammaByPow} with a table of all 256 results. It computes only the cropped
 * part, since the operation declares that it is pointwise.
 */
public final class GammaByTable implements RandomTransform<Image, Image> {

  private static final RandomTransform<Image, Image> REST =
      RandomResizedCrop.of(64).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());

  @Override
  public Image apply(Image image, RandomGenerator random) throws Exception {
    return REST.apply(image.map(Gamma.of(random.nextDouble(0.7, 1.4))), random);
  }

  private record Gamma(byte[] table) implements PixelOperation {

    static Gamma of(double exponent) {
      byte[] table = new byte[256];
      for (int value = 0; value < table.length; value++) {
        table[value] = GammaByPow.corrected(value, exponent);
      }
      return new Gamma(table);
    }

    @Override
    public boolean isPointwise() {
      return true;
    }

    @Override
    public void apply(byte[] rgb, int width, int height) {
      for (int i = 0; i < 3 * width * height; i++) {
        rgb[i] = table[rgb[i] & 0xFF];
      }
    }
  }
}
