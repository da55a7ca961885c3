package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Draw;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that cuts the same random square out of both images of a pair: {@code size}
 * pixels wide and high in the low one, {@code size * scale} in the high one, at {@code scale} times
 * the position. Both are decoded only there. As BasicSR's {@code paired_random_crop}, it draws the
 * upper row, then the left column, in pixels of the low image. Immutable and thread-safe.
 */
public final class RandomPairCrop implements RandomTransform<ImagePair, ImagePair> {
  private final int size;
  private final RandomTransform<ImagePair, ImagePair> both;

  private RandomPairCrop(int size) {
    this.size = Sizes.check("size", size);
    this.both = JointTransform.of(this::crop);
  }

  /**
   * Returns the crop to a square.
   *
   * @param size its side in pixels of the low image, 48 for example
   * @throws IllegalArgumentException if it is less than 1
   */
  public static RandomPairCrop of(int size) {
    return new RandomPairCrop(size);
  }

  /** Returns the square's side in pixels of the low image. */
  public int size() {
    return size;
  }

  /**
   * Cuts a square out of both.
   *
   * @throws IllegalArgumentException if the low image is smaller; the message names it
   */
  @Override
  public ImagePair apply(ImagePair pair, RandomGenerator random) throws Exception {
    return both.apply(pair, random);
  }

  private Image crop(Image low, RandomGenerator random) {
    if (low.width() < size || low.height() < size) {
      throw new IllegalArgumentException(
          "%s is %d x %d, too small for a crop of %d x %d"
              .formatted(low.description(), low.width(), low.height(), size, size));
    }
    int y = Draw.below(random, low.height() - size + 1);
    int x = Draw.below(random, low.width() - size + 1);
    return low.crop(new Region(x, y, size, size));
  }

  @Override
  public String toString() {
    return "RandomPairCrop(size=%d)".formatted(size);
  }
}
