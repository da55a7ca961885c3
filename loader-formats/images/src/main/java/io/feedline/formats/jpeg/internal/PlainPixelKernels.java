package io.feedline.formats.jpeg.internal;

/**
 * The kernels in plain Java, in a form that C2 compiles to vector instructions on JDK 17 and on JDK
 * 25. All indexes start at 0 and differ by constants, and values are ints. A loop has few stores
 * and one clip, so red, green and blue have a loop each. A clip is written with shifts, because
 * {@code Math.min} of ints is not vectorized on JDK 17.
 */
public final class PlainPixelKernels extends PixelKernels {
  private final PlainTransform transform = new PlainTransform();
  private int[] cb = {};
  private int[] cr = {};

  @Override
  boolean transform(int size, int[] coefficients, int from, int to, int[] left, int[] right) {
    return switch (size) {
      case 8 -> transform.eight(coefficients, left, right);
      case 4 -> transform.four(coefficients, left);
      case 2 -> transform.two(coefficients, left);
      default -> PlainTransform.one(coefficients, left);
    };
  }

  @Override
  boolean keepsCoefficients() {
    return false;
  }

  @Override
  void unpack(int[] words, int shift, int[] samples, int n) {
    for (int i = 0; i < n; i++) {
      samples[i] = (words[i] >>> shift) & 255;
    }
  }

  @Override
  void blendPacked(
      int[] near, int[] far, int wordShift, int rounding, int shift, int[] blended, int n) {
    for (int i = 0; i < n; i++) {
      int a = (near[i] >>> wordShift) & 255;
      int b = (far[i] >>> wordShift) & 255;
      blended[i] = (3 * a + b + rounding) >> shift;
    }
  }

  @Override
  void blend(int[] near, int[] far, int rounding, int shift, int[] blended, int n) {
    for (int i = 0; i < n; i++) {
      blended[i] = (3 * near[i] + far[i] + rounding) >> shift;
    }
  }

  @Override
  void color(int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n) {
    red(luma, lumaShift, cr, chromaShift, pixels, n);
    green(luma, lumaShift, cb, cr, chromaShift, pixels, n);
    blue(luma, lumaShift, cb, chromaShift, pixels, n);
  }

  @Override
  void blendedColor(
      int[] luma,
      int lumaShift,
      int[] cbNear,
      int[] cbFar,
      int[] crNear,
      int[] crFar,
      int rounding,
      int shift,
      int[] pixels,
      int n) {
    if (cb.length < n) {
      cb = new int[Plane.roomFor(n)];
      cr = new int[cb.length];
    }
    blend(cbNear, cbFar, rounding, shift, cb, n);
    blend(crNear, crFar, rounding, shift, cr, n);
    color(luma, lumaShift, cb, cr, 0, pixels, n);
  }

  private static void red(
      int[] luma, int lumaShift, int[] cr, int chromaShift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      int v = (cr[i] >>> chromaShift) & 255;
      int offset = (CR_TO_RED * v + RED_BIAS) >> 16;
      pixels[i] = clip(((luma[i] >>> lumaShift) & 255) + offset);
    }
  }

  private static void green(
      int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      int u = (cb[i] >>> chromaShift) & 255;
      int v = (cr[i] >>> chromaShift) & 255;
      int offset = (CB_TO_GREEN * u + CR_TO_GREEN * v + GREEN_BIAS) >> 16;
      pixels[i] |= clip(((luma[i] >>> lumaShift) & 255) + offset) << 8;
    }
  }

  private static void blue(
      int[] luma, int lumaShift, int[] cb, int chromaShift, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      int u = (cb[i] >>> chromaShift) & 255;
      int offset = (CB_TO_BLUE * u + BLUE_BIAS) >> 16;
      pixels[i] |= clip(((luma[i] >>> lumaShift) & 255) + offset) << 16;
    }
  }

  static int clip(int value) {
    int atLeast0 = value & ~(value >> 31);
    return (atLeast0 | ((255 - atLeast0) >> 31)) & 255;
  }
}
