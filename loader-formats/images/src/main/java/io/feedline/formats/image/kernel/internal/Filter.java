package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.Interpolation;

/** The weights in Pillow of source pixels around a new pixel, for each {@link Interpolation}. */
enum Filter {
  NEAREST(0),
  BOX(0.5),
  BILINEAR(1),
  BICUBIC(2),
  LANCZOS(3),
  HAMMING(1);

  private static final double KEYS = -0.5;

  private final double support;

  Filter(double support) {
    this.support = support;
  }

  static Filter of(Interpolation interpolation) {
    return switch (interpolation) {
      case NEAREST -> NEAREST;
      case BOX -> BOX;
      case BILINEAR -> BILINEAR;
      case BICUBIC -> BICUBIC;
      case LANCZOS -> LANCZOS;
      case HAMMING -> HAMMING;
    };
  }

  /** Returns the filter's reach from its center, in source pixels if the image does not shrink. */
  double support() {
    return support;
  }

  double weight(double x) {
    double distance = Math.abs(x);
    return switch (this) {
      case NEAREST -> throw new AssertionError("NEAREST picks a pixel and weighs none");
      case BOX -> x > -0.5 && x <= 0.5 ? 1 : 0;
      case BILINEAR -> distance < 1 ? 1 - distance : 0;
      case BICUBIC -> cubic(distance);
      case LANCZOS -> -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0;
      case HAMMING -> hamming(distance);
    };
  }

  private static double cubic(double d) {
    // The order of these operations is Pillow's: it decides the last bit.
    if (d < 1) {
      return ((KEYS + 2) * d - (KEYS + 3)) * d * d + 1;
    }
    return d < 2 ? (((d - 5) * d + 8) * d - 4) * KEYS : 0;
  }

  private static double hamming(double distance) {
    if (distance == 0 || distance >= 1) {
      return distance == 0 ? 1 : 0;
    }
    // As in Pillow, the constants are floats, which decides the last bit.
    return sinc(distance) * (0.54f + 0.46f * StrictMath.cos(distance * Math.PI));
  }

  private static double sinc(double x) {
    if (x == 0) {
      return 1;
    }
    double angle = x * Math.PI;
    // Not Math.sin: the result must not depend on the machine.
    return StrictMath.sin(angle) / angle;
  }
}
