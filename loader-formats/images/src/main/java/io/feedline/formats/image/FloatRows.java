package io.feedline.formats.image;

import io.feedline.formats.image.pixel.PaddingMode;
import java.util.BitSet;
import java.util.List;

/** The arithmetic and the checks of boxes and points, which are rows of floats. */
final class FloatRows {

  private FloatRows() {}

  static void requireFinite(String what, float[] numbers, int perRow) {
    for (int i = 0; i < numbers.length; i++) {
      if (!Float.isFinite(numbers[i])) {
        throw new IllegalArgumentException(
            "number %d of %s %d is %s, expected a finite one"
                .formatted(i % perRow, what, i / perRow, numbers[i]));
      }
    }
  }

  static void requireCanvas(String what, int width, int height) {
    if (width < 1 || height < 1 || width > Image.MAX_SIDE || height > Image.MAX_SIDE) {
      throw new IllegalArgumentException(
          "%s belong to an image of 1 to %d pixels a side, was %d x %d"
              .formatted(what, Image.MAX_SIDE, width, height));
    }
  }

  static void requireSize(String named, int width, int height, Image image) {
    if (width != image.width() || height != image.height()) {
      throw new IllegalArgumentException(
          "%s: it is %d x %d, the image is %d x %d, and both must be of one size%s"
              .formatted(
                  named,
                  width,
                  height,
                  image.width(),
                  image.height(),
                  image.exifHint(width, height)));
    }
  }

  /**
   * Refuses a border that repeats the image, since it would show objects without boxes or points.
   */
  static void requireConstant(String what, Border border) {
    if (border.mode() != PaddingMode.CONSTANT) {
      throw new IllegalArgumentException(
          "padding with mode %s repeats objects that the %s would not have; use mode constant"
              .formatted(border.mode(), what));
    }
  }

  /** Returns positions or lengths in the scaled image; numbers along x and along y alternate. */
  static float[] scaled(float[] numbers, int width, int height, int newWidth, int newHeight) {
    float alongX = (float) ((double) newWidth / width);
    float alongY = (float) ((double) newHeight / height);
    float[] scaled = new float[numbers.length];
    for (int at = 0; at < numbers.length; at += 2) {
      scaled[at] = numbers[at] * alongX;
      scaled[at + 1] = numbers[at + 1] * alongY;
    }
    return scaled;
  }

  static float[] chained(List<float[]> all) {
    float[] joined = new float[all.stream().mapToInt(numbers -> numbers.length).sum()];
    int to = 0;
    for (float[] numbers : all) {
      System.arraycopy(numbers, 0, joined, to, numbers.length);
      to += numbers.length;
    }
    return joined;
  }

  static float[] kept(float[] numbers, int perRow, BitSet kept) {
    float[] fewer = new float[perRow * kept.cardinality()];
    int to = 0;
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      System.arraycopy(numbers, perRow * i, fewer, to, perRow);
      to += perRow;
    }
    return fewer;
  }
}
