package io.feedline.formats.image.kernel.internal;

/** Kernels for one or four channels, which call other kernels with this number of channels. */
abstract class CompositeKernels extends Kernels {
  private final Kernels loops;

  CompositeKernels(Kernels loops) {
    this.loops = loops;
  }

  final Kernels loops() {
    return loops;
  }

  @Override
  public final int rowsAtOnce(int width, int rows) {
    return loops.rowsAtOnce(width, rows);
  }

  @Override
  final int resizedLength(int channels, int width) {
    return loops.resizedLength(channels, width);
  }

  @Override
  void horizontal(int channels, Band band) {
    loops.horizontal(channels, band);
  }

  @Override
  final void vertical(
      int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    loops.vertical(channels, ring, size, taps, i, sums, width);
  }

  @Override
  final void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out) {
    loops.plane(sums, from, n, channel, table, out);
  }

  @Override
  final void samples(int[] sums, int from, int n, int[] out, int at) {
    loops.samples(sums, from, n, out, at);
  }
}
