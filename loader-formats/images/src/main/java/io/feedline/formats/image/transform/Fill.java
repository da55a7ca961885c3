package io.feedline.formats.image.transform;

import java.util.Locale;

/** A color for pixels from outside the image, 0 to 255 a channel. */
record Fill(int red, int green, int blue) {
  static final Fill BLACK = new Fill(0, 0, 0);

  Fill {
    if (((red | green | blue) & ~0xFF) != 0) {
      throw new IllegalArgumentException(
          "fill must be 0 to 255 for red, green and blue, was %d, %d, %d"
              .formatted(red, green, blue));
    }
  }

  int rgb() {
    return red << 16 | green << 8 | blue;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "#%06x", rgb());
  }
}
