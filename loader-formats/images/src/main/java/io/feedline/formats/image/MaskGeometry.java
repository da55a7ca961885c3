package io.feedline.formats.image;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.internal.HeapLimit;
import io.feedline.formats.image.kernel.internal.Workspace;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The geometric half of a mask's recipe: the map from each pixel of the result to a pixel of the
 * source, or to outside. A step moves ids and never mixes them. So all steps that keep rows and
 * columns apart (crops, borders, flips, turns, scaling) are combined to one list of columns and one
 * list of rows:
 *
 * <pre>
 *   source or warped mask -> a list of its columns and a list of its rows -> result
 * </pre>
 *
 * <p>A warp, which mixes columns with rows, starts a new geometry over this geometry. The nearest
 * pixel is chosen as torchvision does for tensors, in float32. Immutable.
 */
final class MaskGeometry {

  private static final int OUTSIDE = -1;

  /** The warped mask that the columns and rows index; null if they index the source. */
  private final @Nullable Base base;

  /** The base's column for each column of the result, or the base's row if the axes are swapped. */
  private final int[] columns;

  private final int[] rows;
  private final boolean swapped;

  /** The id of pixels that come from outside the source. */
  private final int fill;

  private MaskGeometry(Base base, int[] columns, int[] rows, boolean swapped, int fill) {
    this.base = base;
    this.columns = columns;
    this.rows = rows;
    this.swapped = swapped;
    this.fill = fill;
  }

  /** A source of ids, which are read in parts. */
  private interface Base {

    /** Reads a part, which lies within the base, row by row. */
    void read(ImageSource source, Region part, int[] ids) throws IOException;
  }

  /** Returns the geometry that leaves a source of this size unchanged. */
  static MaskGeometry of(int width, int height) {
    return all(null, width, height, 0);
  }

  private static MaskGeometry all(Base base, int width, int height, int fill) {
    return new MaskGeometry(base, InstanceMasks.all(width), InstanceMasks.all(height), false, fill);
  }

  int width() {
    return columns.length;
  }

  int height() {
    return rows.length;
  }

  int fill() {
    return fill;
  }

  MaskGeometry withFill(int id) {
    boolean inside = contains(columns) && contains(rows);
    return inside
        ? new MaskGeometry(base, columns, rows, swapped, id)
        : all(this::read, width(), height(), id);
  }

  private static boolean contains(int[] positions) {
    return Arrays.stream(positions).allMatch(position -> position != OUTSIDE);
  }

  private MaskGeometry with(int[] newColumns, int[] newRows) {
    return new MaskGeometry(base, newColumns, newRows, swapped, fill);
  }

  MaskGeometry crop(Region part) {
    return with(
        picked(columns, part.width(), i -> part.x() + i),
        picked(rows, part.height(), i -> part.y() + i));
  }

  private static int[] picked(int[] positions, int length, IntUnaryOperator from) {
    int[] picked = new int[length];
    for (int i = 0; i < length; i++) {
      int at = from.applyAsInt(i);
      picked[i] = at < 0 || at >= positions.length ? OUTSIDE : positions[at];
    }
    return picked;
  }

  MaskGeometry pad(Border border) {
    PaddingMode mode = border.mode();
    if (mode == PaddingMode.CONSTANT) {
      return crop(
          new Region(
              -border.left(),
              -border.top(),
              border.left() + width() + border.right(),
              border.top() + height() + border.bottom()));
    }
    return with(
        repeated(columns, border.left(), border.right(), mode),
        repeated(rows, border.top(), border.bottom(), mode));
  }

  private static int[] repeated(int[] positions, int before, int after, PaddingMode mode) {
    int length = before + positions.length + after;
    return picked(positions, length, i -> mode.position(i - before, positions.length));
  }

  /** Returns the geometry scaled as by {@code torch.nn.functional.interpolate}'s mode "nearest". */
  MaskGeometry resize(int width, int height) {
    return with(scaled(columns, width), scaled(rows, height));
  }

  private static int[] scaled(int[] positions, int length) {
    if (length == positions.length) {
      return positions;
    }
    float scale = (float) positions.length / length;
    return picked(positions, length, i -> Math.min((int) (i * scale), positions.length - 1));
  }

  MaskGeometry flipHorizontal() {
    return with(reversed(columns), rows);
  }

  MaskGeometry flipVertical() {
    return with(columns, reversed(rows));
  }

  private static int[] reversed(int[] positions) {
    return picked(positions, positions.length, i -> positions.length - 1 - i);
  }

  MaskGeometry rotate90(int quarters) {
    return switch (quarters) {
      case 0 -> this;
      case 1 -> new MaskGeometry(base, reversed(rows), columns, !swapped, fill);
      case 2 -> with(reversed(columns), reversed(rows));
      default -> new MaskGeometry(base, rows, reversed(columns), !swapped, fill);
    };
  }

  MaskGeometry affine(AffineMatrix matrix, int width, int height) {
    return warp(AffineGrid.of(matrix, width, height, width(), height()));
  }

  MaskGeometry perspective(PerspectiveMatrix matrix) {
    return warp(new NearestGrid.Perspective(matrix, width(), height()));
  }

  MaskGeometry elastic(Displacement displacement) {
    return warp(new NearestGrid.Elastic(displacement));
  }

  /** Starts a new geometry, whose pixels the grid maps to pixels of this geometry. */
  MaskGeometry warp(NearestGrid grid) {
    return all(new Warped(this, grid, fill), grid.width(), grid.height(), fill);
  }

  private record Warped(MaskGeometry before, NearestGrid grid, int fill) implements Base {

    @Override
    public void read(ImageSource source, Region part, int[] ids) throws IOException {
      int count = part.width() * part.height();
      int[] xs = new int[count];
      int[] ys = new int[count];
      grid.nearest(part, xs, ys);
      int width = before.width();
      int height = before.height();
      int left = width;
      int top = height;
      int right = 0;
      int bottom = 0;
      for (int i = 0; i < count; i++) {
        if (xs[i] < 0 || xs[i] >= width || ys[i] < 0 || ys[i] >= height) {
          xs[i] = OUTSIDE;
        } else {
          left = Math.min(left, xs[i]);
          top = Math.min(top, ys[i]);
          right = Math.max(right, xs[i] + 1);
          bottom = Math.max(bottom, ys[i] + 1);
        }
      }
      if (left >= right) {
        Arrays.fill(ids, 0, count, fill);
        return;
      }
      int seen = right - left;
      try (Workspace workspace = Workspace.take()) {
        int[] from = room(workspace, seen, bottom - top);
        before.read(source, new Region(left, top, seen, bottom - top), from);
        for (int i = 0; i < count; i++) {
          ids[i] = xs[i] == OUTSIDE ? fill : from[(ys[i] - top) * seen + xs[i] - left];
        }
      }
    }
  }

  /** Reads a part of the result, row by row. Decodes only the needed part of the source. */
  void read(ImageSource source, Region part, int[] ids) throws IOException {
    int[] alongX = Arrays.copyOfRange(columns, part.x(), part.x() + part.width());
    int[] alongY = Arrays.copyOfRange(rows, part.y(), part.y() + part.height());
    int x = least(alongX);
    int y = least(alongY);
    int width = most(alongX) + 1 - x;
    int height = most(alongY) + 1 - y;
    if (width <= 0 || height <= 0) {
      Arrays.fill(ids, 0, part.width() * part.height(), fill);
      return;
    }
    Region needed = swapped ? new Region(y, x, height, width) : new Region(x, y, width, height);
    if (base == null && !swapped) {
      readRows(source, needed, alongX, alongY, ids);
      return;
    }
    try (Workspace workspace = Workspace.take()) {
      int[] from = room(workspace, width, height);
      if (base == null) {
        try (PixelRows decoded = source.decode(needed)) {
          decoded.read(0, needed.height(), from, 0, needed.width());
        }
      } else {
        base.read(source, needed, from);
      }
      int columnStep = swapped ? needed.width() : 1;
      int rowStep = swapped ? 1 : needed.width();
      int out = 0;
      for (int row : alongY) {
        int at = (row - y) * rowStep;
        for (int column : alongX) {
          boolean outside = row == OUTSIDE || column == OUTSIDE;
          ids[out++] = outside ? fill : from[at + (column - x) * columnStep];
        }
      }
    }
  }

  /**
   * Reads one row of the source at a time, so that scaling down a large mask takes little memory.
   */
  private void readRows(ImageSource source, Region needed, int[] alongX, int[] alongY, int[] ids)
      throws IOException {
    int width = alongX.length;
    try (Workspace workspace = Workspace.take();
        PixelRows decoded = source.decode(needed)) {
      int[] line = workspace.packed(needed.width());
      for (int i = 0; i < alongY.length; i++) {
        int out = i * width;
        if (alongY[i] == OUTSIDE) {
          Arrays.fill(ids, out, out + width, fill);
        } else if (i > 0 && alongY[i] == alongY[i - 1]) {
          System.arraycopy(ids, out - width, ids, out, width);
        } else {
          decoded.read(alongY[i] - needed.y(), 1, line, 0, needed.width());
          for (int column : alongX) {
            ids[out++] = column == OUTSIDE ? fill : line[column - needed.x()];
          }
        }
      }
    }
  }

  /** Returns an array for a mask's ids in width x height pixels; fails if it is too large. */
  static int[] room(Workspace workspace, int width, int height) throws FormatException {
    long count = (long) width * height;
    if (count > Integer.MAX_VALUE - 8) {
      throw new FormatException(HeapLimit.refusal(width, height));
    }
    try {
      return workspace.window((int) count);
    } catch (OutOfMemoryError full) {
      throw HeapLimit.refusal(full, width, height);
    }
  }

  /** Returns the smallest position other than -1 (outside); 0 if all positions are outside. */
  static int least(int... positions) {
    int least = Integer.MAX_VALUE;
    for (int position : positions) {
      least = position == OUTSIDE ? least : Math.min(least, position);
    }
    return least == Integer.MAX_VALUE ? 0 : least;
  }

  /** Returns the largest position; -1 if all are outside. */
  static int most(int... positions) {
    int most = OUTSIDE;
    for (int position : positions) {
      most = Math.max(most, position);
    }
    return most;
  }
}
