package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/** The transform of {@link Resize#random}. */
record RandomResize(int minEdge, int maxEdge, Interpolation interpolation)
    implements RandomTransform<Image, Image> {

  RandomResize {
    Sizes.check("minEdge", minEdge);
    if (minEdge >= maxEdge) {
      throw new IllegalArgumentException(
          "maxEdge must be more than minEdge, %d, was %d".formatted(minEdge, maxEdge));
    }
    interpolation.checkAntialias(true);
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    int edge = minEdge + Draw.below(random, maxEdge - minEdge);
    return Resize.of(edge).withInterpolation(interpolation).apply(image);
  }

  @Override
  public String toString() {
    return "RandomResize(minEdge=%d, maxEdge=%d, interpolation=%s)"
        .formatted(minEdge, maxEdge, interpolation);
  }
}
