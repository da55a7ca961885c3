package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.Optional;

/**
 * A transform that scales images: to a given length of the shorter edge, keeping the aspect ratio,
 * or to a given height and width. The sizes and pixels are those of torchvision's Resize for PIL
 * images, which are always antialiased. Immutable and thread-safe.
 */
public final class Resize extends Transforms.Value implements Transform<Image, Image> {

  private record Options(
      Optional<Size> size,
      Optional<Integer> shorterEdge,
      Optional<Integer> maxSize,
      Interpolation interpolation,
      boolean antialias) {

    Options {
      interpolation.checkAntialias(antialias);
      shorterEdge.ifPresent(edge -> Sizes.check("shorterEdge", edge));
      maxSize.ifPresent(most -> Sizes.check("maxSize", most));
      if (size.isEmpty() && shorterEdge.isEmpty() && maxSize.isEmpty()) {
        throw new IllegalArgumentException("a resize needs a size, a shorter edge or maxSize");
      }
      if (size.isPresent() && shorterEdge.isPresent()) {
        throw new IllegalArgumentException("a resize takes a size or a shorter edge, not both");
      }
      if (size.isPresent() && maxSize.isPresent()) {
        throw new IllegalArgumentException(
            "maxSize %d goes with a shorter edge, not with a height and a width"
                .formatted(maxSize.get()));
      }
      if (shorterEdge.isPresent() && maxSize.isPresent() && maxSize.get() <= shorterEdge.get()) {
        throw new IllegalArgumentException(
            "maxSize must exceed the shorter edge %d, was %d"
                .formatted(shorterEdge.get(), maxSize.get()));
      }
    }
  }

  private final Options options;

  private Resize(Options options) {
    super(options);
    this.options = options;
  }

  private static Resize bilinear(
      Optional<Size> size, Optional<Integer> shorterEdge, Optional<Integer> maxSize) {
    return new Resize(new Options(size, shorterEdge, maxSize, Interpolation.BILINEAR, true));
  }

  /**
   * Returns the transform to this length of the shorter edge, 1 or more, in pixels, bilinear. The
   * longer edge follows from the aspect ratio; its fraction of a pixel is cut off.
   */
  public static Resize of(int shorterEdge) {
    return bilinear(Optional.empty(), Optional.of(shorterEdge), Optional.empty());
  }

  /** Returns the scaling to {@code height} rows and {@code width} columns, 1 or more; bilinear. */
  public static Resize of(int height, int width) {
    return bilinear(Optional.of(new Size(height, width)), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the transform to this length of the longer edge, 1 or more, in pixels, bilinear: {@code
   * Resize(size=None, max_size=N)} of torchvision's v2. The shorter edge follows from the aspect
   * ratio; its fraction of a pixel is cut off.
   */
  public static Resize ofLongerEdge(int longerEdge) {
    return bilinear(Optional.empty(), Optional.empty(), Optional.of(longerEdge));
  }

  /**
   * Returns the transform to a random length of the shorter edge, bilinear: RandomResize of
   * torchvision's v2. All lengths from {@code minEdge}, 1 or more, to {@code maxEdge - 1} are
   * equally likely, as in torchvision.
   */
  public static RandomTransform<Image, Image> random(int minEdge, int maxEdge) {
    return random(minEdge, maxEdge, Interpolation.BILINEAR);
  }

  /** Returns the random transform of {@link #random(int, int)} with another filter. */
  public static RandomTransform<Image, Image> random(
      int minEdge, int maxEdge, Interpolation interpolation) {
    return new RandomResize(minEdge, maxEdge, interpolation);
  }

  /**
   * Returns the same transform with a limit of the longer edge, above the length of the shorter
   * edge. An image whose longer edge would exceed the limit is scaled to a longer edge of this
   * length; its shorter edge is then shorter than requested.
   */
  public Resize withMaxSize(int maxSize) {
    return with("maxSize", Optional.of(maxSize));
  }

  /** Returns the same transform with another filter; {@link Interpolation#BILINEAR} by default. */
  public Resize withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /**
   * Returns the same transform with or without antialiasing. With antialiasing, the default, the
   * filter widens when the image shrinks, so that every pixel of the original counts; torchvision
   * always does this for PIL images, and for tensors by default. Without antialiasing, which only
   * the bilinear filter allows, each new pixel is computed from the four pixels around its center.
   * This is faster, since other rows are not read, but small details flicker. The result then
   * differs by at most 1 from torchvision's {@code resize} of an 8-bit tensor with {@code
   * antialias=False}.
   */
  public Resize withAntialias(boolean antialias) {
    return with("antialias", antialias);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the longer edge would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image) {
    if (options.size.isPresent()) {
      return resized(image, options.size.get().width(), options.size.get().height());
    }
    boolean portrait = image.width() <= image.height();
    long shortSide = portrait ? image.width() : image.height();
    long longSide = portrait ? image.height() : image.width();
    int shorterEdge = options.shorterEdge.orElse(0);
    int maxSize = options.maxSize.orElse(0);
    int newShort = shorterEdge;
    int newLong = (int) ((double) (shorterEdge * longSide) / shortSide);
    if (shorterEdge == 0) {
      newShort = Math.max(1, (int) ((double) (maxSize * shortSide) / longSide));
      newLong = maxSize;
    } else if (maxSize != 0 && newLong > maxSize) {
      // torchvision also cuts off the fraction, and fails if a very thin image's side becomes 0.
      newShort = Math.max(1, (int) ((double) ((long) maxSize * newShort) / newLong));
      newLong = maxSize;
    }
    return portrait ? resized(image, newShort, newLong) : resized(image, newLong, newShort);
  }

  private Image resized(Image image, int width, int height) {
    return image.resize(width, height, options.interpolation, options.antialias);
  }
}
