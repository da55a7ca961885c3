package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Kernels;
import io.feedline.formats.image.kernel.internal.RowWriter;
import io.feedline.formats.image.kernel.internal.Taps;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import java.io.IOException;
import java.util.Arrays;

/**
 * A writer that carries out an {@link Image}'s operations in one pass. Only the needed pixels are
 * decoded. For each row of the result the writer reads the source rows that the row above did not
 * read, resizes them horizontally, and adds them up. The {@link RowWriter} rounds, normalizes and
 * stores the sums. The {@link Kernels} choose the layout of resized rows.
 *
 * <pre>
 *   source rows --horizontal--> ring of 8-bit rows --vertical--> sums --look-up--> tensor row
 * </pre>
 *
 * <p>A flip costs nothing: it reverses the horizontal taps. An image that is not resized takes the
 * same path with one tap of weight 1. Rows that no tap reads are not read. Samples of the padding
 * are 0 in the ring, so they are resized and normalized like all other samples.
 */
final class FusedWriter {
  private final Geometry geometry;
  private final RowWriter target;
  private final Kernels kernels;
  private final Workspace workspace;
  private final Taps horizontal;
  private final Taps vertical;
  private final int samples;
  private final int[] sums;

  private FusedWriter(Geometry geometry, RowWriter target, Workspace workspace) {
    this.geometry = geometry;
    this.target = target;
    this.kernels = target.kernels();
    this.workspace = workspace;
    this.horizontal = workspace.horizontal();
    this.vertical = workspace.vertical();
    this.samples = kernels.channels() * geometry.width();
    this.sums = workspace.sums(samples);
    horizontal.keepFractions(kernels.needsFractions());
    vertical.keepFractions(kernels.needsFractions());
  }

  static void write(Geometry geometry, RowWriter target, Workspace workspace) throws IOException {
    new FusedWriter(geometry, target, workspace).write();
  }

  private void write() throws IOException {
    Region window = geometry.window();
    int left = clamp(window.x(), geometry.scaledWidth());
    int right = clamp(window.x() + window.width(), geometry.scaledWidth());
    int top = clamp(window.y(), geometry.scaledHeight());
    int bottom = clamp(window.y() + window.height(), geometry.scaledHeight());
    if (left == right || top == bottom) {
      writePadding(0, window.height());
      return;
    }
    Region region = geometry.region();
    Interpolation filter = geometry.interpolation();
    boolean antialias = geometry.antialias();
    horizontal.plan(region.width(), geometry.scaledWidth(), left, right, filter, antialias);
    vertical.plan(region.height(), geometry.scaledHeight(), top, bottom, filter, antialias);
    int paddingLeft = geometry.flipped() ? window.x() + window.width() - right : left - window.x();
    try (PixelRows source = decode()) {
      // Computed after decode(), where a broken image whose header claims a large size fails.
      horizontal.weigh();
      vertical.weigh();
      if (geometry.flipped()) {
        horizontal.mirror();
      }
      writePadding(0, top - window.y());
      writeResampled(source, top - window.y(), paddingLeft);
    }
    writePadding(bottom - window.y(), window.height());
  }

  private PixelRows decode() throws IOException {
    int x = geometry.region().x() + horizontal.first();
    int y = geometry.region().y() + vertical.first();
    return geometry.source().decode(new Region(x, y, horizontal.span(), vertical.span()));
  }

  /** Resizes the decoded rows and writes the results from row {@code firstRow} of the target on. */
  private void writeResampled(PixelRows decoded, int firstRow, int paddingLeft) {
    PixelRows source = vertical.skips() ? new ReadRows(decoded, vertical.compact()) : decoded;
    int span = vertical.span();
    int count = vertical.count();
    int atOnce = kernels.rowsAtOnce(source.width(), span);
    int ringSize = count + atOnce - 1;
    int width = geometry.width();
    int length = kernels.resizedLength(width);
    int[][] ring = workspace.rows(ringSize, length);
    if (horizontal.length() < width) {
      clear(ring, ringSize, length);
    }
    int[][] resized = new int[atOnce][];
    int made = 0;
    for (int i = 0; i < vertical.length(); i++) {
      while (made < vertical.starts()[i] + count) {
        int rows = Math.min(atOnce, span - made);
        for (int r = 0; r < rows; r++) {
          resized[r] = ring[(made + r) % ringSize];
        }
        kernels.horizontal(
            new Kernels.Band(
                source, made, rows, horizontal, workspace, resized, paddingLeft, width));
        made += rows;
      }
      kernels.vertical(ring, ringSize, vertical, i, sums, width);
      target.write(firstRow + i, sums);
    }
  }

  private record ReadRows(PixelRows rows, int[] read) implements DerivedRows {

    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      for (int i = 0; i < count; i++) {
        rows.read(read[y + i], 1, pixels, offset + i * stride, stride);
      }
    }
  }

  /** Sets rows to 0, since no code writes the columns of the padding, which must be black. */
  private static void clear(int[][] rows, int count, int length) {
    for (int i = 0; i < count; i++) {
      Arrays.fill(rows[i], 0, length, 0);
    }
  }

  private void writePadding(int from, int to) {
    if (from < to) {
      Arrays.fill(sums, 0, samples, 0);
    }
    for (int y = from; y < to; y++) {
      target.write(y, sums);
    }
  }

  private static int clamp(int position, int size) {
    return Math.max(0, Math.min(size, position));
  }
}
