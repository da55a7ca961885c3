package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.Interpolation;

/** The weights of the pixels around a new one, for each {@link Interpolation}; Pillow's. */
enum Filter {
  NEAREST(0) {
    @Override
    double weight(double x) {
      throw new AssertionError("NEAREST picks a pixel and weighs none");
    }
  },
  BOX(0.5) {
    @Override
    double weight(double x) {
      return x > -0.5 && x <= 0.5 ? 1 : 0;
    }
  },
  BILINEAR(1) {
    @Override
    double weight(double x) {
      double distance = Math.abs(x);
      return distance < 1 ? 1 - distance : 0;
    }
  },
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
  LANCZOS(3) {
    @Override
    double weight(double x) {
      return -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
  },
  HAMMING(1) {
    @Override
    double weight(double x) {
      double distance = Math.abs(x);
      if (distance == 0 || distance >= 1) {
        return distance == 0 ? 1 : 0;
      }
      // Pillow's constants are floats, which decides the last bit.
      return sinc(distance) * (0.54f + 0.46f * StrictMath.cos(distance * Math.PI));
    }
  };

  private static final double KEYS = -0.5;

  private final double support;

  Filter(double support) {
    this.support = support;
  }

  /** Returns the filter of an interpolation. */
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

  /**
   * Returns the distance that the filter reaches from its center, in pixels of an image that is not
   * shrunk.
   */
  double support() {
    return support;
  }

  /** Returns the weight of a pixel at distance {@code x}, not normalized. */
  abstract double weight(double x);

  private static double sinc(double x) {
    if (x == 0) {
      return 1;
    }
    double angle = x * Math.PI;
    // Not Math.sin: the result must not depend on the machine.
    return StrictMath.sin(angle) / angle;
  }
}
