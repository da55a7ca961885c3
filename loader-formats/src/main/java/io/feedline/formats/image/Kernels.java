package io.feedline.formats.image;

/**
 * The inner loops of resizing. A row is an int array of three channels, in the order that the
 * target wants; its values are 0..255 after the horizontal pass, and sums with {@link
 * Taps#WEIGHT_BITS} fractional bits after the vertical one.
 *
 * <h2>Implementation note</h2>
 *
 * <p>The horizontal loops gather, so they stay scalar. What helps them, each measured on the way
 * from 450 or 300 columns and rows to 224 with bilinear weights:
 *
 * <ul>
 *   <li>two or three taps at a time: constant offsets let the range checks of a pixel's bytes fold
 *       into two. A loop over five taps took 1.8 times as long; adding a group to what another left
 *       is as fast as an unrolled loop for just that number, so there are no others;
 *   <li>two rows at a time, which share positions and weights: 15 to 19 % faster.
 * </ul>
 *
 * <p>Tried and slower: samples of two channels or two rows in the halves of a long, multiplied
 * together (packing costs more than the multiplications save: 15 to 42 % slower); each row unpacked
 * to ints or longs first (13 to 19 % slower).
 *
 * <p>The other loops have constant strides and no narrowing, and the JIT compiler turns them into
 * vector instructions on JDK 17 and 25. That is why rows are ints; why clipping is written with
 * shifts, for {@code Math.min} of ints stays scalar on 17; and why the vertical pass leaves
 * rounding to the table look-up that follows.
 *
 * <p>From a square crop in memory to 224 x 224 normalised floats, flipped, one thread of a shared
 * AMD EPYC with AVX-512, in pictures per CPU-second (Debian's JDK 17.0.15 / Temurin 25), median of
 * nine rounds; layout and dtype make no difference:
 *
 * <pre>
 *   bilinear from 160   6055 / 6151        bilinear from 450   1583 / 1559
 *   no scaling,   224   7270 / 8044        bicubic  from 300   1926 / 1934
 *   bilinear from 300   3469 / 3443
 * </pre>
 *
 * <p>Of the 288 microseconds from 300, the horizontal pass takes about 180, look-up and stores 65,
 * the copy out of memory that stands for decoding 25, the vertical pass 12, planning the taps 5.
 */
final class Kernels {
  private static final int SHIFT = Taps.WEIGHT_BITS;
  private static final int HALF = Taps.HALF;

  private Kernels() {}

  /**
   * Where the pixels of a row lie.
   *
   * @param first the index of the first pixel's red
   * @param step from one pixel to the next
   * @param plane from one channel to the next
   */
  record RowOrder(int first, int step, int plane) {}

  /**
   * Resizes two rows.
   *
   * @param rgb interleaved samples
   * @param base the index of the first sample that {@code taps} refers to, in the upper row
   * @param stride from there to the same sample of the lower row
   * @param upper receives {@code taps.length()} pixels, placed by {@code order}; its other samples
   *     must be 0 and stay so
   * @param lower as {@code upper}, and another array
   * @param samples the length of a whole row
   */
  static void horizontal(
      byte[] rgb,
      int base,
      int stride,
      Taps taps,
      int[] upper,
      int[] lower,
      RowOrder order,
      int samples) {
    int count = taps.count();
    if (count == 1) {
      pick(rgb, base, taps, upper, order);
      pick(rgb, base + stride, taps, lower, order);
      return;
    }
    // 2, 3, 2+2, 3+2, 3+3, 3+2+2, ...
    int done = count % 3 == 0 || count > 4 ? 3 : 2;
    if (done == 3) {
      beginThree(rgb, base, stride, taps, upper, lower, order);
    } else {
      beginTwo(rgb, base, stride, taps, upper, lower, order);
    }
    while (done < count) {
      int left = count - done;
      if (left == 2 || left == 4) {
        addTwo(rgb, base, stride, taps, done, upper, lower, order);
        done += 2;
      } else {
        addThree(rgb, base, stride, taps, done, upper, lower, order);
        done += 3;
      }
    }
    if (taps.overshoots()) {
      roundAndClip(upper, samples);
      roundAndClip(lower, samples);
    } else {
      round(upper, samples);
      round(lower, samples);
    }
  }

  private static void pick(byte[] rgb, int base, Taps taps, int[] row, RowOrder order) {
    int[] starts = taps.starts();
    int n = taps.length();
    int step = order.step();
    int green = order.plane();
    int blue = 2 * green;
    for (int x = 0, o = order.first(); x < n; x++, o += step) {
      int p = base + 3 * starts[x];
      row[o] = rgb[p] & 0xFF;
      row[o + green] = rgb[p + 1] & 0xFF;
      row[o + blue] = rgb[p + 2] & 0xFF;
    }
  }

  private static void beginTwo(
      byte[] rgb, int base, int stride, Taps taps, int[] upper, int[] lower, RowOrder order) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int count = taps.count();
    int step = order.step();
    int green = order.plane();
    int blue = 2 * green;
    for (int x = 0, w = 0, o = order.first(); x < n; x++, w += count, o += step) {
      int p = base + 3 * starts[x];
      int q = p + stride;
      int a = weights[w];
      int b = weights[w + 1];
      upper[o] = (rgb[p] & 0xFF) * a + (rgb[p + 3] & 0xFF) * b + HALF;
      upper[o + green] = (rgb[p + 1] & 0xFF) * a + (rgb[p + 4] & 0xFF) * b + HALF;
      upper[o + blue] = (rgb[p + 2] & 0xFF) * a + (rgb[p + 5] & 0xFF) * b + HALF;
      lower[o] = (rgb[q] & 0xFF) * a + (rgb[q + 3] & 0xFF) * b + HALF;
      lower[o + green] = (rgb[q + 1] & 0xFF) * a + (rgb[q + 4] & 0xFF) * b + HALF;
      lower[o + blue] = (rgb[q + 2] & 0xFF) * a + (rgb[q + 5] & 0xFF) * b + HALF;
    }
  }

  private static void beginThree(
      byte[] rgb, int base, int stride, Taps taps, int[] upper, int[] lower, RowOrder order) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int count = taps.count();
    int step = order.step();
    int green = order.plane();
    int blue = 2 * green;
    for (int x = 0, w = 0, o = order.first(); x < n; x++, w += count, o += step) {
      int p = base + 3 * starts[x];
      int q = p + stride;
      int a = weights[w];
      int b = weights[w + 1];
      int c = weights[w + 2];
      upper[o] = (rgb[p] & 0xFF) * a + (rgb[p + 3] & 0xFF) * b + (rgb[p + 6] & 0xFF) * c + HALF;
      upper[o + green] =
          (rgb[p + 1] & 0xFF) * a + (rgb[p + 4] & 0xFF) * b + (rgb[p + 7] & 0xFF) * c + HALF;
      upper[o + blue] =
          (rgb[p + 2] & 0xFF) * a + (rgb[p + 5] & 0xFF) * b + (rgb[p + 8] & 0xFF) * c + HALF;
      lower[o] = (rgb[q] & 0xFF) * a + (rgb[q + 3] & 0xFF) * b + (rgb[q + 6] & 0xFF) * c + HALF;
      lower[o + green] =
          (rgb[q + 1] & 0xFF) * a + (rgb[q + 4] & 0xFF) * b + (rgb[q + 7] & 0xFF) * c + HALF;
      lower[o + blue] =
          (rgb[q + 2] & 0xFF) * a + (rgb[q + 5] & 0xFF) * b + (rgb[q + 8] & 0xFF) * c + HALF;
    }
  }

  private static void addTwo(
      byte[] rgb,
      int base,
      int stride,
      Taps taps,
      int tap,
      int[] upper,
      int[] lower,
      RowOrder order) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int count = taps.count();
    int from = base + 3 * tap;
    int step = order.step();
    int green = order.plane();
    int blue = 2 * green;
    for (int x = 0, w = tap, o = order.first(); x < n; x++, w += count, o += step) {
      int p = from + 3 * starts[x];
      int q = p + stride;
      int a = weights[w];
      int b = weights[w + 1];
      upper[o] += (rgb[p] & 0xFF) * a + (rgb[p + 3] & 0xFF) * b;
      upper[o + green] += (rgb[p + 1] & 0xFF) * a + (rgb[p + 4] & 0xFF) * b;
      upper[o + blue] += (rgb[p + 2] & 0xFF) * a + (rgb[p + 5] & 0xFF) * b;
      lower[o] += (rgb[q] & 0xFF) * a + (rgb[q + 3] & 0xFF) * b;
      lower[o + green] += (rgb[q + 1] & 0xFF) * a + (rgb[q + 4] & 0xFF) * b;
      lower[o + blue] += (rgb[q + 2] & 0xFF) * a + (rgb[q + 5] & 0xFF) * b;
    }
  }

  private static void addThree(
      byte[] rgb,
      int base,
      int stride,
      Taps taps,
      int tap,
      int[] upper,
      int[] lower,
      RowOrder order) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int count = taps.count();
    int from = base + 3 * tap;
    int step = order.step();
    int green = order.plane();
    int blue = 2 * green;
    for (int x = 0, w = tap, o = order.first(); x < n; x++, w += count, o += step) {
      int p = from + 3 * starts[x];
      int q = p + stride;
      int a = weights[w];
      int b = weights[w + 1];
      int c = weights[w + 2];
      upper[o] += (rgb[p] & 0xFF) * a + (rgb[p + 3] & 0xFF) * b + (rgb[p + 6] & 0xFF) * c;
      upper[o + green] +=
          (rgb[p + 1] & 0xFF) * a + (rgb[p + 4] & 0xFF) * b + (rgb[p + 7] & 0xFF) * c;
      upper[o + blue] +=
          (rgb[p + 2] & 0xFF) * a + (rgb[p + 5] & 0xFF) * b + (rgb[p + 8] & 0xFF) * c;
      lower[o] += (rgb[q] & 0xFF) * a + (rgb[q + 3] & 0xFF) * b + (rgb[q + 6] & 0xFF) * c;
      lower[o + green] +=
          (rgb[q + 1] & 0xFF) * a + (rgb[q + 4] & 0xFF) * b + (rgb[q + 7] & 0xFF) * c;
      lower[o + blue] +=
          (rgb[q + 2] & 0xFF) * a + (rgb[q + 5] & 0xFF) * b + (rgb[q + 8] & 0xFF) * c;
    }
  }

  private static void round(int[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] >>= SHIFT;
    }
  }

  private static void roundAndClip(int[] row, int n) {
    for (int i = 0; i < n; i++) {
      int value = row[i] >> SHIFT;
      int atLeast0 = value & ~(value >> 31);
      row[i] = (atLeast0 | ((255 - atLeast0) >> 31)) & 255;
    }
  }

  /**
   * Adds up weighted rows.
   *
   * @param rows a ring: row r is in {@code rows[r % size]}
   * @param size the number of rows in the ring
   * @param start the first row
   * @param weights the rows' weights, from index {@code at} on
   * @param count the number of rows, 1 or more
   * @param sums receives {@code HALF + sum of row * weight} for each sample
   * @param n the number of samples in a row
   */
  static void vertical(
      int[][] rows, int size, int start, int[] weights, int at, int count, int[] sums, int n) {
    int done;
    if (count == 1) {
      beginOne(rows[start % size], weights[at], sums, n);
      done = 1;
    } else {
      beginTwo(rows[start % size], weights[at], rows[(start + 1) % size], weights[at + 1], sums, n);
      done = 2;
    }
    while (done < count) {
      int[] a = rows[(start + done) % size];
      int weight = weights[at + done];
      if (count - done == 1) {
        addOne(a, weight, sums, n);
        done++;
      } else {
        int[] b = rows[(start + done + 1) % size];
        addTwo(a, weight, b, weights[at + done + 1], sums, n);
        done += 2;
      }
    }
  }

  private static void beginOne(int[] row, int weight, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = row[i] * weight + HALF;
    }
  }

  private static void beginTwo(int[] a, int weightA, int[] b, int weightB, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = a[i] * weightA + b[i] * weightB + HALF;
    }
  }

  private static void addOne(int[] row, int weight, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += row[i] * weight;
    }
  }

  private static void addTwo(int[] a, int weightA, int[] b, int weightB, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += a[i] * weightA + b[i] * weightB;
    }
  }
}
