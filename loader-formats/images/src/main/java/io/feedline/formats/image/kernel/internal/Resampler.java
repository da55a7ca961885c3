package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.util.stream.IntStream;

/**
 * A painter of an image, row after row, from left to right. Each pixel may come from anywhere in
 * another image. Pixels from outside the image get one color. Not thread-safe.
 *
 * <p>{@link #pick} and {@link #interpolate} compute as Pillow: in float64, with fractions cut off.
 * {@link #sampleNearest}, {@link #sampleBilinear} and {@link #sampleBicubic} compute as PyTorch's
 * {@code grid_sample}: in float32, rounded, with edges mixed with the color.
 *
 * <p>Samples of 16 bits, one a pixel, follow Pillow's mode I, and PyTorch. A cubic that overshoots
 * is clipped; PyTorch's wraps around.
 */
public final class Resampler {
  private static final int CHANNELS = 3;

  private static final int LARGEST_WIDE = 0xFFFF;

  private static final int TAPS = 4;

  private static final float CUBIC = -0.75f;

  /** Each sample as a float64: a look-up takes a third of the time of a conversion. */
  private static final double[] SAMPLES = IntStream.range(0, 256).asDoubleStream().toArray();

  private final byte[] in;
  private final int width;
  private final int height;
  private final byte[] out;
  private final int fill;

  /** The bits of a sample: 16, with one sample a pixel, or 8, with three samples a pixel. */
  private final int bits;

  private int at;

  /** Begins at the first pixel of {@code out}, a whole image or a part; the fill is 0xRRGGBB. */
  public Resampler(Samples in, Samples out, int bits, int fill) {
    this.bits = bits;
    this.in = in.rgb();
    this.width = in.width();
    this.height = in.height();
    this.out = out.rgb();
    this.fill = PackedRgb.of(fill >> 16 & 0xFF, fill >> 8 & 0xFF, fill & 0xFF);
  }

  /** Returns the filter if Pillow and PyTorch can warp with it; otherwise throws an error. */
  public static Interpolation check(Interpolation filter) {
    return switch (filter) {
      case NEAREST, BILINEAR, BICUBIC -> filter;
      default ->
          throw new IllegalArgumentException(
              "interpolation must be nearest, bilinear or bicubic, was " + filter);
    };
  }

  /** Returns the index of the pixel at a position; -1 for a negative position and for NaN. */
  public static int cut(double position) {
    return position >= 0 ? (int) position : -1;
  }

  private void skip() {
    paint(fill);
  }

  /** Paints the next pixel; the uppermost byte of {@code pixel} is ignored. */
  private void paint(int pixel) {
    PackedRgb.store(pixel, out, at);
    at += CHANNELS;
  }

  public void pick(int x, int y) {
    if (x < 0 || x >= width || y < 0 || y >= height) {
      skip();
    } else {
      paint(PackedRgb.load(in, CHANNELS * (y * width + x)));
    }
  }

  private boolean isOutside(double x, double y) {
    return !(x >= 0 && x < width && y >= 0 && y < height);
  }

  /** Paints the pixel at a position, in pixels from the upper left corner. */
  public void interpolate(double px, double py, Interpolation filter) {
    if (isOutside(px, py)) {
      skip();
      return;
    }
    switch (filter) {
      case BILINEAR -> {
        if (bits == 8) {
          bilinear(px - 0.5, py - 0.5);
        } else {
          wideBilinear(px - 0.5, py - 0.5);
        }
      }
      case BICUBIC -> {
        if (bits == 8) {
          bicubic(px - 0.5, py - 0.5);
        } else {
          wideBicubic(px - 0.5, py - 0.5);
        }
      }
      default -> pick((int) px, (int) py);
    }
  }

  /**
   * Returns the 16-bit sample of a pixel; for a pixel outside, of the nearest pixel in the image.
   */
  private int wide(int x, int y) {
    int column = Math.max(0, Math.min(width - 1, x));
    int row = Math.max(0, Math.min(height - 1, y));
    return PackedRgb.load(in, CHANNELS * (row * width + column)) & LARGEST_WIDE;
  }

  /** Paints the pixel at a position, in pixels from the center of the upper left pixel. */
  private void wideBilinear(double fromX, double fromY) {
    int x = floor(fromX);
    int y = floor(fromY);
    double dx = fromX - x;
    double above = between(wide(x, y), wide(x + 1, y), dx);
    double below = between(wide(x, y + 1), wide(x + 1, y + 1), dx);
    paint((int) between(above, below, fromY - y));
  }

  private void wideBicubic(double fromX, double fromY) {
    int x = floor(fromX);
    int y = floor(fromY);
    double dx = fromX - x;
    double value =
        cubic(
            wideRow(x, y - 1, dx),
            wideRow(x, y, dx),
            wideRow(x, y + 1, dx),
            wideRow(x, y + 2, dx),
            fromY - y);
    paint((int) Math.max(0, Math.min(LARGEST_WIDE, value)));
  }

  private double wideRow(int x, int y, double distance) {
    return cubic(wide(x - 1, y), wide(x, y), wide(x + 1, y), wide(x + 2, y), distance);
  }

  /** Paints the pixel at a position, in pixels from the center of the upper left pixel. */
  private void bilinear(double fromX, double fromY) {
    int x = floor(fromX);
    int y = floor(fromY);
    int left = CHANNELS * Math.max(x, 0);
    int right = CHANNELS * Math.min(x + 1, width - 1);
    int upper = CHANNELS * width * Math.max(y, 0);
    int lower = CHANNELS * width * Math.min(y + 1, height - 1);
    int upperLeft = PackedRgb.load(in, upper + left);
    int upperRight = PackedRgb.load(in, upper + right);
    int lowerLeft = PackedRgb.load(in, lower + left);
    int lowerRight = PackedRgb.load(in, lower + right);
    double dx = fromX - x;
    double dy = fromY - y;
    int pixel = 0;
    for (int shift = 0; shift < Byte.SIZE * CHANNELS; shift += Byte.SIZE) {
      double above = between(sample(upperLeft >> shift), sample(upperRight >> shift), dx);
      double below = between(sample(lowerLeft >> shift), sample(lowerRight >> shift), dx);
      pixel |= (int) between(above, below, dy) << shift;
    }
    paint(pixel);
  }

  /** Returns the largest integer not above a position, which must be above -1. */
  private static int floor(double position) {
    return position < 0 ? -1 : (int) position;
  }

  private static double between(double a, double b, double distance) {
    return a + (b - a) * distance;
  }

  private void bicubic(double fromX, double fromY) {
    int x = floor(fromX);
    int y = floor(fromY);
    double dx = fromX - x;
    double dy = fromY - y;
    int first = CHANNELS * Math.max(x - 1, 0);
    int second = CHANNELS * Math.max(x, 0);
    int third = CHANNELS * Math.min(x + 1, width - 1);
    int fourth = CHANNELS * Math.min(x + 2, width - 1);
    int stride = CHANNELS * width;
    int row0 = stride * Math.max(y - 1, 0);
    int row1 = stride * Math.max(y, 0);
    int row2 = stride * Math.min(y + 1, height - 1);
    int row3 = stride * Math.min(y + 2, height - 1);
    int a0 = PackedRgb.load(in, row0 + first);
    int a1 = PackedRgb.load(in, row0 + second);
    int a2 = PackedRgb.load(in, row0 + third);
    int a3 = PackedRgb.load(in, row0 + fourth);
    int b0 = PackedRgb.load(in, row1 + first);
    int b1 = PackedRgb.load(in, row1 + second);
    int b2 = PackedRgb.load(in, row1 + third);
    int b3 = PackedRgb.load(in, row1 + fourth);
    int c0 = PackedRgb.load(in, row2 + first);
    int c1 = PackedRgb.load(in, row2 + second);
    int c2 = PackedRgb.load(in, row2 + third);
    int c3 = PackedRgb.load(in, row2 + fourth);
    int d0 = PackedRgb.load(in, row3 + first);
    int d1 = PackedRgb.load(in, row3 + second);
    int d2 = PackedRgb.load(in, row3 + third);
    int d3 = PackedRgb.load(in, row3 + fourth);
    int pixel = 0;
    for (int shift = 0; shift < Byte.SIZE * CHANNELS; shift += Byte.SIZE) {
      double value =
          cubic(
              cubicOfRow(a0 >> shift, a1 >> shift, a2 >> shift, a3 >> shift, dx),
              cubicOfRow(b0 >> shift, b1 >> shift, b2 >> shift, b3 >> shift, dx),
              cubicOfRow(c0 >> shift, c1 >> shift, c2 >> shift, c3 >> shift, dx),
              cubicOfRow(d0 >> shift, d1 >> shift, d2 >> shift, d3 >> shift, dx),
              dy);
      int clipped = value <= 0 ? 0 : value >= 255 ? 255 : (int) value;
      pixel |= clipped << shift;
    }
    paint(pixel);
  }

  /** Returns Keys's cubic (a = -1) through four values 1 apart, as Pillow's BICUBIC transform. */
  private static double cubic(double a, double b, double c, double d, double distance) {
    double p2 = -a + c;
    double p3 = 2 * (a - b) + c - d;
    double p4 = -a + b - c + d;
    return b + distance * (p2 + distance * (p3 + distance * p4));
  }

  /**
   * Returns the {@link #cubic} of the lowest bytes of four integers, in fewer steps. The result is
   * the same, since differences of whole numbers do not round.
   */
  private static double cubicOfRow(int first, int second, int third, int fourth, double distance) {
    double b = sample(second);
    double c = sample(third);
    double ab = sample(first) - b;
    double sum = ab + (c - sample(fourth));
    double p2 = c - sample(first);
    return b + distance * (p2 + distance * (ab + sum - distance * sum));
  }

  private static double sample(int pixel) {
    return SAMPLES[pixel & 0xFF];
  }

  /** Paints the pixel with the center nearest to a position; (0, 0) is the first pixel's center. */
  public void sampleNearest(float px, float py) {
    // NaN is outside, since comparisons with NaN are false.
    boolean near = px >= -1 && px <= width && py >= -1 && py <= height;
    if (near) {
      pick((int) Math.rint(px), (int) Math.rint(py));
    } else {
      skip();
    }
  }

  /**
   * Paints the pixel at a position, in pixels from the first pixel's center. Beyond the outermost
   * centers, missing pixels count as 0. The result is then mixed with the fill color, by the share
   * of the missing pixels.
   */
  public void sampleBilinear(float px, float py) {
    if (!(px > -1 && px < width && py > -1 && py < height)) {
      skip();
      return;
    }
    int x = (int) Math.floor(px);
    int y = (int) Math.floor(py);
    float right = px - x;
    float left = 1 - right;
    float lower = py - y;
    float upper = 1 - lower;
    // A weight of 0 excludes pixels outside; its index need only be valid.
    float upperLeft = x >= 0 && y >= 0 ? upper * left : 0;
    float upperRight = x + 1 < width && y >= 0 ? upper * right : 0;
    float lowerLeft = x >= 0 && y + 1 < height ? lower * left : 0;
    float lowerRight = x + 1 < width && y + 1 < height ? lower * right : 0;
    float covered = upperLeft + upperRight + lowerLeft + lowerRight;
    int column = CHANNELS * Math.max(x, 0);
    int nextColumn = CHANNELS * Math.min(x + 1, width - 1);
    int row = CHANNELS * width * Math.max(y, 0);
    int nextRow = CHANNELS * width * Math.min(y + 1, height - 1);
    int first = PackedRgb.load(in, row + column);
    int second = PackedRgb.load(in, row + nextColumn);
    int third = PackedRgb.load(in, nextRow + column);
    int fourth = PackedRgb.load(in, nextRow + nextColumn);
    int pixel = 0;
    int mask = (1 << bits) - 1;
    for (int shift = 0; shift + bits <= Byte.SIZE * CHANNELS; shift += bits) {
      float value =
          (first >> shift & mask) * upperLeft
              + (second >> shift & mask) * upperRight
              + (third >> shift & mask) * lowerLeft
              + (fourth >> shift & mask) * lowerRight;
      int color = fill >> shift & mask;
      pixel |= (int) Math.rint((value - color) * covered + color) << shift;
    }
    paint(pixel);
  }

  /** Paints a pixel like {@link #sampleBilinear}, but from 16 pixels, by a cubic with a = -0.75. */
  public void sampleBicubic(float px, float py) {
    if (!(px > -3 && px < width + 2 && py > -3 && py < height + 2)) {
      skip();
      return;
    }
    int x = (int) Math.floor(px);
    int y = (int) Math.floor(py);
    float[] alongX = weights(px - x);
    float[] alongY = weights(py - y);
    int mask = (1 << bits) - 1;
    int pixel = 0;
    for (int shift = 0; shift + bits <= Byte.SIZE * CHANNELS; shift += bits) {
      float value = 0;
      float covered = 0;
      for (int row = 0; row < TAPS; row++) {
        int fromY = y - 1 + row;
        if (fromY < 0 || fromY >= height) {
          continue;
        }
        float sum = 0;
        float weight = 0;
        for (int column = 0; column < TAPS; column++) {
          int fromX = x - 1 + column;
          if (fromX >= 0 && fromX < width) {
            int found = PackedRgb.load(in, CHANNELS * (fromY * width + fromX));
            sum += alongX[column] * (found >> shift & mask);
            weight += alongX[column];
          }
        }
        value += alongY[row] * sum;
        covered += alongY[row] * weight;
      }
      int color = fill >> shift & mask;
      double rounded = Math.rint((value - color) * covered + color);
      pixel |= (int) Math.max(0, Math.min(mask, rounded)) << shift;
    }
    paint(pixel);
  }

  /**
   * Returns the weights of four neighboring pixels for a position between the second and the third,
   * at this distance from the second.
   */
  private static float[] weights(float distance) {
    return new float[] {
      outer(distance + 1), inner(distance), inner(1 - distance), outer(2 - distance)
    };
  }

  private static float inner(float x) {
    return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
  }

  private static float outer(float x) {
    return ((CUBIC * x - 5 * CUBIC) * x + 8 * CUBIC) * x - 4 * CUBIC;
  }
}
