package io.feedline.formats.image;

/** The loops in plain Java. */
final class PlainKernels extends Kernels {
  private static final int OFFSET = PixelTable.OFFSET;

  @Override
  int overrun() {
    return 0;
  }

  @Override
  void horizontal(int[] pixels, int from, Taps taps, int[] row, int first, int plane) {
    int n = taps.length();
    int count = taps.count();
    int[] tapped = taps.scratch(3 * n);
    int done;
    // 1, 2, 3, 2+2, 3+2, 2+2+2, ...
    if (count == 1) {
      gatherOne(pixels, from, taps.starts(), tapped, n);
      done = 1;
    } else if ((count & 1) == 0) {
      gatherTwo(pixels, from, taps.starts(), tapped, n);
      done = 2;
    } else {
      gatherThree(pixels, from, taps.starts(), tapped, n);
      done = 3;
    }
    for (int c = 0; c < 3; c++) {
      begin(done, tapped, 8 * c, taps.weights(), row, first + c * plane, n);
    }
    for (; done < count; done += 2) {
      gatherTwo(pixels, from + done, taps.starts(), tapped, n);
      for (int c = 0; c < 3; c++) {
        addTwo(tapped, 8 * c, taps.weights(), done * n, row, first + c * plane, n);
      }
    }
    for (int c = 0; c < 3; c++) {
      if (taps.overshoots()) {
        roundAndClip(row, first + c * plane, n);
      } else {
        round(row, first + c * plane, n);
      }
    }
  }

  private static void gatherOne(int[] pixels, int from, int[] starts, int[] tapped, int n) {
    for (int x = 0; x < n; x++) {
      tapped[x] = pixels[from + starts[x]];
    }
  }

  private static void gatherTwo(int[] pixels, int from, int[] starts, int[] tapped, int n) {
    for (int x = 0; x < n; x++) {
      int p = from + starts[x];
      tapped[x] = pixels[p];
      tapped[n + x] = pixels[p + 1];
    }
  }

  private static void gatherThree(int[] pixels, int from, int[] starts, int[] tapped, int n) {
    for (int x = 0; x < n; x++) {
      int p = from + starts[x];
      tapped[x] = pixels[p];
      tapped[n + x] = pixels[p + 1];
      tapped[2 * n + x] = pixels[p + 2];
    }
  }

  private static void begin(
      int count, int[] tapped, int shift, int[] weights, int[] row, int at, int n) {
    switch (count) {
      case 1 -> beginOne(tapped, shift, weights, row, at, n);
      case 2 -> beginTwo(tapped, shift, weights, row, at, n);
      default -> beginThree(tapped, shift, weights, row, at, n);
    }
  }

  private static void beginOne(int[] p, int shift, int[] w, int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] = ((p[x] >>> shift) & 255) * w[x] + HALF;
    }
  }

  private static void beginTwo(int[] p, int shift, int[] w, int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] =
          ((p[x] >>> shift) & 255) * w[x] + ((p[n + x] >>> shift) & 255) * w[n + x] + HALF;
    }
  }

  private static void beginThree(int[] p, int shift, int[] w, int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] =
          ((p[x] >>> shift) & 255) * w[x]
              + ((p[n + x] >>> shift) & 255) * w[n + x]
              + ((p[2 * n + x] >>> shift) & 255) * w[2 * n + x]
              + HALF;
    }
  }

  private static void addTwo(int[] p, int shift, int[] w, int from, int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] +=
          ((p[x] >>> shift) & 255) * w[from + x] + ((p[n + x] >>> shift) & 255) * w[from + n + x];
    }
  }

  private static void round(int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] >>= SHIFT;
    }
  }

  private static void roundAndClip(int[] row, int at, int n) {
    for (int x = 0; x < n; x++) {
      row[at + x] = clip(row[at + x] >> SHIFT);
    }
  }

  @Override
  void planar(int[] sums, int n, PixelTable table, float[] out) {
    for (int c = 0; c < 3; c++) {
      planar(sums, c * n, n, table.channel(c), out);
    }
  }

  private static void planar(int[] sums, int from, int n, float[] values, float[] out) {
    for (int i = from; i < from + n; i++) {
      out[i] = values[(sums[i] >> SHIFT) + OFFSET];
    }
  }

  @Override
  void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    float[] red = table.channel(0);
    float[] green = table.channel(1);
    float[] blue = table.channel(2);
    for (int i = 0, o = 0; i < n; i++, o += 3) {
      out[o] = red[(sums[i] >> SHIFT) + OFFSET];
      out[o + 1] = green[(sums[n + i] >> SHIFT) + OFFSET];
      out[o + 2] = blue[(sums[2 * n + i] >> SHIFT) + OFFSET];
    }
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    byte[] values = PixelTable.clipped();
    for (int i = 0; i < n; i++) {
      out[i] = values[(sums[i] >> SHIFT) + OFFSET];
    }
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    for (int i = 0; i < n; i++) {
      out[at + i] =
          PackedRgb.of(
              clip(sums[i] >> SHIFT), clip(sums[n + i] >> SHIFT), clip(sums[2 * n + i] >> SHIFT));
    }
  }

  /** Not by Math.min and max, which JDK 17 does not vectorise. */
  private static int clip(int value) {
    int atLeast0 = value & ~(value >> 31);
    return (atLeast0 | ((255 - atLeast0) >> 31)) & 255;
  }
}
