package io.feedline.formats.jpeg.internal;

import io.feedline.formats.internal.VectorApi;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops between coefficients and pixels. A kernel does the same with each of {@code n}
 * neighboring ints, which belong to neighboring MCUs; {@link PixelPlanes} draws the layout. There
 * are {@link PlainPixelKernels} and, on the JDK's Vector API, {@code VectorPixelKernels}; both
 * compute the same bytes. Vector kernels need about 0.4 of the plain kernels' time for the
 * transform, and 0.7 to 0.8 of it for pixels.
 *
 * <p>Arrays are used from index 0 on. The arrays of a tile have room for {@link #SLACK} ints more
 * than {@code n}. An implementation may read and write there, so that it needs no extra loop for
 * the last ints.
 */
abstract class PixelKernels {
  static final int SLACK = 16;

  // The coefficients of ITU-R BT.601 as in jdcolor.c, times 2^16. Chroma is centered on 128; the
  // biases subtract this center and round.
  static final int CR_TO_RED = 91881;
  static final int CB_TO_GREEN = -22554;
  static final int CR_TO_GREEN = -46802;
  static final int CB_TO_BLUE = 116130;
  static final int RED_BIAS = (1 << 15) - 128 * CR_TO_RED;
  static final int GREEN_BIAS = (1 << 15) - 128 * (CB_TO_GREEN + CR_TO_GREEN);
  static final int BLUE_BIAS = (1 << 15) - 128 * CB_TO_BLUE;

  /** Returns this machine's fastest kernels, with scratch space: each caller needs its own. */
  static PixelKernels create() {
    return VectorApi.kernels(
        MethodHandles.lookup(), PixelKernels.class, "VectorPixelKernels", PlainPixelKernels::new);
  }

  /**
   * Computes the inverse DCT of the slots from {@code from} to before {@code to}, clipped to
   * samples 0..255, in the form of {@link BlockSamples}. {@code size} is the number of samples of a
   * block in either direction: 8, 4, 2 or 1. The coefficients stay unchanged, unless the size is 8
   * and {@link #keepsCoefficients} is false.
   *
   * @return false if 16 bits may not be enough for some block. Then the coefficients are unchanged,
   *     {@code left} and {@code right} are undefined, and the caller uses {@link
   *     SixteenBitTransform}
   */
  abstract boolean transform(
      int size, int[] coefficients, int from, int to, int[] left, int[] right);

  abstract boolean keepsCoefficients();

  /** Returns the kernels for {@link RowPlanes}, or null if {@link PhasePlanes} are as fast. */
  @Nullable RowKernels rows() {
    return null;
  }

  /** Stores, of each word, the byte that begins at bit {@code shift}. */
  abstract void unpack(int[] words, int shift, int[] samples, int n);

  /** Blends like {@link #blend}, but only the bytes that begin at bit {@code wordShift}. */
  abstract void blendPacked(
      int[] near, int[] far, int wordShift, int rounding, int shift, int[] blended, int n);

  /** Stores {@code blended = (3 * near + far + rounding) >> shift}. */
  abstract void blend(int[] near, int[] far, int rounding, int shift, int[] blended, int n);

  /** Computes pixels from luma and chroma; the shifts are the bits at which the bytes begin. */
  abstract void color(
      int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n);

  /** Computes pixels like {@link #color}, from chroma that it {@linkplain #blend blends} first. */
  abstract void blendedColor(
      int[] luma,
      int lumaShift,
      int[] cbNear,
      int[] cbFar,
      int[] crNear,
      int[] crFar,
      int rounding,
      int shift,
      int[] pixels,
      int n);

  void rgb(int[] red, int redShift, int[] green, int[] blue, int otherShift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] =
          ((red[i] >>> redShift) & 255)
              | ((green[i] >>> otherShift) & 255) << 8
              | ((blue[i] >>> otherShift) & 255) << 16;
    }
  }

  void gray(int[] luma, int shift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] = ((luma[i] >>> shift) & 255) * 0x010101;
    }
  }

  /**
   * Stores {@code pixels[to + i * step + k] = phases[first + k][at + i]}, for k from 0 to 3, and i
   * from 0 to n - 1.
   */
  void spreadFour(int[][] phases, int first, int at, int[] pixels, int to, int step, int n) {
    int[] a = phases[first];
    int[] b = phases[first + 1];
    int[] c = phases[first + 2];
    int[] d = phases[first + 3];
    for (int i = at, o = to; i < at + n; i++, o += step) {
      pixels[o] = a[i];
      pixels[o + 1] = b[i];
      pixels[o + 2] = c[i];
      pixels[o + 3] = d[i];
    }
  }
}
