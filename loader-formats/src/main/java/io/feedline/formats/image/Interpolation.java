package io.feedline.formats.image;

import java.util.Locale;

/**
 * The filter by which a resized image's pixels are computed from the original's: Pillow's filters,
 * with its names. When an image shrinks, all of them but {@link #NEAREST} widen with the reduction,
 * so that the result is free of aliasing whatever the filter; torchvision does the same with PIL
 * images. {@link #BILINEAR} can be had without that, see {@code Resize}'s option.
 */
public enum Interpolation {
  /** The one pixel that lies nearest to the center; not antialiased. */
  NEAREST(0) {
    @Override
    double weight(double x) {
      throw new AssertionError("NEAREST picks a pixel and weighs none");
    }
  },
  /** The mean of the pixels below the new pixel. */
  BOX(0.5) {
    @Override
    double weight(double x) {
      return x > -0.5 && x <= 0.5 ? 1 : 0;
    }
  },
  /** Linear in the distance; torchvision's default, and this library's. */
  BILINEAR(1) {
    @Override
    double weight(double x) {
      double distance = Math.abs(x);
      return distance < 1 ? 1 - distance : 0;
    }
  },
  /** The cubic convolution of Keys with a = -0.5. */
  BICUBIC(2) {
    @Override
    double weight(double x) {
      double d = Math.abs(x);
      // The order of these operations is Pillow's: it decides the last bit.
      if (d < 1) {
        return ((KEYS + 2) * d - (KEYS + 3)) * d * d + 1;
      }
      return d < 2 ? (((d - 5) * d + 8) * d - 4) * KEYS : 0;
    }
  },
  /** A sinc windowed by a wider sinc, with three lobes. */
  LANCZOS(3) {
    @Override
    double weight(double x) {
      return -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
  };

  private static final double KEYS = -0.5;

  private final double support;

  Interpolation(double support) {
    this.support = support;
  }

  /**
   * Checks that there is such a filter.
   *
   * @throws IllegalArgumentException if it is not {@link #BILINEAR} and shall not be antialiased
   */
  public void checkAntialias(boolean antialias) {
    if (!antialias && this != BILINEAR) {
      throw new IllegalArgumentException(
          "antialias(false) goes with bilinear interpolation, was " + this);
    }
  }

  /** How far from its center the filter reaches, in pixels of an image that is not shrunk. */
  double support() {
    return support;
  }

  /** The weight of a pixel at distance {@code x}, not normalized. */
  abstract double weight(double x);

  private static double sinc(double x) {
    if (x == 0) {
      return 1;
    }
    double angle = x * Math.PI;
    // Not Math.sin: the result must not depend on the machine.
    return StrictMath.sin(angle) / angle;
  }

  /** Returns the name in lower case, as torchvision prints it: for example {@code bilinear}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
