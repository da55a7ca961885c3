package io.feedline.formats.image;

import java.util.Optional;

/**
 * A perspective map from a position in the result to the position in the image from which its pixel
 * is taken: {@code ((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1))}, in
 * pixels: the coefficients of Pillow's {@code PERSPECTIVE} and of torchvision's {@code
 * perspective}. Immutable.
 */
public record PerspectiveMatrix(
    double a, double b, double c, double d, double e, double f, double g, double h) {

  private static final int CORNERS = 4;
  private static final int UNKNOWNS = 2 * CORNERS;

  /** A corner of a quadrilateral, in whole pixels from the upper left corner. */
  public record Corner(int x, int y) {}

  /**
   * Returns the map that moves one quadrilateral of the image onto another: torchvision's {@code
   * _get_perspective_coeffs}, with its coefficients, which are rounded to float32. If three corners
   * lie on a line, which is frequent on images of a few pixels, torchvision has no valid result:
   * its solver ({@code lstsq} with the driver {@code gels}) is for matrices of full rank only, and
   * fails or returns rounding errors.
   *
   * @param from the quadrilateral in the image: upper left, upper right, lower right, lower left
   * @param to the positions of these corners in the result
   * @return the map; empty if three corners lie on a line, or if the map would take the result's
   *     upper left corner from an infinite distance
   * @throws IllegalArgumentException unless there are four corners each
   */
  public static Optional<PerspectiveMatrix> between(Corner[] from, Corner[] to) {
    if (from.length != CORNERS || to.length != CORNERS) {
      throw new IllegalArgumentException(
          "a quadrilateral has four corners, not %d or %d".formatted(from.length, to.length));
    }
    if (isFlat(from) || isFlat(to)) {
      return Optional.empty();
    }
    double[][] equations = new double[UNKNOWNS][];
    for (int i = 0; i < CORNERS; i++) {
      double x = to[i].x();
      double y = to[i].y();
      double u = from[i].x();
      double v = from[i].y();
      equations[2 * i] = new double[] {x, y, 1, 0, 0, 0, -u * x, -u * y, u};
      equations[2 * i + 1] = new double[] {0, 0, 0, x, y, 1, -v * x, -v * y, v};
    }
    double[] solution = solve(equations);
    for (double value : solution) {
      if (!Float.isFinite((float) value)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new PerspectiveMatrix(
            (float) solution[0],
            (float) solution[1],
            (float) solution[2],
            (float) solution[3],
            (float) solution[4],
            (float) solution[5],
            (float) solution[6],
            (float) solution[7]));
  }

  /** Returns whether three corners lie on a line. */
  private static boolean isFlat(Corner... corners) {
    for (int i = 0; i < CORNERS; i++) {
      Corner p = corners[i];
      Corner q = corners[(i + 1) % CORNERS];
      Corner r = corners[(i + 2) % CORNERS];
      long alongX = ((long) q.x() - p.x()) * ((long) r.y() - p.y());
      long alongY = ((long) q.y() - p.y()) * ((long) r.x() - p.x());
      if (alongX == alongY) {
        return true;
      }
    }
    return false;
  }

  /** Solves equations by Gaussian elimination; an equation's last number is its right side. */
  private static double[] solve(double[][] equations) {
    int n = equations.length;
    for (int column = 0; column < n; column++) {
      int pivot = column;
      for (int i = column + 1; i < n; i++) {
        if (Math.abs(equations[i][column]) > Math.abs(equations[pivot][column])) {
          pivot = i;
        }
      }
      double[] row = equations[pivot];
      equations[pivot] = equations[column];
      equations[column] = row;
      for (int i = column + 1; i < n; i++) {
        double factor = equations[i][column] / row[column];
        for (int j = column; j <= n; j++) {
          equations[i][j] -= factor * row[j];
        }
      }
    }
    double[] solution = new double[n];
    for (int i = n - 1; i >= 0; i--) {
      double rest = equations[i][n];
      for (int j = i + 1; j < n; j++) {
        rest -= equations[i][j] * solution[j];
      }
      solution[i] = rest / equations[i][i];
    }
    return solution;
  }

  /** Returns the column in the image for a position in the result. */
  public double x(double x, double y) {
    return (a * x + b * y + c) / (g * x + h * y + 1);
  }

  /** Returns the row in the image for a position in the result. */
  public double y(double x, double y) {
    return (d * x + e * y + f) / (g * x + h * y + 1);
  }

  /** Returns this map for an image that is {@code scale} times as large. */
  PerspectiveMatrix enlarged(int scale) {
    return new PerspectiveMatrix(a, b, scale * c, d, e, scale * f, g / scale, h / scale);
  }
}
