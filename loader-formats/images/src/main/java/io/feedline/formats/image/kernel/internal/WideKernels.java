package io.feedline.formats.image.kernel.internal;

/**
 * The loops for one channel of 16 bits. They compute in float64 and round to a whole value after
 * each pass, as Pillow does in mode {@code I;16}. Values that a filter takes beyond 0..65535 are
 * clipped, which Pillow does not manage: there 65536 becomes 65280. "Sums" are finished values.
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

  @Override
  public int overrun() {
    return 0;
  }

  private static int round(double value) {
    return Math.min(LAST, (int) Math.floor(Math.max(0, value) + 0.5));
  }

  @Override
  public void horizontal(int[] pixels, int from, Taps taps, int[] row, int first, int plane) {
    horizontalOfOne(pixels, from, taps, row, first);
  }

  @Override
  void horizontalOfOne(int[] pixels, int from, Taps taps, int[] row, int first) {
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
  public void vertical(int[][] ring, int size, Taps taps, int i, int[] sums, int n) {
    int start = taps.starts()[i];
    int step = taps.length();
    int count = taps.count();
    double[] fractions = taps.fractions();
    for (int x = 0; x < n; x++) {
      double sum = 0;
      for (int k = 0; k < count; k++) {
        sum += ring[(start + k) % size][x] * fractions[k * step + i];
      }
      sums[x] = round(sum);
    }
  }

  @Override
  void add(int[] sums, int[] row, int weight, int n) {
    throw notEightBits();
  }

  @Override
  void add(int[] sums, int[] a, int weightA, int[] b, int weightB, int n) {
    throw notEightBits();
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
    throw notEightBits();
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    System.arraycopy(sums, 0, out, at, n);
  }

  @Override
  void samples(int[] sums, int from, int n, int[] out, int at) {
    System.arraycopy(sums, from, out, at, n);
  }

  private static AssertionError notEightBits() {
    return new AssertionError("samples of 16 bits neither fit into bytes nor into fixed point");
  }
}
