package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Samples;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;

/** An image with a border that is not black. */
record PaddedSource(ImageSource parent, Border border) implements ImageSource {

  @Override
  public int width() {
    return border.left() + parent.width() + border.right();
  }

  @Override
  public int height() {
    return border.top() + parent.height() + border.bottom();
  }

  @Override
  public ImageMode mode() {
    return parent.mode();
  }

  @Override
  public Samples decode(Region region) throws IOException {
    int[] columns = positions(region.x() - border.left(), region.width(), parent.width());
    int[] rows = positions(region.y() - border.top(), region.height(), parent.height());
    Region needed = bounds(columns, rows);
    if (needed.width() == 0 || needed.height() == 0) {
      Samples blank = Samples.blank(region.width(), region.height());
      for (int at = 0; at < 3 * region.width() * region.height(); at += 3) {
        Samples.put(border.fill(), blank.rgb(), at);
      }
      return blank;
    }
    try (Samples within = Samples.of(parent, needed)) {
      return Samples.filled(
          region.width(),
          region.height(),
          padded -> gather(within.rgb(), needed, columns, rows, padded.rgb()));
    }
  }

  private void gather(byte[] from, Region part, int[] columns, int[] rows, byte[] to) {
    // The columns between the borders are consecutive, so one call copies them.
    int inside = 0;
    while (inside < columns.length && !isFollowed(columns, inside)) {
      inside++;
    }
    int end = inside;
    while (isFollowed(columns, end)) {
      end++;
    }
    int out = 0;
    for (int row : rows) {
      int first = 3 * ((row - part.y()) * part.width() - part.x());
      gather(from, first, row < 0, columns, 0, inside, to, out);
      if (row < 0) {
        gather(from, first, true, columns, inside, end, to, out);
      } else if (inside < end) {
        int in = first + 3 * columns[inside];
        System.arraycopy(from, in, to, out + 3 * inside, 3 * (end - inside));
      }
      gather(from, first, row < 0, columns, end, columns.length, to, out);
      out += 3 * columns.length;
    }
  }

  private static boolean isFollowed(int[] columns, int i) {
    return i + 1 < columns.length && columns[i] >= 0 && columns[i + 1] == columns[i] + 1;
  }

  private void gather(
      byte[] from,
      int first,
      boolean outside,
      int[] columns,
      int begin,
      int end,
      byte[] to,
      int out) {
    for (int i = begin; i < end; i++) {
      if (outside || columns[i] < 0) {
        Samples.put(border.fill(), to, out + 3 * i);
      } else {
        int in = first + 3 * columns[i];
        to[out + 3 * i] = from[in];
        to[out + 3 * i + 1] = from[in + 1];
        to[out + 3 * i + 2] = from[in + 2];
      }
    }
  }

  /** Returns the source position of each pixel of a row or column; -1 for the fill color. */
  private int[] positions(int first, int length, int size) {
    int[] positions = new int[length];
    for (int i = 0; i < length; i++) {
      int position = first + i;
      boolean outside = position < 0 || position >= size;
      positions[i] =
          outside && border.mode() == PaddingMode.CONSTANT
              ? -1
              : border.mode().position(position, size);
    }
    return positions;
  }

  /** Returns the part of the parent with these columns and rows; empty if all are -1. */
  private static Region bounds(int[] columns, int[] rows) {
    int left = MaskGeometry.least(columns);
    int top = MaskGeometry.least(rows);
    int right = MaskGeometry.most(columns);
    int bottom = MaskGeometry.most(rows);
    return new Region(left, top, right + 1 - left, bottom + 1 - top);
  }

  @Override
  public String inWords() {
    return "(%s, padded by %s)".formatted(parent.inWords(), border);
  }
}
