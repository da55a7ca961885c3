package io.feedline.formats.image.kernel.internal;

/** The loops for one channel of 8 bits. */
public final class GrayKernels extends CompositeKernels {

  public GrayKernels(Kernels loops) {
    super(loops);
  }

  @Override
  public int channels() {
    return 1;
  }

  @Override
  public void planar(int[] sums, int n, PixelTable table, float[] out) {
    loops().plane(sums, 0, n, 0, table, out);
  }

  @Override
  public void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    planar(sums, n, table, out);
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    loops().bytes(sums, n, out);
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    loops().samples(sums, 0, n, out, at);
  }
}
