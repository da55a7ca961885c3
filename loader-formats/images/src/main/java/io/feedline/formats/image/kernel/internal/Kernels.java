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
 * <p>Source pixels are packed as in {@link PixelRows}. Resized rows have samples 0..255, in planes
 * or packed, by the kernels' choice. After the vertical pass there are planes, red, green, blue, of
 * sums with {@link Taps#WEIGHT_BITS} fractional bits. {@link GrayKernels} and {@link RgbaKernels}
 * put them together for one and four channels; {@link WideKernels}, for samples of 16 bits, compute
 * in floating point and have no fractional bits.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Plain kernels weigh columns of the source instead of gathering pixels ({@link PlainKernels}),
 * which takes 0.8 to 0.9 of the time from 300 and 400 pixels to 224. Tried and slower: gathering
 * pixels side by side, everything in one scalar loop over packed pixels (twice the time), two
 * channels in the halves of a long (a third more), weights at an offset in their array (three
 * times, for then JDK 17 and 25 vectorise nothing).
 *
 * <p>Vector kernels, horizontal pass of 300 rows of 300: selecting from two loaded vectors 44 to 59
 * microseconds; with shuffles made once per image and kept 58 to 60; by gather instructions 106 to
 * 118. Two rows at a time gain nothing. From 500 a window of three vectors takes 133 to 151,
 * gathers 279 to 320. With vectors of 256 bits ({@code -XX:UseAVX=2}) selecting takes 67 to 82.
 */
public abstract class Kernels {
  /**
   * Few enough that source rows and resized ones stay in the first-level cache, and enough that
   * decoders can share work between neighbors.
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
   * @param blends whether pixels are computed of several others
   */
  public static Kernels of(ImageMode mode, boolean blends) {
    return switch (mode) {
      case RGB -> best();
      case GRAY -> new GrayKernels(best());
      case RGBA -> new RgbaKernels(best(), blends);
      case GRAY16 -> new WideKernels();
    };
  }

  /** Apart, since a class that initializes its subclasses can meet itself in another thread. */
  private static final class Best {
    static final Kernels KERNELS =
        VectorApi.kernels(
            MethodHandles.lookup(), Kernels.class, "VectorKernels", PlainKernels::new);
  }

  public int channels() {
    return 3;
  }

  /** Tests whether the kernels need {@link Taps#fractions}. */
  public boolean needsFractions() {
    return false;
  }

  /** Returns the number of source rows, of {@code rows}, that are best resized at once. */
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

  /** Resizes neighboring rows. */
  public final void horizontal(Band band) {
    horizontal(channels(), band);
  }

  /** Resizes neighboring rows of 1, 3 or 4 channels. */
  abstract void horizontal(int channels, Band band);

  /**
   * Neighboring rows to resize.
   *
   * @param y the first row in the source
   * @param count how many
   * @param rows receives a row in each array, {@code taps.length()} pixels each; other pixels of an
   *     array stay unchanged
   * @param first the place of a row's first pixel in its array
   * @param width of the resized rows, in pixels
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
   * @param ring row r is in {@code ring[r % size]}
   * @param size the number of rows in the ring
   * @param i which output row
   * @param sums receives {@code HALF + sum of row * weight} for each sample, channel after channel
   * @param width of the rows, in pixels
   */
  public final void vertical(int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    vertical(channels(), ring, size, taps, i, sums, width);
  }

  abstract void vertical(
      int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width);

  /** Makes a float of each of {@code 3 * n} sums, in the same order. May overwrite the sums. */
  public abstract void planar(int[] sums, int n, PixelTable table, float[] out);

  /**
   * Makes a float of each of {@code n} sums of one channel, from {@code from} on in both arrays.
   */
  abstract void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out);

  /**
   * Makes a float of each of {@code 3 * n} sums, with the channels of a pixel side by side. May
   * overwrite the sums.
   */
  public abstract void interleaved(int[] sums, int n, PixelTable table, float[] out);

  /** Makes a byte of each of {@code n} sums, in the same order. May overwrite the sums. */
  abstract void bytes(int[] sums, int n, byte[] out);

  /** Makes {@code n} packed pixels of {@code 3 * n} sums. May overwrite the sums. */
  abstract void packed(int[] sums, int n, int[] out, int at);

  /** Makes {@code n} samples, 0 to 255, of the sums from {@code from} on. */
  abstract void samples(int[] sums, int from, int n, int[] out, int at);
}
