package io.feedline.formats.image.kernel.internal;

/** Kernels for another number of channels than three, composed of those for three and one. */
abstract class CompositeKernels extends Kernels {
  private final Kernels loops;

  CompositeKernels(Kernels loops) {
    this.loops = loops;
  }

  /** Returns the kernels used for the loops. */
  final Kernels loops() {
    return loops;
  }

  @Override
  public final int overrun() {
    return loops.overrun();
  }

  @Override
  final void horizontalOfOne(int[] pixels, int from, Taps taps, int[] row, int first) {
    loops.horizontalOfOne(pixels, from, taps, row, first);
  }

  @Override
  final void add(int[] sums, int[] row, int weight, int n) {
    loops.add(sums, row, weight, n);
  }

  @Override
  final void add(int[] sums, int[] a, int weightA, int[] b, int weightB, int n) {
    loops.add(sums, a, weightA, b, weightB, n);
  }

  @Override
  final int begin(int[][] ring, int size, Taps taps, int i, int count, int[] sums, int n) {
    return loops.begin(ring, size, taps, i, count, sums, n);
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
