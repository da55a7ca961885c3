package io.feedline.formats.image.transform;

import io.feedline.formats.image.pixel.Interpolation;
import java.util.Objects;

/**
 * The options that all transforms have which warp an image; not thread-safe.
 *
 * @param <B> the builder itself
 */
abstract class WarpOptions<B extends WarpOptions<B>> {
  private Interpolation interpolation;
  private int fill = Fill.BLACK;

  /** The options of transforms that take the nearest pixel by default. */
  WarpOptions() {
    this(Interpolation.NEAREST);
  }

  WarpOptions(Interpolation defaultFilter) {
    this.interpolation = defaultFilter;
  }

  @SuppressWarnings("unchecked")
  final B self() {
    return (B) this;
  }

  /**
   * Sets the filter: nearest, bilinear or bicubic, which {@code build} checks. torchvision's by
   * default: {@link Interpolation#BILINEAR} for perspective and elastic transforms and AugMix, else
   * {@link Interpolation#NEAREST}.
   */
  public final B interpolation(Interpolation filter) {
    this.interpolation = Objects.requireNonNull(filter, "interpolation");
    return self();
  }

  /**
   * Sets the color where there is no image; black by default.
   *
   * @param red from 0 to 255
   * @param green from 0 to 255
   * @param blue from 0 to 255
   * @throws IllegalArgumentException if one of them is not within 0 to 255
   */
  public final B fill(int red, int green, int blue) {
    this.fill = Fill.of(red, green, blue);
    return self();
  }

  /**
   * Returns the chosen warp.
   *
   * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic
   */
  final Warp warp() {
    return new Warp(interpolation, fill);
  }

  /**
   * The options of transforms that warp around a point.
   *
   * @param <B> the builder itself
   */
  abstract static class Centered<B extends Centered<B>> extends WarpOptions<B> {
    private boolean centered;
    private double centerX;
    private double centerY;

    /**
     * Sets the point that stays in its place, in pixels from the upper left corner; the middle of
     * the image by default.
     */
    public final B center(double x, double y) {
      this.centered = true;
      this.centerX = x;
      this.centerY = y;
      return self();
    }

    final boolean isCentered() {
      return centered;
    }

    final double centerX() {
      return centerX;
    }

    final double centerY() {
      return centerY;
    }
  }
}
