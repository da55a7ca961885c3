package io.feedline.formats.image;

import io.feedline.formats.image.Kernels.RowOrder;
import java.io.IOException;
import java.util.Arrays;

/**
 * Carries out a recipe in one pass over the picture: decodes the pixels that are needed, and no
 * others, into the workspace; then, for one row of the result after the other, resizes the source
 * rows it is made of horizontally (unless the row above has done so already), adds them up, and
 * hands the sums to the {@link RowWriter}, which rounds, normalises and stores them.
 *
 * <pre>
 *   source rows --horizontal--> ring of 8-bit rows --vertical--> sums --look-up--> tensor row
 * </pre>
 *
 * <p>A flip costs nothing: it reverses the horizontal taps. A picture that is not resized takes the
 * same way with one tap of weight 1. Samples of the padding are 0 in the ring, so they take part in
 * everything that follows, normalisation included.
 */
final class FusedWriter {
  private final Geometry geometry;
  private final RowWriter target;
  private final Workspace workspace;
  private final Taps horizontal;
  private final Taps vertical;
  private final int samples;
  private final int[] sums;

  private FusedWriter(Geometry geometry, RowWriter target, Workspace workspace) {
    this.geometry = geometry;
    this.target = target;
    this.workspace = workspace;
    this.horizontal = workspace.horizontal();
    this.vertical = workspace.vertical();
    this.samples = 3 * geometry.width();
    this.sums = workspace.sums(samples);
  }

  /**
   * Writes every row of the picture.
   *
   * @throws IOException if the source cannot be decoded
   */
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
    horizontal.plan(region.width(), geometry.scaledWidth(), left, right, filter);
    vertical.plan(region.height(), geometry.scaledHeight(), top, bottom, filter);
    int paddingLeft = left - window.x();
    if (geometry.flipped()) {
      horizontal.mirror();
      paddingLeft = window.x() + window.width() - right;
    }
    Frame frame = decode();
    writePadding(0, top - window.y());
    writeResampled(frame, top - window.y(), paddingLeft);
    writePadding(bottom - window.y(), window.height());
  }

  private Frame decode() throws IOException {
    int x = geometry.region().x() + horizontal.first();
    int y = geometry.region().y() + vertical.first();
    Frame frame = workspace.frame();
    geometry.source().decode(new Region(x, y, horizontal.span(), vertical.span()), frame);
    return frame;
  }

  /** Writes the rows that are made of the picture's, from {@code firstRow} of the target on. */
  private void writeResampled(Frame frame, int firstRow, int paddingLeft) {
    RowOrder order = rowOrder(paddingLeft);
    int stride = 3 * frame.width();
    int count = vertical.count();
    // Rows are made in pairs: one of them may be ahead, and the last one of all may be alone.
    int ringSize = count + 1;
    int[][] ring = workspace.rows(ringSize + 1, samples);
    int[] nobody = ring[ringSize];
    if (horizontal.length() < geometry.width()) {
      clear(ring, ringSize + 1);
    }
    int made = 0;
    for (int i = 0; i < vertical.length(); i++) {
      int start = vertical.starts()[i];
      for (made = Math.max(made, start); made < start + count; made += 2) {
        boolean alone = made + 1 == vertical.span();
        Kernels.horizontal(
            frame.rgb(),
            made * stride,
            alone ? 0 : stride,
            horizontal,
            ring[made % ringSize],
            alone ? nobody : ring[(made + 1) % ringSize],
            order,
            samples);
      }
      Kernels.vertical(ring, ringSize, start, vertical.weights(), i * count, count, sums, samples);
      target.write(firstRow + i, sums);
    }
  }

  private RowOrder rowOrder(int paddingLeft) {
    return target.layout() == ImageLayout.CHW
        ? new RowOrder(paddingLeft, 1, geometry.width())
        : new RowOrder(3 * paddingLeft, 3, 1);
  }

  /** So that the columns of the padding, which nobody writes, are black. */
  private void clear(int[][] rows, int count) {
    for (int i = 0; i < count; i++) {
      Arrays.fill(rows[i], 0, samples, 0);
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
