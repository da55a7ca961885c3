package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random transform that scales an image so that its shorter edge has one of several lengths, and
 * keeps the aspect ratio: RandomShortestSize of torchvision's v2.
 *
 * <p>Draws one number, for the length. Fractions of a pixel are cut off. A side of 0 pixels becomes
 * one pixel; torchvision fails for such a side. Immutable and thread-safe.
 */
public final class RandomShortestSize extends Transforms.Value
    implements RandomTransform<Image, Image> {

  @SuppressWarnings("ArrayRecordComponent") // Transforms.Value compares the elements.
  private record Options(
      int[] minSizes, Optional<Integer> maxSize, Interpolation interpolation, boolean antialias) {
    Options {
      minSizes = minSizes.clone();
      if (minSizes.length == 0) {
        throw new IllegalArgumentException("minSizes must have a length of the shorter edge");
      }
      for (int size : minSizes) {
        Sizes.check("minSizes", size);
      }
      maxSize.ifPresent(most -> Sizes.check("maxSize", most));
      interpolation.checkAntialias(antialias);
    }
  }

  private final Options options;

  private RandomShortestSize(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform that draws one of {@code minSizes}, each 1 or more, as the length of the
   * shorter edge; bilinear, without a limit of the longer edge.
   */
  public static RandomShortestSize of(int... minSizes) {
    return new RandomShortestSize(
        new Options(minSizes, Optional.empty(), Interpolation.BILINEAR, true));
  }

  /**
   * Returns the same transform with a limit of the longer edge, 1 or more. An image whose longer
   * edge would exceed the limit is scaled so that its longer edge has this length. No limit by
   * default.
   */
  public RandomShortestSize withMaxSize(int maxSize) {
    return with("maxSize", Optional.of(maxSize));
  }

  /** Returns the same transform with another filter; {@link Interpolation#BILINEAR} by default. */
  public RandomShortestSize withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with or without antialiasing; see {@link Resize#withAntialias}. */
  public RandomShortestSize withAntialias(boolean antialias) {
    return with("antialias", antialias);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    int minSize = options.minSizes[Draw.below(random, options.minSizes.length)];
    double factor = (double) minSize / Math.min(image.width(), image.height());
    if (options.maxSize.isPresent()) {
      factor =
          Math.min(
              factor, (double) options.maxSize.get() / Math.max(image.width(), image.height()));
    }
    return image.resize(
        length(image.width() * factor),
        length(image.height() * factor),
        options.interpolation,
        options.antialias);
  }

  private static int length(double length) {
    return Math.max(1, (int) length);
  }
}
