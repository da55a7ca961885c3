package io.feedline.formats.jpeg.internal;

import io.feedline.formats.internal.VectorApi;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops between coefficients and pixels. All kernels treat each of {@code n} neighboring
 * ints alike, which belong to neighboring MCUs; {@link PixelPlanes} draws the layout. *
 *
 * <p>There are two implementations, with the same bytes as result: {@link PlainPixelKernels}, whose
 * loops the JIT compiler turns into vector instructions as well as it can, and {@code
 * VectorPixelKernels} on the JDK's Vector API. To add an implementation, extend this class, choose
 * it in {@link #create}, and give it a test that extends {@code PixelKernelsContract}.
 *
 * <p>What they take in context, in nanoseconds of one thread of a busy AMD EPYC with AVX-512
 * (Debian's JDK 17.0.15, Temurin 25.0.3), for 300 x 300 pixels:
 *
 * <pre>
 *                                        17 plain  17 vector  25 plain  25 vector
 *   transform, a block, full batch           33         14        34         14
 *   transform and store, a block, 4:2:0      70         27        74         27
 *   tile and read, a pixel, 4:4:4           1.26       0.86      1.22       0.85
 *                           4:2:2           1.74       1.34      1.73       1.32
 *                           4:2:0           1.81       1.39      1.80       1.41
 * </pre>
 *
 * <p>The plain transform always does a full batch, however few blocks are in it. The figures of
 * tiles are for {@link PhasePlanes}; with vectors, {@link RowPlanes} takes 0.35 of that time for
 * 4:2:0 and 0.4 for 4:4:4, on JDK 25 and by a profile of whole images.
 *
 * <p>Arrays are used from index 0 on. Those of a tile have room for {@link #SLACK} ints more than
 * {@code n}: an implementation may read and write there, so that it needs no loop for the rest.
 */
abstract class PixelKernels {
  /** The ints beyond the end of a run that may be read and written; 16 is a vector of 512 bits. */
  static final int SLACK = 16;

  // The coefficients of ITU-R BT.601 as jdcolor.c has them, times 2^16. Chroma is centerd on 128;
  // the biases remove that and round.
  static final int CR_TO_RED = 91881;
  static final int CB_TO_GREEN = -22554;
  static final int CR_TO_GREEN = -46802;
  static final int CB_TO_BLUE = 116130;
  static final int RED_BIAS = (1 << 15) - 128 * CR_TO_RED;
  static final int GREEN_BIAS = (1 << 15) - 128 * (CB_TO_GREEN + CR_TO_GREEN);
  static final int BLUE_BIAS = (1 << 15) - 128 * CB_TO_BLUE;

  /**
   * The kernels that are fastest here. Returns kernels with scratch space of their own: each caller
   * needs its own instance.
   */
  static PixelKernels create() {
    return VectorApi.kernels(
        MethodHandles.lookup(), PixelKernels.class, "VectorPixelKernels", PlainPixelKernels::new);
  }

  /**
   * The inverse DCT, clipped to samples 0..255. Samples x of row y of the block in slot s are in
   * byte {@code x % 4} of {@code left[y * BLOCKS + s]}, or {@code right} from x = 4 on.
   *
   * @param size the samples of a block in either direction: 8, 4, 2 or 1
   * @param coefficients as in {@link Coefficients#values}; the values stay, but where {@code size}
   *     is 8 only if {@link #keepsCoefficients}
   * @param from the first slot that matters
   * @param to the slot after the last that matters
   * @return false, with the coefficients as they were and nothing in {@code left} and {@code right}
   *     of use, if 16 bits may not suffice for some block: then {@link SixteenBitTransform} is to
   *     do it
   */
  abstract boolean transform(
      int size, int[] coefficients, int from, int to, int[] left, int[] right);

  /** Tests whether {@link #transform} always keeps the coefficients. */
  abstract boolean keepsCoefficients();

  /** Kernels for {@link RowPlanes}, or null where {@link PhasePlanes} are as fast. */
  @Nullable RowKernels rows() {
    return null;
  }

  /** {@code samples = byte of words}, the byte at bit {@code shift}. */
  abstract void unpack(int[] words, int shift, int[] samples, int n);

  /**
   * {@code blended = (3 * byte of near + byte of far + rounding) >> shift}, the bytes at bit {@code
   * wordShift}.
   */
  abstract void blendPacked(
      int[] near, int[] far, int wordShift, int rounding, int shift, int[] blended, int n);

  /** {@code blended = (3 * near + far + rounding) >> shift}. */
  abstract void blend(int[] near, int[] far, int rounding, int shift, int[] blended, int n);

  /**
   * Pixels from luma and chroma.
   *
   * @param lumaShift the bit of {@code luma} where the byte is
   * @param chromaShift the bit of {@code cb} and {@code cr} where the byte is
   */
  abstract void color(
      int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n);

  /** {@link #color} with both chroma components {@link #blend blended} before. */
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

  /** Pixels from red, green and blue; parameters as of {@link #color}. */
  void rgb(int[] red, int redShift, int[] green, int[] blue, int otherShift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] =
          ((red[i] >>> redShift) & 255)
              | ((green[i] >>> otherShift) & 255) << 8
              | ((blue[i] >>> otherShift) & 255) << 16;
    }
  }

  /** Pixels from luma alone. */
  void gray(int[] luma, int shift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] = ((luma[i] >>> shift) & 255) * 0x010101;
    }
  }

  /**
   * Four phases to every {@code step}-th pixel: {@code pixels[to + i * step + k] = phases[first +
   * k][at + i]}, for k from 0 to 3 and i from 0 to n - 1.
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
