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
 * Turns rows of sums into tensor elements and stores them in the target: a row's channels in a
 * plane each, or side by side.
 */
public final class RowWriter {
  /**
   * If rows are timed, only one in a fixed number is: all rows take the same time, and reading the
   * clock costs time.
   */
  private static final int TIMED = 32;

  private final int height;
  private final Kernels kernels;
  private final Rows rows;
  private DecodingClock clock;
  private long stored;
  private int timed;

  private RowWriter(int height, Kernels kernels, Rows rows) {
    this.height = height;
    this.kernels = kernels;
    this.rows = rows;
  }

  /** The target of rows, numbered from the top. */
  private interface Rows {
    void store(int y, int[] sums);
  }

  /**
   * Returns a writer of one image.
   *
   * @param target as {@link io.feedline.batch.TensorSource#writeTo} demands it
   * @param table the values of floats
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
    if (dtype != DType.UINT8 && target.order() != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "the buffer must have the machine's byte order, " + ByteOrder.nativeOrder());
    }
    Rows rows =
        switch (dtype) {
          case UINT8 ->
              planar
                  ? planarBytes(target, width, height, workspace, kernels)
                  : interleavedBytes(target, width, workspace, kernels);
          case FLOAT32 ->
              fractions(
                  target.asFloatBuffer()::put, width, height, planar, table, workspace, kernels);
          case FLOAT16, BFLOAT16 ->
              table.ofBytes()
                  ? roundedBytes(
                      target.asShortBuffer(),
                      width,
                      height,
                      planar,
                      table.rounded(dtype),
                      workspace,
                      kernels)
                  : fractions(
                      new Halves(target.asShortBuffer(), dtype, new short[channels * width]),
                      width,
                      height,
                      planar,
                      table,
                      workspace,
                      kernels);
          default -> wholeValues(target, dtype, width, workspace, kernels);
        };
    return new RowWriter(height, kernels, rows);
  }

  /** Returns a writer of one image as packed pixels. */
  public static RowWriter to(PixelBuffer target, int width, int height, Kernels kernels) {
    target.resize(width, height);
    return new RowWriter(
        height, kernels, (y, sums) -> kernels.packed(sums, width, target.pixels(), y * width));
  }

  public Kernels kernels() {
    return kernels;
  }

  /**
   * Writes row {@code y}: all samples of red, then of green, then of blue, or of the kernels'
   * channels, with {@link Taps#WEIGHT_BITS} fractional bits.
   */
  public void write(int y, int[] sums) {
    if (clock == null || y % TIMED != 0) {
      rows.store(y, sums);
    } else {
      long from = clock.now();
      rows.store(y, sums);
      stored += clock.now() - from;
      timed++;
    }
  }

  /** Has some of the rows timed. */
  public void time(DecodingClock with) {
    clock = with;
  }

  /** Returns the time for all rows in nanoseconds, estimated from the timed rows. */
  public long storedNanos() {
    return timed == 0 ? 0 : stored * height / timed;
  }

  /** Floats, or halves rounded from floats. */
  private static Rows fractions(
      Elements target,
      int n,
      int height,
      boolean planar,
      PixelTable table,
      Workspace workspace,
      Kernels kernels) {
    int channels = kernels.channels();
    float[] row = workspace.floats(channels * n);
    return (y, sums) -> {
      if (planar) {
        kernels.planar(sums, n, table, row);
        for (int c = 0; c < channels; c++) {
          target.put((c * height + y) * n, row, c * n, n);
        }
      } else {
        kernels.interleaved(sums, n, table, row);
        target.put(channels * n * y, row, 0, channels * n);
      }
    };
  }

  private interface Elements {

    /** Puts floats into the target, from its element {@code at} on. */
    void put(int at, float[] floats, int offset, int count);
  }

  /** Floats, rounded once. */
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

  /** Samples of 8 bits as halves, which are looked up: rounding each takes three times as long. */
  private static Rows roundedBytes(
      ShortBuffer target,
      int n,
      int height,
      boolean planar,
      short[][] halves,
      Workspace workspace,
      Kernels kernels) {
    int channels = kernels.channels();
    byte[] samples = workspace.bytes(channels * n);
    short[] row = new short[channels * n];
    return (y, sums) -> {
      kernels.bytes(sums, channels * n, samples);
      for (int c = 0; c < channels; c++) {
        if (planar) {
          lookUp(samples, c * n, halves[c], row, n);
          target.put((c * height + y) * n, row, 0, n);
        } else {
          lookUp(samples, c * n, halves[c], row, c, channels, n);
        }
      }
      if (!planar) {
        target.put(channels * n * y, row, 0, channels * n);
      }
    };
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

  private static Rows planarBytes(
      ByteBuffer target, int n, int height, Workspace workspace, Kernels kernels) {
    int channels = kernels.channels();
    byte[] row = workspace.bytes(channels * n);
    return (y, sums) -> {
      kernels.bytes(sums, channels * n, row);
      for (int c = 0; c < channels; c++) {
        target.put((c * height + y) * n, row, c * n, n);
      }
    };
  }

  private static Rows interleavedBytes(
      ByteBuffer target, int n, Workspace workspace, Kernels kernels) {
    int channels = kernels.channels();
    int[] pixels = workspace.packed(n);
    byte[] row = workspace.bytes(channels * n);
    return (y, sums) -> {
      kernels.packed(sums, n, pixels, 0);
      if (channels == 3) {
        PackedRgb.unpack(pixels, 0, row, 0, n);
      } else {
        PackedRgb.unpackWithAlpha(pixels, row, n);
      }
      target.put(channels * n * y, row, 0, channels * n);
    };
  }

  /** Samples of 16 bits as they are. */
  private static Rows wholeValues(
      ByteBuffer target, DType dtype, int n, Workspace workspace, Kernels kernels) {
    int[] row = workspace.packed(n);
    return (y, sums) -> {
      kernels.packed(sums, n, row, 0);
      int at = n * y * dtype.bytes();
      for (int x = 0; x < n; x++, at += dtype.bytes()) {
        if (dtype == DType.INT32) {
          target.putInt(at, row[x]);
        } else {
          target.putShort(at, (short) row[x]);
        }
      }
    };
  }
}
