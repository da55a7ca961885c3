package io.feedline.formats.coco;

import io.feedline.data.FormatException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A mask as COCO encodes it: the lengths of runs of pixels, column by column. Runs outside and
 * inside of the mask alternate; the first is outside. Immutable.
 *
 * <p>Polygons become runs by the arithmetic of COCO's own maskApi.c ({@code rleFrPoly}, {@code
 * rleFrString}; Piotr Dollár and Tsung-Yi Lin, 2015), as other rounding makes another mask.
 */
final class Rle {

  /** The number of points for each pixel of a polygon's outline, as in maskApi.c. */
  private static final double SCALE = 5;

  /** The limit of points on a polygon's sides; with more it cannot belong to an image. */
  private static final long MOST_POINTS = 1 << 26;

  private final int height;
  private final int width;
  private final int[] counts;

  private Rle(int height, int width, int[] counts) throws FormatException {
    this.height = height;
    this.width = width;
    this.counts = counts;
    long pixels = 0;
    for (int count : counts) {
      if (count < 0) {
        throw new FormatException("a run of %d pixels".formatted(count));
      }
      pixels += count;
    }
    if (pixels != (long) height * width) {
      throw new FormatException(
          "runs of %d pixels together, but %d x %d has %d"
              .formatted(pixels, width, height, (long) height * width));
    }
  }

  /** Returns the mask of the runs; fails if they do not add up to the number of pixels. */
  static Rle ofCounts(int height, int width, int[] counts) throws FormatException {
    return new Rle(height, width, counts.clone());
  }

  /**
   * Decodes runs from a text. Each character has 5 bits of a number, the lowest bits first. From
   * the fourth run on, the number is the difference to the run two places before.
   *
   * @throws FormatException if the text is not valid, or the runs do not add up to the pixels
   */
  static Rle ofText(int height, int width, String text) throws FormatException {
    int[] counts = new int[text.length()];
    int runs = 0;
    int at = 0;
    while (at < text.length()) {
      long value = 0;
      int shift = 0;
      int bits;
      do {
        bits = at < text.length() ? text.charAt(at) - '0' : -1;
        if (bits < 0 || bits > 63 || shift > 35) {
          throw new FormatException(
              at < text.length()
                  ? "character %d of the runs is '%s'".formatted(at, text.charAt(at))
                  : "the text of the runs is cut off");
        }
        value |= (long) (bits & 31) << shift;
        shift += 5;
        at++;
      } while ((bits & 32) != 0);
      if ((bits & 16) != 0) {
        value |= -1L << shift;
      }
      if (runs > 2) {
        value += counts[runs - 2];
      }
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw new FormatException("run %d has %d pixels".formatted(runs, value));
      }
      counts[runs++] = (int) value;
    }
    return new Rle(height, width, Arrays.copyOf(counts, runs));
  }

  /**
   * @param xy x and y of each corner; with fewer than three corners the mask is empty
   * @throws FormatException if the outline is longer than that of any image
   */
  static Rle ofPolygon(int height, int width, double[] xy) throws FormatException {
    // If the number of coordinates is odd, the last is ignored, as in maskApi.c.
    int corners = xy.length / 2;
    int[] x = new int[corners + 1];
    int[] y = new int[corners + 1];
    for (int i = 0; i < corners; i++) {
      x[i] = (int) (SCALE * xy[2 * i] + .5);
      y[i] = (int) (SCALE * xy[2 * i + 1] + .5);
    }
    x[corners] = x[0];
    y[corners] = y[0];
    long points = 0;
    for (int i = 0; i < corners; i++) {
      points += Math.max(Math.abs((long) x[i] - x[i + 1]), Math.abs((long) y[i] - y[i + 1])) + 1;
    }
    if (points > MOST_POINTS) {
      throw new FormatException(
          "a polygon whose outline has %d points, which is not part of an image"
              .formatted(points / 5));
    }
    Crossings crossings = new Crossings(height, width);
    for (int i = 0; i < corners; i++) {
      follow(x[i], y[i], x[i + 1], y[i + 1], crossings);
    }
    return new Rle(height, width, runs(crossings.sorted()));
  }

  /** Adds the points of a side, one for each step along the side's longer axis. */
  private static void follow(int x0, int y0, int x1, int y1, Crossings crossings) {
    int dx = Math.abs(x1 - x0);
    int dy = Math.abs(y0 - y1);
    boolean flip = (dx >= dy && x0 > x1) || (dx < dy && y0 > y1);
    int xs = flip ? x1 : x0;
    int ys = flip ? y1 : y0;
    int xe = flip ? x0 : x1;
    int ye = flip ? y0 : y1;
    if (dx >= dy) {
      double slope = (double) (ye - ys) / dx;
      for (int d = 0; d <= dx; d++) {
        int t = flip ? dx - d : d;
        crossings.add(t + xs, (int) (ys + slope * t + .5));
      }
    } else {
      double slope = (double) (xe - xs) / dy;
      for (int d = 0; d <= dy; d++) {
        int t = flip ? dy - d : d;
        crossings.add((int) (xs + slope * t + .5), t + ys);
      }
    }
  }

  /**
   * The places where an outline crosses columns of pixels, as indices of pixels column by column.
   * The points of the outline are not kept, since a few coordinates may give millions of points
   * outside the image.
   */
  private static final class Crossings {
    private final int height;
    private final int width;
    private final IntStream.Builder found = IntStream.builder();
    private int u;
    private int v;
    private boolean begun;

    Crossings(int height, int width) {
      this.height = height;
      this.width = width;
    }

    void add(int nextU, int nextV) {
      if (begun && nextU != u) {
        double x = nextU < u ? nextU : nextU - 1;
        x = (x + .5) / SCALE - .5;
        if (Math.floor(x) == x && x >= 0 && x <= width - 1) {
          double y = Math.min(nextV, v);
          y = (y + .5) / SCALE - .5;
          y = Math.ceil(y < 0 ? 0 : y > height ? height : y);
          found.add(((int) x) * height + (int) y);
        }
      }
      begun = true;
      u = nextU;
      v = nextV;
    }

    /** Returns the crossings in ascending order, and the end of the image as the last. */
    int[] sorted() {
      return found.add(height * width).build().sorted().toArray();
    }
  }

  /** Returns the runs between crossings; two crossings at the same pixel cancel each other. */
  private static int[] runs(int... crossings) {
    int[] distances = new int[crossings.length];
    int previous = 0;
    for (int j = 0; j < crossings.length; j++) {
      distances[j] = crossings[j] - previous;
      previous = crossings[j];
    }
    int[] runs = new int[distances.length];
    int count = 0;
    int j = 0;
    runs[count++] = distances[j++];
    while (j < distances.length) {
      if (distances[j] > 0) {
        runs[count++] = distances[j++];
      } else {
        j++;
        if (j < distances.length) {
          runs[count - 1] += distances[j++];
        }
      }
    }
    return Arrays.copyOf(runs, count);
  }

  /** Sets the mask's pixels to 1 in height x width {@code rows}, which go from top to bottom. */
  void paint(byte[] rows) {
    int pixel = 0;
    for (int run = 0; run < counts.length; run++) {
      int end = pixel + counts[run];
      if (run % 2 == 1) {
        // The run begins at the first pixel's column and row, goes down, and continues in the next
        // column.
        int at = pixel % height * width + pixel / height;
        for (int i = pixel; i < end; i++) {
          rows[at] = 1;
          at += width;
          if (at >= rows.length) {
            at = at - rows.length + 1;
          }
        }
      }
      pixel = end;
    }
  }
}
