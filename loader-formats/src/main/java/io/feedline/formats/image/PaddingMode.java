package io.feedline.formats.image;

import java.util.Locale;

/** What an image is surrounded with, in torchvision's words. */
public enum PaddingMode {
  /** One color. */
  CONSTANT,
  /** The pixel at the edge, over and over. */
  EDGE,
  /** The image mirrored at the middle of its last pixel, which is not repeated: 3 2 1 2 3 2 1. */
  REFLECT,
  /** The image mirrored at its edge, so that the last pixel is repeated: 2 1 1 2 3 3 2. */
  SYMMETRIC;

  /**
   * Which pixel of a row stands at a position inside or outside of it; for all modes but {@link
   * #CONSTANT}, which has none.
   *
   * @param position counted from the row's first pixel
   * @param size the length of the row
   */
  int position(int position, int size) {
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

  /** The name in lower case, as torchvision writes it: for example {@code reflect}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
