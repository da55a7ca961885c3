package io.feedline.formats.image;

import io.feedline.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Turns rows of sums into tensor elements and puts them where they belong in the target: a row's
 * three channels into three planes, or side by side.
 */
abstract class RowWriter {
  private static final int SHIFT = Taps.WEIGHT_BITS;
  private static final int OFFSET = PixelTable.OFFSET;

  private final int width;
  private final int height;
  private final ImageLayout layout;

  private RowWriter(int width, int height, ImageLayout layout) {
    this.width = width;
    this.height = height;
    this.layout = layout;
  }

  /**
   * A writer of one picture.
   *
   * @param target as {@link io.feedline.TensorSource#writeTo} demands it
   * @param table what floats are made of
   * @throws IllegalArgumentException if the target has another size or byte order
   */
  static RowWriter to(
      ByteBuffer target,
      DType dtype,
      ImageLayout layout,
      int width,
      int height,
      PixelTable table,
      Workspace workspace) {
    long bytes = 3L * width * height * dtype.bytes();
    if (target.position() != 0 || target.limit() != bytes) {
      throw new IllegalArgumentException(
          "a %s picture of %d x %d fills a buffer from 0 to %d, this one reaches from %d to %d"
              .formatted(dtype, width, height, bytes, target.position(), target.limit()));
    }
    if (dtype == DType.UINT8) {
      return new Bytes(target, layout, width, height, workspace);
    }
    if (target.order() != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "the buffer must have the machine's byte order, " + ByteOrder.nativeOrder());
    }
    return new Floats(target.asFloatBuffer(), layout, width, height, table, workspace);
  }

  /** The order of samples within the rows that {@link #write} takes. */
  final ImageLayout layout() {
    return layout;
  }

  /** Columns. */
  final int width() {
    return width;
  }

  /** Rows. */
  final int height() {
    return height;
  }

  /** Writes row {@code y}, whose samples have {@link Taps#WEIGHT_BITS} fractional bits. */
  abstract void write(int y, int[] sums);

  private static final class Floats extends RowWriter {
    private final FloatBuffer target;
    private final PixelTable table;
    private final float[] row;

    Floats(
        FloatBuffer target,
        ImageLayout layout,
        int width,
        int height,
        PixelTable table,
        Workspace workspace) {
      super(width, height, layout);
      this.target = target;
      this.table = table;
      this.row = workspace.floats(3 * width);
    }

    @Override
    void write(int y, int[] sums) {
      int n = width();
      if (layout() == ImageLayout.HWC) {
        interleaved(sums, 3 * n);
        target.put(3 * n * y, row, 0, 3 * n);
        return;
      }
      for (int c = 0; c < 3; c++) {
        planar(sums, c * n, n, table.channel(c));
        target.put((c * height() + y) * n, row, c * n, n);
      }
    }

    private void planar(int[] sums, int from, int n, float[] values) {
      float[] out = row;
      for (int i = from; i < from + n; i++) {
        out[i] = values[(sums[i] >> SHIFT) + OFFSET];
      }
    }

    private void interleaved(int[] sums, int n) {
      float[] red = table.channel(0);
      float[] green = table.channel(1);
      float[] blue = table.channel(2);
      float[] out = row;
      for (int i = 0; i < n; i += 3) {
        out[i] = red[(sums[i] >> SHIFT) + OFFSET];
        out[i + 1] = green[(sums[i + 1] >> SHIFT) + OFFSET];
        out[i + 2] = blue[(sums[i + 2] >> SHIFT) + OFFSET];
      }
    }
  }

  private static final class Bytes extends RowWriter {
    private final ByteBuffer target;
    private final byte[] row;

    Bytes(ByteBuffer target, ImageLayout layout, int width, int height, Workspace workspace) {
      super(width, height, layout);
      this.target = target;
      this.row = workspace.bytes(3 * width);
    }

    @Override
    void write(int y, int[] sums) {
      int n = width();
      clip(sums, 3 * n);
      if (layout() == ImageLayout.HWC) {
        target.put(3 * n * y, row, 0, 3 * n);
        return;
      }
      for (int c = 0; c < 3; c++) {
        target.put((c * height() + y) * n, row, c * n, n);
      }
    }

    private void clip(int[] sums, int n) {
      byte[] values = PixelTable.clipped();
      byte[] out = row;
      for (int i = 0; i < n; i++) {
        out[i] = values[(sums[i] >> SHIFT) + OFFSET];
      }
    }
  }
}
