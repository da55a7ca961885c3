package io.feedline.formats.image.pixel;

import java.util.Locale;

/** The content of the border around an image, with torchvision's names. */
public enum PaddingMode {
  /** One color. */
  CONSTANT,
  /** The pixel at the edge, repeated. */
  EDGE,
  /** The image mirrored at the center of its last pixel, so not repeating it: 3 2 1 2 3 2 1. */
  REFLECT,
  /** The image mirrored at its edge, so that the last pixel is repeated: 2 1 1 2 3 3 2. */
  SYMMETRIC;

  /**
   * Returns the index, 0 to {@code size - 1}, of the pixel that appears at a position inside or
   * outside a row. Not for {@link #CONSTANT}, which repeats no pixel.
   *
   * @param position the position, counted from the row's first pixel
   * @param size the length of the row, 1 or more
   */
  public int position(int position, int size) {
    if (position >= 0 && position < size) {
      return position;
    }
    switch (this) {
      case EDGE -> {
        return position < 0 ? 0 : size - 1;
      }
      case REFLECT -> {
        int period = Math.max(1, 2 * (size - 1));
        int within = Math.floorMod(position, period);
        return Math.min(within, period - within) % size;
      }
      case SYMMETRIC -> {
        int within = Math.floorMod(position, 2 * size);
        return Math.min(within, 2 * size - 1 - within);
      }
      default -> throw new AssertionError("no pixel stands outside with " + this);
    }
  }

  /** Returns the name in lower case, as torchvision writes it: for example {@code reflect}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
