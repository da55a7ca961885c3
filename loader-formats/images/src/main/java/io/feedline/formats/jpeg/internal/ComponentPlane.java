package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one component of a {@link Frame} that a rectangle needs. They are stretched to the
 * image's size for any sampling factors, as in libjpeg-turbo's jdsample.c. {@link PixelPlanes} is
 * faster, but only for the usual factors.
 */
final class ComponentPlane {

  private final Coefficients coefficients = new Coefficients();
  private final BlockSamples transformed = new BlockSamples();
  private final short[] smoothed = new short[64];

  private Stretch stretch;

  /** The number of pixels for each sample, horizontally; {@link #down} is the number vertically. */
  private int across;

  private int down;

  /** The number of samples of a block in either direction. */
  private int size;

  private boolean lossless;
  private int left;
  private int top;
  private int width;
  private int right;
  private int bottom;
  private byte[] samples = {};
  private int[] sums = {};

  void begin(Frame frame, Frame.Component component, int scale, int x, int y, int w, int h)
      throws JpegException {
    int unit = frame.unit();
    lossless = unit == 1;
    int least = unit == 1 ? 1 : unit / scale;
    size = least;
    // If possible, chroma is scaled down less, and needs less stretching (jdmaster.c).
    while (size < unit
        && frame.across * least % (component.across * size * 2) == 0
        && frame.down * least % (component.down * size * 2) == 0) {
      size *= 2;
    }
    int groupAcross = component.across * size / least;
    int groupDown = component.down * size / least;
    if (frame.across % groupAcross != 0 || frame.down % groupDown != 0) {
      throw new JpegException(
          "the JPEG is of an unsupported kind: sampling factors that are no multiples of each other");
    }
    across = frame.across / groupAcross;
    down = frame.down / groupDown;
    right = Frame.ceil(frame.width * component.across * size, frame.across * unit);
    bottom = Frame.ceil(frame.height * component.down * size, frame.down * unit);
    boolean fancy = least > 1;
    boolean wide = fancy && right > 2;
    stretch =
        across == 2 && down == 1 && wide
            ? Stretch.ACROSS
            : across == 2 && down == 2 && wide
                ? Stretch.BOTH
                : across == 1 && down == 2 && fancy ? Stretch.DOWN : Stretch.REPEAT;
    left = Math.max(0, x / across - 1) / size * size;
    top = Math.max(0, y / down - 1) / size * size;
    right = Math.min(right, (x + w - 1) / across + 2);
    bottom = Math.min(bottom, (y + h - 1) / down + 2);
    width = Frame.ceil(right - left, size) * size;
    int needed = Math.multiplyExact(width, Frame.ceil(bottom - top, size) * size);
    if (samples.length < needed) {
      samples = new byte[Plane.roomFor(needed)];
    }
  }

  void fill(Frame.Component component, PixelKernels kernels, @Nullable BlockSmoothing smoothing) {
    int firstRow = top / size;
    int endRow = Frame.ceil(bottom, size);
    if (lossless) {
      for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
          samples[(y - top) * width + x - left] = (byte) component.values[y * component.stride + x];
        }
      }
      return;
    }
    coefficients.begin(BLOCKS);
    int firstColumn = left / size;
    int endColumn = Frame.ceil(right, size);
    for (int row = firstRow; row < endRow; row++) {
      for (int column = firstColumn; column < endColumn; column += BLOCKS) {
        int count = Math.min(BLOCKS, endColumn - column);
        for (int slot = 0; slot < count; slot++) {
          load(component, row, column + slot, slot, smoothing);
        }
        int[] values = coefficients.values();
        int[] low = transformed.left();
        int[] high = transformed.right();
        if (!kernels.transform(size, values, 0, count, low, high)) {
          SixteenBitTransform.transform(size, values, 0, count, low, high);
        }
        coefficients.clear();
        int at = (row * size - top) * width + column * size - left;
        for (int y = 0; y < size; y++, at += width) {
          unpack(y * BLOCKS, count, at);
        }
      }
    }
  }

  private void load(
      Frame.Component component,
      int row,
      int column,
      int slot,
      @Nullable BlockSmoothing smoothing) {
    short[] from = component.values;
    int at = 64 * (row * component.stride + column);
    if (smoothing != null) {
      System.arraycopy(from, at, smoothed, 0, 64);
      smoothing.smooth(component, row, column, smoothed);
      from = smoothed;
      at = 0;
    }
    int[] quantizers = component.quantizers;
    if (quantizers == null) {
      // No scan contains this component, so its samples stay gray.
      return;
    }
    int[] to = coefficients.values();
    if (smoothing == null && component.present != null) {
      long places = component.present[at / 64] | 1;
      for (; places != 0; places &= places - 1) {
        int f = McuTables.frequency(Long.numberOfTrailingZeros(places));
        to[f * BLOCKS + slot] = (short) (from[at + f] * quantizers[f]);
      }
      return;
    }
    for (int f = 0; f < 64; f++) {
      int value = from[at + f];
      if (value != 0) {
        to[f * BLOCKS + slot] = (short) (value * quantizers[f]);
      }
    }
  }

  private void unpack(int from, int count, int to) {
    int[] low = transformed.left();
    int[] high = transformed.right();
    int at = to;
    for (int slot = from; slot < from + count; slot++, at += size) {
      int words = low[slot];
      for (int x = 0; x < Math.min(4, size); x++, words >>>= 8) {
        samples[at + x] = (byte) words;
      }
      if (size == 8) {
        words = high[slot];
        for (int x = 4; x < 8; x++, words >>>= 8) {
          samples[at + x] = (byte) words;
        }
      }
    }
  }

  void read(int y, int x, int count, byte[] target) {
    int near = row(y / down);
    switch (stretch) {
      case REPEAT -> {
        if (across == 1) {
          System.arraycopy(samples, near + x, target, 0, count);
        } else {
          for (int i = 0; i < count; i++) {
            target[i] = samples[near + (x + i) / across];
          }
        }
      }
      case DOWN -> {
        int far = row(y / 2 + 2 * (y & 1) - 1);
        int rounding = 1 + (y & 1);
        for (int i = x; i < x + count; i++) {
          int sum = 3 * (samples[near + i] & 0xFF) + (samples[far + i] & 0xFF);
          target[i - x] = (byte) ((sum + rounding) >> 2);
        }
      }
      case ACROSS -> {
        sum(near, near, x, count, 1, 0);
        stretch(x, count, 1, 2, 2, target);
      }
      case BOTH -> {
        sum(near, row(y / 2 + 2 * (y & 1) - 1), x, count, 3, 1);
        stretch(x, count, 8, 7, 4, target);
      }
    }
  }

  /** Returns the index of column 0 in a row; a row beyond an edge is the row at the edge. */
  private int row(int row) {
    return (Math.max(top, Math.min(bottom - 1, row)) - top) * width - left;
  }

  /**
   * Computes the weighted sums of two rows of samples. The sums begin one sample before the first
   * pixel's sample, and end one sample after the last pixel's sample.
   */
  private void sum(int near, int far, int x, int count, int nearWeight, int farWeight) {
    int first = x / 2 - 1;
    int n = (x + count - 1) / 2 + 2 - first;
    if (sums.length < n) {
      sums = new int[Plane.roomFor(n)];
    }
    int from = Math.max(0, -first);
    int end = Math.min(n, right - first);
    for (int i = from, a = near + first + from, b = far + first + from; i < end; i++, a++, b++) {
      sums[i] = nearWeight * (samples[a] & 0xFF) + farWeight * (samples[b] & 0xFF);
    }
    if (from > 0) {
      sums[0] = sums[1];
    }
    if (end < n) {
      sums[n - 1] = sums[n - 2];
    }
  }

  /** Computes two pixels from each sum: 3/4 of the sum plus 1/4 of a neighboring sum. */
  private void stretch(int x, int count, int even, int odd, int shift, byte[] target) {
    int s = 1;
    int i = 0;
    if ((x & 1) != 0) {
      target[i++] = (byte) ((3 * sums[s] + sums[s + 1] + odd) >> shift);
      s++;
    }
    for (; i + 1 < count; i += 2, s++) {
      int near = 3 * sums[s];
      target[i] = (byte) ((near + sums[s - 1] + even) >> shift);
      target[i + 1] = (byte) ((near + sums[s + 1] + odd) >> shift);
    }
    if (i < count) {
      target[i] = (byte) ((3 * sums[s] + sums[s - 1] + even) >> shift);
    }
  }
}
