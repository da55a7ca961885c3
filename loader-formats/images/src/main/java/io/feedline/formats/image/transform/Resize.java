package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * A transform that scales images: to a given length of the shorter edge, keeping the aspect ratio,
 * or to a given height and width. It gives the same sizes and pixels as torchvision's Resize for
 * PIL images, which are always antialiased. Immutable and thread-safe.
 */
public final class Resize implements Transform<Image, Image> {
  /** 0 where the shorter edge decides. */
  private final int height;

  private final int width;
  private final int shorterEdge;
  private final int maxSize;
  private final Scaling scaling;

  private Resize(Builder builder) {
    this.height = builder.height;
    this.width = builder.width;
    this.shorterEdge = builder.shorterEdge;
    this.maxSize = builder.maxSize;
    this.scaling = builder.scaling();
  }

  /**
   * Returns the transform to this length of the shorter edge, in pixels, bilinear. The longer edge
   * keeps the aspect ratio; its fraction of a pixel is cut off.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public static Resize of(int shorterEdge) {
    return builder(shorterEdge).build();
  }

  /**
   * Returns the transform to this size, bilinear, whatever the aspect ratio.
   *
   * @param height rows, first as everywhere in torchvision
   * @param width columns
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Resize of(int height, int width) {
    return builder(height, width).build();
  }

  /**
   * Returns the random transform to a length of the shorter edge that it draws, bilinear:
   * RandomResize of torchvision's v2. All lengths are equally likely; {@code maxEdge} itself does
   * not come, as there.
   *
   * @param minEdge the smallest length, 1 or more
   * @param maxEdge one more than the largest length
   * @throws IllegalArgumentException unless {@code 1 <= minEdge < maxEdge}
   */
  public static RandomTransform<Image, Image> random(int minEdge, int maxEdge) {
    return random(minEdge, maxEdge, Interpolation.BILINEAR);
  }

  /**
   * Returns the random transform of {@link #random(int, int)} with another filter.
   *
   * @param minEdge the smallest length, 1 or more
   * @param maxEdge one more than the largest length
   * @param interpolation the filter
   * @throws IllegalArgumentException unless {@code 1 <= minEdge < maxEdge}
   */
  public static RandomTransform<Image, Image> random(
      int minEdge, int maxEdge, Interpolation interpolation) {
    Sizes.check("minEdge", minEdge);
    if (minEdge >= maxEdge) {
      throw new IllegalArgumentException(
          "maxEdge must be more than minEdge, %d, was %d".formatted(minEdge, maxEdge));
    }
    return new ToRandomEdge(minEdge, maxEdge, new Scaling(interpolation, true));
  }

  /** See {@link #random}. */
  private record ToRandomEdge(int minEdge, int maxEdge, Scaling scaling)
      implements RandomTransform<Image, Image> {

    @Override
    public Image apply(Image image, RandomGenerator random) {
      int edge = minEdge + Draw.below(random, maxEdge - minEdge);
      return builder(edge).interpolation(scaling.filter()).build().apply(image);
    }

    @Override
    public String toString() {
      return "RandomResize(minEdge=%d, maxEdge=%d, %s)".formatted(minEdge, maxEdge, scaling);
    }
  }

  /**
   * Returns a builder for the length of the shorter edge.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public static Builder builder(int shorterEdge) {
    return new Builder(0, 0, Sizes.check("shorterEdge", shorterEdge));
  }

  /**
   * Returns a builder for a height and a width.
   *
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Builder builder(int height, int width) {
    return new Builder(Sizes.check("height", height), Sizes.check("width", width), 0);
  }

  /**
   * Returns a builder without a size: the longer edge becomes {@link Builder#maxSize}, which must
   * be set. The shorter edge keeps the aspect ratio; its fraction of a pixel is cut off. This is
   * {@code Resize(size=None, max_size=N)} of torchvision's v2.
   */
  public static Builder builder() {
    return new Builder(0, 0, 0);
  }

  /**
   * Returns the length of the shorter edge, or empty where height and width are given, or the
   * longer edge alone.
   */
  public OptionalInt shorterEdge() {
    return optional(shorterEdge);
  }

  /** Returns the given height, or empty where an edge decides. */
  public OptionalInt height() {
    return optional(height);
  }

  /** Returns the given width, or empty where an edge decides. */
  public OptionalInt width() {
    return optional(width);
  }

  /** Returns the length that the longer edge must not exceed; empty without a limit. */
  public OptionalInt maxSize() {
    return optional(maxSize);
  }

  /** Returns the filter. */
  public Interpolation interpolation() {
    return scaling.filter();
  }

  /** Returns whether the filter widens with a reduction; see {@link Builder#antialias}. */
  public boolean antialias() {
    return scaling.antialias();
  }

  private static OptionalInt optional(int size) {
    return size == 0 ? OptionalInt.empty() : OptionalInt.of(size);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the longer edge would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image) {
    if (height != 0) {
      return scaling.resize(image, width, height);
    }
    boolean portrait = image.width() <= image.height();
    long shortSide = portrait ? image.width() : image.height();
    long longSide = portrait ? image.height() : image.width();
    int newShort = shorterEdge;
    int newLong = (int) ((double) (shorterEdge * longSide) / shortSide);
    if (shorterEdge == 0) {
      newShort = Math.max(1, (int) ((double) (maxSize * shortSide) / longSide));
      newLong = maxSize;
    } else if (maxSize != 0 && newLong > maxSize) {
      // torchvision cuts off here too, down to 0 for a very thin image, and then fails.
      newShort = Math.max(1, (int) ((double) ((long) maxSize * newShort) / newLong));
      newLong = maxSize;
    }
    return portrait
        ? scaling.resize(image, newShort, newLong)
        : scaling.resize(image, newLong, newShort);
  }

  @Override
  public String toString() {
    String size =
        height != 0
            ? "height=%d, width=%d".formatted(height, width)
            : shorterEdge == 0 ? "" : "shorterEdge=" + shorterEdge;
    String limit = maxSize == 0 ? "" : (size.isEmpty() ? "" : ", ") + "maxSize=" + maxSize;
    return "Resize(%s%s, %s)".formatted(size, limit, scaling);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends ResizeOptions<Builder> {
    private final int height;
    private final int width;
    private final int shorterEdge;
    private int maxSize;

    private Builder(int height, int width, int shorterEdge) {
      this.height = height;
      this.width = width;
      this.shorterEdge = shorterEdge;
    }

    /**
     * Sets the length that the longer edge must not exceed: an image that would exceed it is scaled
     * to this longer edge, and its shorter edge falls below the requested length. No limit by
     * default. Without a size, each image is scaled to this longer edge.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxSize(int maxSize) {
      this.maxSize = Sizes.check("maxSize", maxSize);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if {@code maxSize} is given together with height and width,
     *     or does not exceed the shorter edge; or if antialiasing is off for a filter other than
     *     bilinear
     */
    public Resize build() {
      if (maxSize == 0 && shorterEdge == 0 && height == 0) {
        throw new IllegalArgumentException("a resize without a size needs maxSize");
      }
      if (maxSize != 0 && height != 0) {
        throw new IllegalArgumentException(
            "maxSize %d goes with a shorter edge, not with a height and a width"
                .formatted(maxSize));
      }
      if (maxSize != 0 && maxSize <= shorterEdge) {
        throw new IllegalArgumentException(
            "maxSize must exceed the shorter edge %d, was %d".formatted(shorterEdge, maxSize));
      }
      return new Resize(this);
    }
  }
}
