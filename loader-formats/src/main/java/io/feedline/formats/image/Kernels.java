package io.feedline.formats.image;

import io.feedline.formats.VectorApi;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;

/**
 * The inner loops of resizing: {@link PlainKernels}, which the JIT compiler turns into vector
 * instructions where it can, and {@code VectorKernels} on the JDK's Vector API. Both give the same
 * results bit for bit. Immutable and thread-safe.
 *
 * <p>Source pixels are packed, as {@link PixelRows} has them. Resized rows are int arrays of three
 * planes, red, green, blue; their values are 0..255 after the horizontal pass, and sums with {@link
 * Taps#WEIGHT_BITS} fractional bits after the vertical one.
 */
abstract class Kernels {
  static final int SHIFT = Taps.WEIGHT_BITS;
  static final int HALF = Taps.HALF;

  /** The fastest ones that this JVM can run. */
  static Kernels best() {
    return Best.KERNELS;
  }

  /** Apart, since a class that initialises its subclasses can meet itself in another thread. */
  private static final class Best {
    static final Kernels KERNELS =
        VectorApi.kernels(
            MethodHandles.lookup(), Kernels.class, "VectorKernels", PlainKernels::new);
  }

  /** How many ints behind a row's last pixel are read, and ignored. */
  abstract int overrun();

  /**
   * Resizes a row.
   *
   * @param pixels packed
   * @param from the index of the first pixel that {@code taps} refers to
   * @param row receives {@code taps.length()} pixels; its other samples stay as they are
   * @param first the index of the first of them in the first plane
   * @param plane from one plane to the next
   */
  abstract void horizontal(int[] pixels, int from, Taps taps, int[] row, int first, int plane);

  /**
   * Adds up weighted rows: one output row of the vertical pass.
   *
   * @param ring row r is in {@code ring[r % size]}
   * @param size the number of rows in the ring
   * @param i which output row
   * @param sums receives {@code HALF + sum of row * weight} for each sample
   * @param n the number of samples in a row
   */
  final void vertical(int[][] ring, int size, Taps taps, int i, int[] sums, int n) {
    int[] weights = taps.weights();
    int start = taps.starts()[i];
    int step = taps.length();
    int count = taps.count();
    Arrays.fill(sums, 0, n, HALF);
    int k = 0;
    for (int w = i; k + 1 < count; k += 2, w += 2 * step) {
      int[] a = ring[(start + k) % size];
      int[] b = ring[(start + k + 1) % size];
      add(sums, a, weights[w], b, weights[w + step], n);
    }
    if (k < count) {
      add(sums, ring[(start + k) % size], weights[k * step + i], n);
    }
  }

  /** Adds a weighted row to the first {@code n} sums. */
  abstract void add(int[] sums, int[] row, int weight, int n);

  /** Adds two weighted rows to the first {@code n} sums. */
  abstract void add(int[] sums, int[] a, int weightA, int[] b, int weightB, int n);

  /** Makes {@code 3 * n} floats of as many sums, in the same order. May overwrite the sums. */
  abstract void planar(int[] sums, int n, PixelTable table, float[] out);

  /**
   * Makes {@code 3 * n} floats of as many sums, the channels of a pixel side by side. May overwrite
   * the sums.
   */
  abstract void interleaved(int[] sums, int n, PixelTable table, float[] out);

  /** Makes {@code n} bytes of as many sums, in the same order. May overwrite the sums. */
  abstract void bytes(int[] sums, int n, byte[] out);

  /** Makes {@code n} packed pixels of {@code 3 * n} sums. May overwrite the sums. */
  abstract void packed(int[] sums, int n, int[] out, int at);
}
