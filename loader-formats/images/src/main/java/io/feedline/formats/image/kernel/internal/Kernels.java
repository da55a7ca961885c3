package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.internal.VectorApi;
import java.lang.invoke.MethodHandles;

/**
 * The inner loops of resizing: {@link PlainKernels}, which the JIT compiler turns into vector
 * instructions where it can, and {@code VectorKernels} on the JDK's Vector API. Both give the same
 * results bit for bit. Immutable and thread-safe.
 *
 * <p>Source pixels are packed as in {@link PixelRows}. Resized rows have samples 0..255; each class
 * chooses planes or packed pixels. The vertical pass makes planes of red, green and blue sums with
 * {@link Taps#WEIGHT_BITS} fractional bits. {@link GrayKernels} and {@link RgbaKernels} use the
 * loops for one and four channels. {@link WideKernels}, for samples of 16 bits, compute in floating
 * point and have no fractional bits.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Plain kernels add up weighted columns of the source instead of gathering pixels ({@link
 * PlainKernels}), which takes 0.8 to 0.9 of the time when resizing 300 and 400 pixels to 224.
 * Slower alternatives: gathering pixels side by side; one scalar loop over packed pixels (twice the
 * time); two channels in the halves of a long (a third more time); weights at an offset in their
 * array (three times the time, since JDK 17 and 25 then vectorise nothing).
 *
 * <p>The horizontal pass of vector kernels over 300 rows of 300 pixels takes 44 to 59 microseconds
 * if lanes select from two loaded vectors, 58 to 60 with shuffles that are made once per image, and
 * 106 to 118 with gather instructions. Two rows at a time gain nothing. For 500 pixels a window of
 * three vectors takes 133 to 151 microseconds, gather instructions take 279 to 320. With vectors of
 * 256 bits ({@code -XX:UseAVX=2}) selecting takes 67 to 82 microseconds.
 */
public abstract class Kernels {
  /**
   * The number of rows to resize at once: few enough that source rows and resized rows stay in the
   * first-level cache, and enough that decoders can share work between neighboring rows.
   */
  private static final int ROWS_AT_ONCE = 4;

  static final int SHIFT = Taps.WEIGHT_BITS;
  static final int HALF = Taps.HALF;

  /** Returns the fastest kernels that this JVM can run. */
  static Kernels best() {
    return Best.KERNELS;
  }

  /**
   * Returns the kernels for a mode.
   *
   * @param blends whether a pixel of the result is computed from several source pixels
   */
  public static Kernels of(ImageMode mode, boolean blends) {
    return switch (mode) {
      case RGB -> best();
      case GRAY -> new GrayKernels(best());
      case RGBA -> new RgbaKernels(best(), blends);
      case GRAY16 -> new WideKernels();
    };
  }

  /**
   * The holder of the best kernels. A separate class avoids a deadlock: Kernels must not initialize
   * its subclasses while another thread initializes a subclass.
   */
  private static final class Best {
    static final Kernels KERNELS =
        VectorApi.kernels(
            MethodHandles.lookup(), Kernels.class, "VectorKernels", PlainKernels::new);
  }

  public int channels() {
    return 3;
  }

  /** Returns whether the kernels need {@link Taps#fractions}. */
  public boolean needsFractions() {
    return false;
  }

  /** Returns how many of {@code rows} source rows to resize at once. */
  public int rowsAtOnce(int width, int rows) {
    return ROWS_AT_ONCE;
  }

  /** Returns the number of ints in a resized row. */
  public final int resizedLength(int width) {
    return resizedLength(channels(), width);
  }

  int resizedLength(int channels, int width) {
    return channels * width;
  }

  /** Resizes neighboring rows horizontally. */
  public final void horizontal(Band band) {
    horizontal(channels(), band);
  }

  /** Resizes neighboring rows of 1, 3 or 4 channels horizontally. */
  abstract void horizontal(int channels, Band band);

  /**
   * Neighboring rows to resize.
   *
   * @param y the first row in the source
   * @param count how many rows
   * @param rows arrays that receive a row each, {@code taps.length()} pixels; other elements stay
   *     unchanged
   * @param first the index of a row's first pixel in its array
   * @param width the width of the resized rows, in pixels
   */
  public record Band(
      PixelRows source,
      int y,
      int count,
      Taps taps,
      Workspace workspace,
      int[][] rows,
      int first,
      int width) {}

  /**
   * Adds up weighted rows to one output row of the vertical pass.
   *
   * @param ring the rows; row r is in {@code ring[r % size]}
   * @param size the number of rows in the ring
   * @param i the number of the output row
   * @param sums receives {@code HALF + sum of row * weight} for each sample, channel after channel
   * @param width the width of the rows, in pixels
   */
  public final void vertical(int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    vertical(channels(), ring, size, taps, i, sums, width);
  }

  abstract void vertical(
      int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width);

  /** Converts each of {@code 3 * n} sums to a float, in the same order. May overwrite the sums. */
  public abstract void planar(int[] sums, int n, PixelTable table, float[] out);

  /**
   * Converts {@code n} sums of one channel to floats, from index {@code from} on in both arrays.
   */
  abstract void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out);

  /** Works like {@link #planar}, but puts the channels of a pixel side by side. */
  public abstract void interleaved(int[] sums, int n, PixelTable table, float[] out);

  /** Rounds {@code n} sums to bytes, in the same order. May overwrite the sums. */
  abstract void bytes(int[] sums, int n, byte[] out);

  /** Converts {@code 3 * n} sums to {@code n} packed pixels. May overwrite the sums. */
  abstract void packed(int[] sums, int n, int[] out, int at);

  /** Converts {@code n} sums, from index {@code from} on, to samples, 0 to 255. */
  abstract void samples(int[] sums, int from, int n, int[] out, int at);
}
