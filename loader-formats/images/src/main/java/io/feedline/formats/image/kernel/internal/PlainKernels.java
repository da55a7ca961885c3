package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.internal.ColumnRows;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/**
 * The loops in plain Java, written so that the JIT compilers of JDK 17 and 25 vectorise them: a
 * loop has one store, uses only ints and constant shifts, no Math.min and max, and indexes all its
 * arrays by the same expression.
 *
 * <p>Both passes are the same loops, which add up lines with one weight for each line. In the
 * horizontal pass a line is a column of the source, so pixels need not be gathered:
 *
 * <pre>
 *   source, as columns --weigh--> a column of the resized image --turn--> packed rows --weigh--> sums
 * </pre>
 *
 * <p>Only the loops that turn rows into columns and back stay scalar. A vectorised loop begins and
 * ends with some scalar steps, so columns should be long. Resized rows are packed like the source:
 * transposing one int a pixel takes a third of the time.
 */
public final class PlainKernels extends Kernels {
  private static final int OFFSET = PixelTable.OFFSET;

  /** The approximate number of pixels to resize at once. */
  private static final int PIXELS_AT_ONCE = 1 << 17;

  /** The fewest rows to resize at once: with fewer rows, loops would be short and slow. */
  private static final int LEAST_ROWS = 64;

  private static final int MOST_ROWS = 512;

  /** The number of rows to read, or of columns to transpose, at once. */
  private static final int FEW = 4;

  private static final Channel RED = new Red();
  private static final Channel GREEN = new Green();
  private static final Channel BLUE = new Blue();
  private static final Channel[] ONE = {new Whole()};
  private static final Channel[] THREE = {RED, GREEN, BLUE};
  private static final Channel[] FOUR = {RED, GREEN, BLUE, new Alpha()};

  private static Channel[] channels(int count) {
    return switch (count) {
      case 1 -> ONE;
      case 3 -> THREE;
      default -> FOUR;
    };
  }

  @Override
  public int rowsAtOnce(int width, int rows) {
    int most = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, PIXELS_AT_ONCE / width));
    int times = (rows + most - 1) / most;
    return (rows + times - 1) / times;
  }

  @Override
  int resizedLength(int channels, int width) {
    return width;
  }

  @Override
  void horizontal(int channels, Band band) {
    PixelRows source = band.source();
    Taps taps = band.taps();
    int[][] rows = band.rows();
    int first = band.first();
    int count = band.count();
    Workspace workspace = band.workspace();
    int[] some = workspace.window(FEW * source.width());
    if (taps.count() == 1) {
      pick(source, band.y(), count, some, taps, rows, first);
      return;
    }
    int[][] columns = workspace.columns(source.width(), count);
    ColumnRows.read(source, band.y(), count, columns, some);
    int[][] scratch = taps.scratch(count);
    int n = taps.length();
    for (int x = 0; x < n; x += FEW) {
      int wide = Math.min(FEW, n - x);
      for (int i = 0; i < wide; i++) {
        resize(channels(channels), columns, taps, x + i, scratch, scratch[FEW + i], count);
      }
      if (wide == FEW) {
        turnFour(scratch, rows, first + x, count);
      } else {
        for (int i = 0; i < wide; i++) {
          turn(scratch[FEW + i], rows, first + x + i, count);
        }
      }
    }
  }

  /** Copies rows without interpolation: each pixel of the result is a pixel of the source. */
  private static void pick(
      PixelRows source, int y, int count, int[] some, Taps taps, int[][] rows, int first) {
    int stride = source.width();
    for (int from = 0; from < count; from += FEW) {
      int read = Math.min(FEW, count - from);
      source.read(y + from, read, some, 0, stride);
      for (int i = 0; i < read; i++) {
        pick(some, i * stride, taps.starts(), taps.length(), rows[from + i], first);
      }
    }
  }

  private static void pick(int[] pixels, int from, int[] starts, int n, int[] row, int first) {
    for (int x = 0; x < n; x++) {
      row[first + x] = pixels[from + starts[x]];
    }
  }

  /** Computes column {@code x} of the resized image, packed; overwrites {@code scratch}. */
  private static void resize(
      Channel[] channels, int[][] columns, Taps taps, int x, int[][] scratch, int[] packed, int n) {
    weigh(channels[0], columns, columns.length, taps, x, packed, n);
    for (int c = 1; c < channels.length; c++) {
      weigh(channels[c], columns, columns.length, taps, x, scratch[c], n);
    }
    if (channels.length == 3 && !taps.overshoots()) {
      pack(packed, scratch[1], scratch[2], n);
      return;
    }
    roundAndClip(packed, n);
    for (int c = 1; c < channels.length; c++) {
      roundAndClip(scratch[c], n);
      place(scratch[c], 8 * c, packed, n);
    }
  }

  private static void pack(int[] red, int[] green, int[] blue, int n) {
    for (int i = 0; i < n; i++) {
      red[i] = red[i] >> SHIFT | (green[i] >> SHIFT) << 8 | (blue[i] >> SHIFT) << 16;
    }
  }

  private static void place(int[] samples, int shift, int[] packed, int n) {
    for (int i = 0; i < n; i++) {
      packed[i] |= samples[i] << shift;
    }
  }

  private static void turn(int[] column, int[][] rows, int at, int n) {
    for (int r = 0; r < n; r++) {
      rows[r][at] = column[r];
    }
  }

  private static void turnFour(int[][] columns, int[][] rows, int at, int n) {
    int[] a = columns[FEW];
    int[] b = columns[FEW + 1];
    int[] c = columns[FEW + 2];
    int[] d = columns[FEW + 3];
    for (int r = 0; r < n; r++) {
      int[] row = rows[r];
      row[at] = a[r];
      row[at + 1] = b[r];
      row[at + 2] = c[r];
      row[at + 3] = d[r];
    }
  }

  @Override
  void vertical(int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    weigh(channels(channels)[0], ring, size, taps, i, sums, width);
    int[] scratch = taps.scratch(width)[0];
    for (int c = 1; c < channels; c++) {
      weigh(channels(channels)[c], ring, size, taps, i, scratch, width);
      System.arraycopy(scratch, 0, sums, c * width, width);
    }
  }

  /**
   * Adds up weighted lines to one line of the result.
   *
   * @param lines the lines; line r is in {@code lines[r % size]}
   * @param i the number of the result's line
   * @param sums receives {@code HALF + sum of sample * weight} for each pixel
   * @param n the pixels of a line
   */
  private static void weigh(
      Channel channel, int[][] lines, int size, Taps taps, int i, int[] sums, int n) {
    int[] weights = taps.weights();
    int step = taps.length();
    int start = taps.starts()[i];
    int count = taps.weighing(i);
    // If the last lines are missing, lines with the weight 0 take their place. So only two
    // different loops are needed, which are compiled early.
    int[] a = lines[start % size];
    int[] b = count > 1 ? lines[(start + 1) % size] : a;
    int[] c = count > 2 ? lines[(start + 2) % size] : a;
    int weightB = count > 1 ? weights[i + step] : 0;
    int weightC = count > 2 ? weights[i + 2 * step] : 0;
    channel.begin(sums, a, weights[i], b, weightB, c, weightC, n);
    for (int k = 3; k < count; k += 2) {
      a = lines[(start + k) % size];
      b = k + 1 < count ? lines[(start + k + 1) % size] : a;
      weightB = k + 1 < count ? weights[i + (k + 1) * step] : 0;
      channel.add(sums, a, weights[i + k * step], b, weightB, n);
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
   * The loops of one channel. They differ between channels, because each channel has another
   * position in a packed pixel, and a shift by a variable would not be vectorised. Since the
   * compiler does not inline a method with several implementations, it compiles each of these loops
   * by itself, and well; inlined into one method, some of them would stay scalar.
   *
   * <p>JDK 17 does not vectorise a sum of two products, so a loop begins with three products, or
   * adds each product to the sum before.
   */
  private abstract static class Channel {
    /** Starts sums with three weighted lines. */
    abstract void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n);

    /** Adds two weighted lines to each sum. */
    abstract void add(int[] sums, int[] p, int v, int[] q, int w, int n);
  }

  private static final class Red extends Channel {
    @Override
    void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = (p[i] & 255) * v + (q[i] & 255) * w + (r[i] & 255) * x + HALF;
      }
    }

    @Override
    void add(int[] sums, int[] p, int v, int[] q, int w, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = sums[i] + (p[i] & 255) * v + (q[i] & 255) * w;
      }
    }
  }

  private static final class Green extends Channel {
    @Override
    void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] =
            ((p[i] >> 8) & 255) * v + ((q[i] >> 8) & 255) * w + ((r[i] >> 8) & 255) * x + HALF;
      }
    }

    @Override
    void add(int[] sums, int[] p, int v, int[] q, int w, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = sums[i] + ((p[i] >> 8) & 255) * v + ((q[i] >> 8) & 255) * w;
      }
    }
  }

  private static final class Blue extends Channel {
    @Override
    void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] =
            ((p[i] >> 16) & 255) * v + ((q[i] >> 16) & 255) * w + ((r[i] >> 16) & 255) * x + HALF;
      }
    }

    @Override
    void add(int[] sums, int[] p, int v, int[] q, int w, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = sums[i] + ((p[i] >> 16) & 255) * v + ((q[i] >> 16) & 255) * w;
      }
    }
  }

  private static final class Alpha extends Channel {
    @Override
    void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = (p[i] >>> 24) * v + (q[i] >>> 24) * w + (r[i] >>> 24) * x + HALF;
      }
    }

    @Override
    void add(int[] sums, int[] p, int v, int[] q, int w, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = sums[i] + (p[i] >>> 24) * v + (q[i] >>> 24) * w;
      }
    }
  }

  /** The channel of pixels with a single sample. */
  private static final class Whole extends Channel {
    @Override
    void begin(int[] sums, int[] p, int v, int[] q, int w, int[] r, int x, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = p[i] * v + q[i] * w + r[i] * x + HALF;
      }
    }

    @Override
    void add(int[] sums, int[] p, int v, int[] q, int w, int n) {
      for (int i = 0; i < n; i++) {
        sums[i] = sums[i] + p[i] * v + q[i] * w;
      }
    }
  }
}
