package io.feedline.examples.gamma;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A training's pipeline with a gamma correction that is easy to write, but slow. It computes a
 * power for each byte of the whole image, since it does not declare that it is pointwise. {@link
 * GammaByTable} makes the same pixels.
 */
public final class GammaByPow implements RandomTransform<Image, Image> {

  private static final RandomTransform<Image, Image> REST =
      RandomResizedCrop.of(64).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());

  @Override
  public Image apply(Image image, RandomGenerator random) throws Exception {
    return REST.apply(image.map(new Gamma(random.nextDouble(0.7, 1.4))), random);
  }

  private record Gamma(double exponent) implements PixelOperation {
    @Override
    public void apply(byte[] rgb, int width, int height) {
      for (int i = 0; i < 3 * width * height; i++) {
        rgb[i] = corrected(rgb[i] & 0xFF, exponent);
      }
    }
  }

  static byte corrected(int value, double exponent) {
    return (byte) Math.round(255 * Math.pow(value / 255.0, exponent));
  }
}
