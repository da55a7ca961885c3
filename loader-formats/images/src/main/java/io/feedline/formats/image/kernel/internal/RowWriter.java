package io.feedline.formats.image.kernel.internal;

import io.feedline.batch.DType;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.HalfFloat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/**
 * A writer that converts rows of sums to tensor elements and stores them in the target, with the
 * channels in planes or side by side.
 */
public abstract class RowWriter {
  /** The number of rows of which one is timed: reading the clock for each row would cost time. */
  private static final int TIMED = 32;

  private final int width;
  private final int height;
  private final Kernels kernels;
  private DecodingClock clock;
  private long stored;
  private int timed;

  private RowWriter(int width, int height, Kernels kernels) {
    this.width = width;
    this.height = height;
    this.kernels = kernels;
  }

  /**
   * Returns a writer of one image.
   *
   * @param target a buffer as {@link io.feedline.batch.TensorSource#writeTo} requires
   * @param table the float value of each sample
   * @throws IllegalArgumentException if the target has another size or byte order
   */
  public static RowWriter to(
      ByteBuffer target,
      DType dtype,
      ImageLayout layout,
      int width,
      int height,
      PixelTable table,
      Workspace workspace,
      Kernels kernels) {
    int channels = kernels.channels();
    long bytes = (long) channels * width * height * dtype.bytes();
    if (target.position() != 0 || target.limit() != bytes) {
      throw new IllegalArgumentException(
          "a %s image of %d x %d fills a buffer from 0 to %d, this one reaches from %d to %d"
              .formatted(dtype, width, height, bytes, target.position(), target.limit()));
    }
    boolean planar = layout == ImageLayout.CHW || channels == 1;
    if (dtype == DType.UINT8) {
      return planar
          ? new PlanarBytes(target, width, height, workspace, kernels)
          : new InterleavedBytes(target, width, height, workspace, kernels);
    }
    if (target.order() != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "the buffer must have the machine's byte order, " + ByteOrder.nativeOrder());
    }
    boolean halves = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    if (halves && table.ofBytes()) {
      return new RoundedBytes(
          target.asShortBuffer(), width, height, planar, table.rounded(dtype), workspace, kernels);
    }
    return switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16 ->
          new Fractions(
              Elements.of(target, dtype, channels * width),
              width,
              height,
              planar,
              table,
              workspace,
              kernels);
      default -> new WholeValues(target, dtype, width, height, workspace, kernels);
    };
  }

  /** Returns a writer of one image as packed pixels. */
  public static RowWriter to(PixelBuffer target, int width, int height, Kernels kernels) {
    target.resize(width, height);
    return new PackedPixels(target, width, height, kernels);
  }

  public final Kernels kernels() {
    return kernels;
  }

  final int width() {
    return width;
  }

  final int height() {
    return height;
  }

  /**
   * Writes row {@code y}. The sums lie in a plane for each channel of the kernels, for example red,
   * green and blue, and have {@link Taps#WEIGHT_BITS} fractional bits.
   */
  public final void write(int y, int[] sums) {
    if (clock == null || y % TIMED != 0) {
      store(y, sums);
    } else {
      long from = clock.now();
      store(y, sums);
      stored += clock.now() - from;
      timed++;
    }
  }

  abstract void store(int y, int[] sums);

  /** Sets the clock that times some of the rows. */
  public final void time(DecodingClock with) {
    clock = with;
  }

  /** Returns the time for all rows in nanoseconds, estimated from the timed rows. */
  public final long storedNanos() {
    return timed == 0 ? 0 : stored * height / timed;
  }

  /** A writer of floats, or of half floats rounded from floats. */
  private static final class Fractions extends RowWriter {
    private final boolean planar;
    private final PixelTable table;
    private final float[] row;
    private final Elements target;

    Fractions(
        Elements target,
        int width,
        int height,
        boolean planar,
        PixelTable table,
        Workspace workspace,
        Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
      this.planar = planar;
      this.table = table;
      this.row = workspace.floats(kernels.channels() * width);
    }

    @Override
    void store(int y, int[] sums) {
      int n = width();
      int channels = kernels().channels();
      if (planar) {
        kernels().planar(sums, n, table, row);
        for (int c = 0; c < channels; c++) {
          target.put((c * height() + y) * n, row, c * n, n);
        }
      } else {
        kernels().interleaved(sums, n, table, row);
        target.put(channels * n * y, row, 0, channels * n);
      }
    }
  }

  /** A target that stores floats in its own dtype. */
  private interface Elements {

    /** Writes floats into the target, starting at the element with the index {@code at}. */
    void put(int at, float[] floats, int offset, int count);

    static Elements of(ByteBuffer target, DType dtype, int count) {
      if (dtype == DType.FLOAT32) {
        return target.asFloatBuffer()::put;
      }
      return new Halves(target.asShortBuffer(), dtype, new short[count]);
    }
  }

  /** A target that rounds floats once, to FLOAT16 or BFLOAT16. */
  private record Halves(ShortBuffer target, DType dtype, short[] rounded) implements Elements {

    @Override
    public void put(int at, float[] floats, int offset, int count) {
      if (dtype == DType.FLOAT16) {
        for (int i = 0; i < count; i++) {
          rounded[i] = HalfFloat.ofFloat(floats[offset + i]);
        }
      } else {
        for (int i = 0; i < count; i++) {
          rounded[i] = HalfFloat.toBfloat(floats[offset + i]);
        }
      }
      target.put(at, rounded, 0, count);
    }
  }

  /** A writer of 8-bit samples as half floats from a table: rounding takes three times as long. */
  private static final class RoundedBytes extends RowWriter {
    private final ShortBuffer target;
    private final boolean planar;
    private final short[][] halves;
    private final byte[] samples;
    private final short[] row;

    RoundedBytes(
        ShortBuffer target,
        int width,
        int height,
        boolean planar,
        short[][] halves,
        Workspace workspace,
        Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
      this.planar = planar;
      this.halves = halves;
      this.samples = workspace.bytes(kernels.channels() * width);
      this.row = new short[kernels.channels() * width];
    }

    @Override
    void store(int y, int[] sums) {
      int n = width();
      int channels = kernels().channels();
      kernels().bytes(sums, channels * n, samples);
      for (int c = 0; c < channels; c++) {
        if (planar) {
          lookUp(samples, c * n, halves[c], row, n);
          target.put((c * height() + y) * n, row, 0, n);
        } else {
          lookUp(samples, c * n, halves[c], row, c, channels, n);
        }
      }
      if (!planar) {
        target.put(channels * n * y, row, 0, channels * n);
      }
    }

    private static void lookUp(byte[] samples, int from, short[] halves, short[] row, int n) {
      for (int x = 0; x < n; x++) {
        row[x] = halves[samples[from + x] & 255];
      }
    }

    private static void lookUp(
        byte[] samples, int from, short[] halves, short[] row, int at, int step, int n) {
      for (int x = 0; x < n; x++) {
        row[at + x * step] = halves[samples[from + x] & 255];
      }
    }
  }

  private static final class PlanarBytes extends RowWriter {
    private final ByteBuffer target;
    private final byte[] row;

    PlanarBytes(ByteBuffer target, int width, int height, Workspace workspace, Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
      this.row = workspace.bytes(kernels.channels() * width);
    }

    @Override
    void store(int y, int[] sums) {
      int n = width();
      kernels().bytes(sums, kernels().channels() * n, row);
      for (int c = 0; c < kernels().channels(); c++) {
        target.put((c * height() + y) * n, row, c * n, n);
      }
    }
  }

  private static final class InterleavedBytes extends RowWriter {
    private final ByteBuffer target;
    private final int[] pixels;
    private final byte[] row;

    InterleavedBytes(
        ByteBuffer target, int width, int height, Workspace workspace, Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
      this.pixels = workspace.packed(width);
      this.row = workspace.bytes(kernels.channels() * width);
    }

    @Override
    void store(int y, int[] sums) {
      int n = width();
      kernels().packed(sums, n, pixels, 0);
      int channels = kernels().channels();
      if (channels == 3) {
        PackedRgb.unpack(pixels, 0, row, 0, n);
      } else {
        PackedRgb.unpackWithAlpha(pixels, row, n);
      }
      target.put(channels * n * y, row, 0, channels * n);
    }
  }

  private static final class PackedPixels extends RowWriter {
    private final PixelBuffer target;

    PackedPixels(PixelBuffer target, int width, int height, Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
    }

    @Override
    void store(int y, int[] sums) {
      kernels().packed(sums, width(), target.pixels(), y * width());
    }
  }

  /** A writer of 16-bit samples as whole values. */
  private static final class WholeValues extends RowWriter {
    private final ByteBuffer target;
    private final DType dtype;
    private final int[] row;

    WholeValues(
        ByteBuffer target,
        DType dtype,
        int width,
        int height,
        Workspace workspace,
        Kernels kernels) {
      super(width, height, kernels);
      this.target = target;
      this.dtype = dtype;
      this.row = workspace.packed(width);
    }

    @Override
    void store(int y, int[] sums) {
      int n = width();
      kernels().packed(sums, n, row, 0);
      int at = n * y * dtype.bytes();
      for (int x = 0; x < n; x++, at += dtype.bytes()) {
        if (dtype == DType.INT32) {
          target.putInt(at, row[x]);
        } else {
          target.putShort(at, (short) row[x]);
        }
      }
    }
  }
}
