package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;

/**
 * The loops for one channel of 16 bits. They compute in float64 and round to a whole value after
 * each pass, as Pillow does in mode {@code I;16}. Values beyond 0..65535 are clipped; Pillow's
 * overflow: 65536 becomes 65280. The {@code sums} are whole values, without fractional bits.
 */
final class WideKernels extends Kernels {
  private static final int LAST = 0xFFFF;

  @Override
  public int channels() {
    return 1;
  }

  @Override
  public boolean needsFractions() {
    return true;
  }

  private static int round(double value) {
    return Math.min(LAST, (int) Math.floor(Math.max(0, value) + 0.5));
  }

  @Override
  void horizontal(int channels, Band band) {
    PixelRows source = band.source();
    int count = band.count();
    int stride = source.width();
    int[] pixels = band.workspace().window(count * stride);
    source.read(band.y(), count, pixels, 0, stride);
    for (int r = 0; r < count; r++) {
      horizontal(pixels, r * stride, band.taps(), band.rows()[r], band.first());
    }
  }

  private static void horizontal(int[] pixels, int from, Taps taps, int[] row, int first) {
    int n = taps.length();
    int count = taps.count();
    int[] starts = taps.starts();
    double[] fractions = taps.fractions();
    for (int x = 0; x < n; x++) {
      double sum = 0;
      int at = from + starts[x];
      for (int k = 0; k < count; k++) {
        sum += pixels[at + k] * fractions[k * n + x];
      }
      row[first + x] = round(sum);
    }
  }

  @Override
  void vertical(int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    int start = taps.starts()[i];
    int step = taps.length();
    int count = taps.count();
    double[] fractions = taps.fractions();
    for (int x = 0; x < width; x++) {
      double sum = 0;
      for (int k = 0; k < count; k++) {
        sum += ring[(start + k) % size][x] * fractions[k * step + i];
      }
      sums[x] = round(sum);
    }
  }

  @Override
  public void planar(int[] sums, int n, PixelTable table, float[] out) {
    plane(sums, 0, n, 0, table, out);
  }

  @Override
  void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out) {
    float mean = table.mean(channel);
    float std = table.std(channel);
    for (int i = from; i < from + n; i++) {
      out[i] = (table.fraction(sums[i]) - mean) / std;
    }
  }

  @Override
  public void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    planar(sums, n, table, out);
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    throw new AssertionError("samples of 16 bits neither fit into bytes nor into fixed point");
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    System.arraycopy(sums, 0, out, at, n);
  }

  @Override
  void samples(int[] sums, int from, int n, int[] out, int at) {
    System.arraycopy(sums, from, out, at, n);
  }
}
