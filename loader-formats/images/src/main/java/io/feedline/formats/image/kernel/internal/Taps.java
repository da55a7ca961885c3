package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.Interpolation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The taps of each pixel of a resized axis: the source pixels whose weighted sum is the pixel, and
 * the weights. Planned anew for each image, in arrays that are used again. Not thread-safe.
 *
 * <p>With antialiasing the arithmetic is Pillow's, bit for bit: weights in double precision over
 * the filter's support, normalized to a sum of 1, then rounded to {@value #WEIGHT_BITS} fractional
 * bits. A weighted sum starts at {@link #HALF} and is shifted right by {@link #WEIGHT_BITS}.
 *
 * <p>Each output pixel has the same number of taps, so that the loops over them can be unrolled: if
 * the filter covers fewer pixels, the other taps have the weight 0, which changes no sum.
 */
public final class Taps {
  /**
   * The fractional bits of a weight. Of an int's other 10 bits, eight are for the value. Two are
   * for sums outside 0..255, which filters with negative lobes make.
   */
  public static final int WEIGHT_BITS = 32 - 8 - 2;

  /** One half, added to a sum so that the shift rounds. */
  static final int HALF = 1 << (WEIGHT_BITS - 1);

  /** The number of scratch arrays for the kernels. */
  private static final int SCRATCHES = 8;

  private static final int ONE = 1 << WEIGHT_BITS;

  private int[] starts = new int[0];
  private int[] weights = new int[0];
  private double[] fractions = new double[0];
  private boolean keepsFractions;
  private double[] exact = new double[0];
  private final int[][] scratch = new int[SCRATCHES][0];
  private int length;
  private int count;
  private int first;
  private int span;
  private boolean overshoots;

  /** The filter whose weights {@link #weigh} must still compute; null without such a filter. */
  private @Nullable Filter unweighed;

  private int inSize;
  private int from;
  private double scale;

  public void keepFractions(boolean keep) {
    keepsFractions = keep;
  }

  /**
   * Plans a part of a resized axis. {@link #weigh} computes the weights of an antialiased filter.
   *
   * @param inSize the axis before resizing, in pixels
   * @param outSize the axis after resizing
   * @param from the first requested pixel of the resized axis
   * @param to the pixel after the last requested pixel, greater than {@code from}
   * @param antialias whether the filter widens if the axis shrinks; if false, the filter is
   *     bilinear
   */
  public void plan(
      int inSize, int outSize, int from, int to, Interpolation filter, boolean antialias) {
    length = to - from;
    if (starts.length < length) {
      starts = new int[length];
    }
    overshoots = false;
    unweighed = null;
    if (inSize == outSize) {
      pick(from, 1, 0.5);
    } else if (filter == Interpolation.NEAREST) {
      pickNearest(from, (double) inSize / outSize);
    } else if (antialias) {
      cover(inSize, outSize, from, Filter.of(filter));
    } else {
      mix(inSize, outSize, from);
    }
    if (keepsFractions && unweighed == null) {
      for (int i = 0; i < count * length; i++) {
        fractions[i] = (double) weights[i] / ONE;
      }
    }
  }

  /** Plans one source pixel for each output pixel. */
  private void pick(int from, double step, double position) {
    // Positions are added up, not multiplied, because Pillow's rounding errors are part of the
    // result.
    for (int i = 0; i < from; i++) {
      position += step;
    }
    for (int i = 0; i < length; i++) {
      starts[i] = (int) position;
      position += step;
    }
    count = 1;
    makeRelative(starts[length - 1] + 1);
    reserveWeights();
    Arrays.fill(weights, 0, length, ONE);
  }

  private void pickNearest(int from, double scale) {
    pick(from, scale, scale * 0.5);
    if (keepsFractions) {
      // For 16 bits Pillow multiplies instead of adding up steps, which rounds differently.
      for (int i = 0; i < length; i++) {
        starts[i] = (int) ((from + i + 0.5) * scale);
      }
      makeRelative(starts[length - 1] + 1);
    }
  }

  private void cover(int inSize, int outSize, int from, Filter filter) {
    this.inSize = inSize;
    this.from = from;
    this.scale = (double) inSize / outSize;
    this.unweighed = filter;
    double support = support();
    count = 0;
    int end = 0;
    for (int i = 0; i < length; i++) {
      double center = center(i);
      starts[i] = lowest(center, support);
      end = highest(center, support, inSize);
      count = Math.max(count, end - starts[i]);
    }
    for (int i = 0; i < length; i++) {
      // The last outputs cover fewer pixels than other outputs. Their taps begin earlier, with
      // weights of 0, so that all taps lie inside the axis.
      starts[i] = Math.min(starts[i], end - count);
    }
    makeRelative(end);
  }

  private double center(int i) {
    return (from + i + 0.5) * scale;
  }

  private double support() {
    return unweighed.support() * Math.max(scale, 1);
  }

  /**
   * Computes the weights. Call this only after the decoder has found the pixels: the header of a
   * broken image may claim a large size, and weights take memory.
   */
  public void weigh() {
    if (unweighed == null) {
      return;
    }
    reserveWeights();
    Arrays.fill(weights, 0, count * length, 0);
    if (keepsFractions) {
      Arrays.fill(fractions, 0, count * length, 0);
    }
    double support = support();
    for (int i = 0; i < length; i++) {
      double center = center(i);
      int low = lowest(center, support);
      int covered = highest(center, support, inSize) - low;
      int zeros = low - first - starts[i];
      weighOne(unweighed, center, 1 / Math.max(scale, 1), low, covered, zeros * length + i);
    }
    unweighed = null;
  }

  /** Plans the two source pixels around each output pixel's center, as torch's interpolate does. */
  private void mix(int inSize, int outSize, int from) {
    double scale = (double) inSize / outSize;
    count = Math.min(2, inSize);
    reserveWeights();
    for (int i = 0; i < length; i++) {
      double position = Math.max(0, Math.min(inSize - 1, (from + i + 0.5) * scale - 0.5));
      starts[i] = Math.min((int) position, inSize - count);
      int second = (int) Math.rint((position - starts[i]) * ONE);
      weights[i] = ONE - second;
      if (count == 2) {
        weights[length + i] = second;
      }
    }
    makeRelative(starts[length - 1] + count);
  }

  private static int lowest(double center, double support) {
    return Math.max((int) (center - support + 0.5), 0);
  }

  private static int highest(double center, double support, int inSize) {
    return Math.min((int) (center + support + 0.5), inSize);
  }

  private void weighOne(Filter filter, double center, double step, int low, int covered, int at) {
    double sum = 0;
    for (int k = 0; k < covered; k++) {
      exact[k] = filter.weight((low + k - center + 0.5) * step);
      sum += exact[k];
    }
    long positive = 0;
    for (int k = 0; k < covered; k++) {
      double weight = sum == 0 ? exact[k] : exact[k] / sum;
      int rounded = (int) (weight * ONE + (weight < 0 ? -0.5 : 0.5));
      weights[at + k * length] = rounded;
      if (keepsFractions) {
        fractions[at + k * length] = weight;
      }
      positive += Math.max(rounded, 0);
      overshoots |= rounded < 0;
    }
    overshoots |= 255 * positive + HALF >= 256L * ONE;
  }

  private void reserveWeights() {
    int wanted = Math.multiplyExact(length, count);
    if (weights.length < wanted) {
      weights = new int[wanted];
    }
    if (keepsFractions && fractions.length < wanted) {
      fractions = new double[wanted];
    }
    if (exact.length < count) {
      exact = new double[count];
    }
  }

  private void makeRelative(int end) {
    first = starts[0];
    for (int i = 0; i < length; i++) {
      starts[i] -= first;
    }
    span = end - first;
  }

  /** Reverses the order of the output pixels, so that an image resized by these taps is flipped. */
  public void mirror() {
    for (int i = 0, j = length - 1; i < j; i++, j--) {
      swap(starts, i, j);
      for (int k = 0; k < count; k++) {
        swap(weights, k * length + i, k * length + j);
        if (keepsFractions) {
          double former = fractions[k * length + i];
          fractions[k * length + i] = fractions[k * length + j];
          fractions[k * length + j] = former;
        }
      }
    }
  }

  private static void swap(int[] array, int i, int j) {
    int former = array[i];
    array[i] = array[j];
    array[j] = former;
  }

  public int length() {
    return length;
  }

  public int count() {
    return count;
  }

  /** Returns the number of an output pixel's taps up to the last one with a weight other than 0. */
  int weighing(int i) {
    int taps = count;
    while (taps > 1 && weights[(taps - 1) * length + i] == 0) {
      taps--;
    }
    return taps;
  }

  /** Returns whether a weighted sum of values in 0..255 can leave that range. */
  boolean overshoots() {
    return overshoots;
  }

  /** Returns the first needed pixel of the source axis. */
  public int first() {
    return first;
  }

  public int span() {
    return span;
  }

  /** Returns each output pixel's first source pixel, counted from the pixel {@link #first}. */
  public int[] starts() {
    return starts;
  }

  /** Returns the weights; the weight of tap k for output pixel i is at {@code k * length + i}. */
  int[] weights() {
    return weights;
  }

  /**
   * Returns the weights before rounding, in the order of {@link #weights}, also after {@link
   * #mirror}. Valid only after {@link #keepFractions}.
   */
  double[] fractions() {
    return fractions;
  }

  /** Returns {@value #SCRATCHES} arrays of {@code size} or more; arbitrary content. */
  int[][] scratch(int size) {
    if (scratch[0].length < size) {
      Arrays.setAll(scratch, i -> new int[size]);
    }
    return scratch;
  }

  /** Returns whether there are source pixels, between the taps, that no tap reads. */
  public boolean skips() {
    for (int i = 1; i < length; i++) {
      if (Math.abs(starts[i] - starts[i - 1]) > count) {
        return true;
      }
    }
    return false;
  }

  /**
   * Leaves out the source pixels that no tap reads: from now on {@link #starts} and {@link #span}
   * count only pixels that taps read. Not for mirrored taps.
   *
   * @return the pixels that taps read, relative to {@link #first}
   */
  public int[] compact() {
    int[] read = new int[span];
    int known = 0;
    for (int i = 0; i < length; i++) {
      int end = starts[i] + count;
      for (int at = known == 0 ? 0 : Math.max(starts[i], read[known - 1] + 1); at < end; at++) {
        read[known++] = at;
      }
      starts[i] = known - count;
    }
    span = known;
    return read;
  }
}
