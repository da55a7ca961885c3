package io.feedline.bench;

import java.util.Locale;

/** The filters that images are scaled with, as {@code --resize} names them. */
enum ResizeFilter {
  /** Bilinear, as wide as the reduction: what PIL does, and torchvision by default. */
  ANTIALIAS,

  /** Bilinear between the two nearest rows and columns, whatever the reduction. */
  BILINEAR;

  /** The option of the transforms. */
  boolean antialias() {
    return this == ANTIALIAS;
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
