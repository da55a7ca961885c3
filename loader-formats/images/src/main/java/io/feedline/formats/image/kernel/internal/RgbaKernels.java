package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/**
 * The loops for colors and alpha. When an image is resampled, colors are multiplied by alpha before
 * and divided by it afterwards, as in Pillow, so the colors of transparent pixels do not affect
 * their neighbors. An object serves one image. Not thread-safe.
 */
public final class RgbaKernels extends CompositeKernels {
  private static final int CHANNELS = 4;

  private final boolean multiplied;
  private int[] alphas = {};
  private float[] planes = {};

  public RgbaKernels(Kernels loops, boolean multiplied) {
    super(loops);
    this.multiplied = multiplied;
  }

  @Override
  public int channels() {
    return CHANNELS;
  }

  @Override
  void horizontal(int channels, Band band) {
    PixelRows given = multiplied ? new MultipliedRows(band.source()) : band.source();
    super.horizontal(
        channels,
        new Band(
            given,
            band.y(),
            band.count(),
            band.taps(),
            band.workspace(),
            band.rows(),
            band.first(),
            band.width()));
  }

  private record MultipliedRows(PixelRows rows) implements DerivedRows {

    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      rows.read(y, count, pixels, offset, stride);
      for (int from = offset; from < offset + count * stride; from += stride) {
        for (int i = from; i < from + width(); i++) {
          pixels[i] = PackedRgb.multiplied(pixels[i]) | (pixels[i] & 0xFF000000);
        }
      }
    }
  }

  /** Divides the colors of {@code n} pixels by their alpha. */
  private void divide(int[] sums, int n) {
    if (!multiplied) {
      return;
    }
    for (int i = 0; i < n; i++) {
      int alpha = sample(sums[3 * n + i]);
      if (alpha != 0 && alpha != 255) {
        for (int at = i; at < 3 * n; at += n) {
          sums[at] = PackedRgb.divided(sample(sums[at]), alpha) << SHIFT;
        }
      }
    }
  }

  private static int sample(int sum) {
    return Math.max(0, Math.min(255, sum >> SHIFT));
  }

  @Override
  public void planar(int[] sums, int n, PixelTable table, float[] out) {
    divide(sums, n);
    loops().planar(sums, n, table, out);
    loops().plane(sums, 3 * n, n, 3, table, out);
  }

  @Override
  public void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    if (planes.length < CHANNELS * n) {
      planes = new float[CHANNELS * n];
    }
    planar(sums, n, table, planes);
    for (int i = 0, o = 0; i < n; i++) {
      for (int at = i; at < CHANNELS * n; at += n) {
        out[o++] = planes[at];
      }
    }
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    divide(sums, n / CHANNELS);
    loops().bytes(sums, n, out);
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    divide(sums, n);
    if (alphas.length < n) {
      alphas = new int[n];
    }
    loops().samples(sums, 3 * n, n, alphas, 0);
    loops().packed(sums, n, out, at);
    for (int i = 0; i < n; i++) {
      out[at + i] |= alphas[i] << 24;
    }
  }
}
