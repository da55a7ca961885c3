package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.util.Arrays;

/**
 * The loops in plain Java, shaped so that the JIT compilers of JDK 17 and 25 vectorise them: one
 * store each, ints only, no Math.min and max, constant shifts, and every array of a loop indexed by
 * the same expression. For the latter, weights are copied to the start of an array, and results
 * from there, which costs a fraction of what it saves. A vectorised loop begins and ends with some
 * scalar steps, so neighboring rows are resized in one loop, which takes a quarter less time than
 * one for each row. Only the gathering of pixels stays scalar.
 */
public final class PlainKernels extends Kernels {
  private static final int OFFSET = PixelTable.OFFSET;
  private static final Channel[] CHANNELS = {new Red(), new Green(), new Blue()};
  private static final Channel[] WHOLE = {new Whole()};

  @Override
  public int overrun() {
    return 0;
  }

  @Override
  public void horizontal(int[] pixels, int from, Taps taps, int[] row, int first, int plane) {
    horizontal(CHANNELS, pixels, from, 0, 1, taps, new int[][] {row}, first, plane);
  }

  @Override
  public void horizontal(
      int[] pixels, int stride, int count, Taps taps, int[][] rows, int first, int plane) {
    horizontal(CHANNELS, pixels, 0, stride, count, taps, rows, first, plane);
  }

  @Override
  void horizontalOfOne(int[] pixels, int from, Taps taps, int[] row, int first) {
    horizontal(WHOLE, pixels, from, 0, 1, taps, new int[][] {row}, first, 0);
  }

  /** Resizes rows as if they were one: the loops are longer, and begin and end less often. */
  private static void horizontal(
      Channel[] channels,
      int[] pixels,
      int from,
      int stride,
      int rows,
      Taps taps,
      int[][] targets,
      int first,
      int plane) {
    int n = taps.length();
    int all = rows * n;
    int[][] sums = taps.scratch(all);
    for (int c = 0; c < channels.length; c++) {
      Arrays.fill(sums[c], 0, all, HALF);
    }
    int k = 0;
    for (; k + 1 < taps.count(); k += 2) {
      addTwo(channels, pixels, from + k, stride, rows, taps, k);
    }
    if (k < taps.count()) {
      addOne(channels, pixels, from + k, stride, rows, taps, k);
    }
    for (int c = 0; c < channels.length; c++) {
      if (taps.overshoots()) {
        roundAndClip(sums[c], all);
      } else {
        round(sums[c], all);
      }
      for (int row = 0; row < rows; row++) {
        System.arraycopy(sums[c], row * n, targets[row], first + c * plane, n);
      }
    }
  }

  private static void addOne(
      Channel[] channels, int[] pixels, int from, int stride, int rows, Taps taps, int k) {
    int n = taps.length();
    int[][] scratch = taps.scratch(rows * n);
    int[] p = scratch[channels.length];
    int[] v = taps.repeated(k, rows);
    for (int row = 0; row < rows; row++) {
      gather(pixels, from + row * stride, taps.starts(), p, row * n, n);
    }
    for (int c = 0; c < channels.length; c++) {
      channels[c].add(scratch[c], p, v, rows * n);
    }
  }

  private static void addTwo(
      Channel[] channels, int[] pixels, int from, int stride, int rows, Taps taps, int k) {
    int n = taps.length();
    int[][] scratch = taps.scratch(rows * n);
    int[] p = scratch[channels.length];
    int[] q = scratch[channels.length + 1];
    int[] v = taps.repeated(k, rows);
    int[] w = taps.repeated(k + 1, rows);
    for (int row = 0; row < rows; row++) {
      gather(pixels, from + row * stride, taps.starts(), p, q, row * n, n);
    }
    for (int c = 0; c < channels.length; c++) {
      channels[c].add(scratch[c], p, v, q, w, rows * n);
    }
  }

  private static void gather(int[] pixels, int from, int[] starts, int[] p, int to, int n) {
    for (int x = 0; x < n; x++) {
      p[to + x] = pixels[from + starts[x]];
    }
  }

  private static void gather(
      int[] pixels, int from, int[] starts, int[] p, int[] q, int to, int n) {
    for (int x = 0; x < n; x++) {
      int at = from + starts[x];
      p[to + x] = pixels[at];
      q[to + x] = pixels[at + 1];
    }
  }

  private static void round(int[] sum, int n) {
    for (int x = 0; x < n; x++) {
      sum[x] >>= SHIFT;
    }
  }

  private static void roundAndClip(int[] sum, int n) {
    for (int x = 0; x < n; x++) {
      sum[x] = clip(sum[x] >> SHIFT);
    }
  }

  @Override
  int begin(int[][] ring, int size, Taps taps, int i, int count, int[] sums, int n) {
    if (count < 2) {
      return super.begin(ring, size, taps, i, count, sums, n);
    }
    int start = taps.starts()[i];
    int[] weights = taps.weights();
    int second = weights[taps.length() + i];
    begin(sums, ring[start % size], weights[i], ring[(start + 1) % size], second, n);
    return 2;
  }

  private static void begin(int[] sums, int[] a, int weightA, int[] b, int weightB, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = a[i] * weightA + b[i] * weightB + HALF;
    }
  }

  @Override
  void add(int[] sums, int[] row, int weight, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += row[i] * weight;
    }
  }

  @Override
  void add(int[] sums, int[] a, int weightA, int[] b, int weightB, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += a[i] * weightA + b[i] * weightB;
    }
  }

  @Override
  public void planar(int[] sums, int n, PixelTable table, float[] out) {
    round(sums, 3 * n);
    for (int c = 0; c < 3; c++) {
      lookUp(sums, c * n, n, table.channel(c), out);
    }
  }

  @Override
  void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out) {
    float[] values = table.channel(channel);
    for (int i = from; i < from + n; i++) {
      out[i] = values[(sums[i] >> SHIFT) + OFFSET];
    }
  }

  /** Looks up sums that are rounded. */
  private static void lookUp(int[] sums, int from, int n, float[] values, float[] out) {
    for (int i = from; i < from + n; i++) {
      out[i] = values[sums[i] + OFFSET];
    }
  }

  @Override
  public void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    float[] red = table.channel(0);
    float[] green = table.channel(1);
    float[] blue = table.channel(2);
    for (int i = 0, o = 0; i < n; i++, o += 3) {
      out[o] = red[(sums[i] >> SHIFT) + OFFSET];
      out[o + 1] = green[(sums[n + i] >> SHIFT) + OFFSET];
      out[o + 2] = blue[(sums[2 * n + i] >> SHIFT) + OFFSET];
    }
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    roundAndClip(sums, n);
    for (int i = 0; i < n; i++) {
      out[i] = (byte) sums[i];
    }
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    roundAndClip(sums, 3 * n);
    for (int i = 0; i < n; i++) {
      out[at + i] = PackedRgb.of(sums[i], sums[n + i], sums[2 * n + i]);
    }
  }

  @Override
  void samples(int[] sums, int from, int n, int[] out, int at) {
    for (int i = 0; i < n; i++) {
      out[at + i] = clip(sums[from + i] >> SHIFT);
    }
  }

  private static int clip(int value) {
    int atLeast0 = value & ~(value >> 31);
    return (atLeast0 | ((255 - atLeast0) >> 31)) & 255;
  }

  /**
   * The code that differs between the channels, because they have different places in a packed
   * pixel. A shift by a variable would not be vectorised. Since the compiler does not inline a
   * method with several implementations, it compiles each of these loops by itself, and well;
   * inlined into one method, some of them would stay scalar.
   */
  private abstract static class Channel {
    /** Adds weighted pixels. */
    abstract void add(int[] sums, int[] p, int[] v, int n);

    /** Adds two weighted pixels to each sum. */
    abstract void add(int[] sums, int[] p, int[] v, int[] q, int[] w, int n);
  }

  private static final class Red extends Channel {
    @Override
    void add(int[] sums, int[] p, int[] v, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += (p[x] & 255) * v[x];
      }
    }

    @Override
    void add(int[] sums, int[] p, int[] v, int[] q, int[] w, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += (p[x] & 255) * v[x] + (q[x] & 255) * w[x];
      }
    }
  }

  private static final class Green extends Channel {
    @Override
    void add(int[] sums, int[] p, int[] v, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += ((p[x] >> 8) & 255) * v[x];
      }
    }

    @Override
    void add(int[] sums, int[] p, int[] v, int[] q, int[] w, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += ((p[x] >> 8) & 255) * v[x] + ((q[x] >> 8) & 255) * w[x];
      }
    }
  }

  private static final class Blue extends Channel {
    @Override
    void add(int[] sums, int[] p, int[] v, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += (p[x] >> 16) * v[x];
      }
    }

    @Override
    void add(int[] sums, int[] p, int[] v, int[] q, int[] w, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += (p[x] >> 16) * v[x] + (q[x] >> 16) * w[x];
      }
    }
  }

  /** The channel of pixels that are one sample. */
  private static final class Whole extends Channel {
    @Override
    void add(int[] sums, int[] p, int[] v, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += p[x] * v[x];
      }
    }

    @Override
    void add(int[] sums, int[] p, int[] v, int[] q, int[] w, int n) {
      for (int x = 0; x < n; x++) {
        sums[x] += p[x] * v[x] + q[x] * w[x];
      }
    }
  }
}
