package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Trigonometry;

/**
 * An affine transform of a mask: {@code _affine_grid} of torchvision and {@code grid_sample} of
 * PyTorch with mode "nearest", in float32 and in their order of operations, since the order decides
 * which of two pixels is nearer. The source column is {@code xx x + xy y + x0} and the source row
 * {@code yx x + yy y + y0}; positions in the source are between -1 and 1.
 */
record AffineGrid(
    float xx,
    float xy,
    float x0,
    float yx,
    float yy,
    float y0,
    int width,
    int height,
    int fromWidth,
    int fromHeight)
    implements NearestGrid {

  /**
   * Returns the grid of a matrix whose positions count from the upper left corners of the images;
   * torchvision's positions count from the centers. {@code width} and {@code height} are the
   * result's size.
   */
  static AffineGrid of(AffineMatrix matrix, int width, int height, int fromWidth, int fromHeight) {
    double x = width * 0.5;
    double y = height * 0.5;
    return centered(
        matrix.a(),
        matrix.b(),
        matrix.c() + matrix.a() * x + matrix.b() * y - fromWidth * 0.5,
        matrix.d(),
        matrix.e(),
        matrix.f() + matrix.d() * x + matrix.e() * y - fromHeight * 0.5,
        width,
        height,
        fromWidth,
        fromHeight);
  }

  static AffineGrid of(AffineMatrix.Rotation rotation, int fromWidth, int fromHeight) {
    double angle = Math.toRadians(-rotation.degrees());
    double cos = Trigonometry.cos(angle);
    double sin = Trigonometry.sin(angle);
    double x = rotation.centerX() - fromWidth * 0.5;
    double y = rotation.centerY() - fromHeight * 0.5;
    return centered(
        cos,
        sin,
        x - cos * x - sin * y,
        -sin,
        cos,
        y + sin * x - cos * y,
        rotation.width(),
        rotation.height(),
        fromWidth,
        fromHeight);
  }

  private static AffineGrid centered(
      double a,
      double b,
      double c,
      double d,
      double e,
      double f,
      int width,
      int height,
      int fromWidth,
      int fromHeight) {
    float halfWidth = (float) (0.5 * fromWidth);
    float halfHeight = (float) (0.5 * fromHeight);
    return new AffineGrid(
        (float) a / halfWidth,
        (float) b / halfWidth,
        (float) c / halfWidth,
        (float) d / halfHeight,
        (float) e / halfHeight,
        (float) f / halfHeight,
        width,
        height,
        fromWidth,
        fromHeight);
  }

  @Override
  public void nearest(Region part, int[] xs, int[] ys) {
    int out = 0;
    for (int row = part.y(); row < part.y() + part.height(); row++) {
      float y = (1 - height) * 0.5f + row;
      for (int column = part.x(); column < part.x() + part.width(); column++) {
        float x = (1 - width) * 0.5f + column;
        xs[out] = pixel(position(x, y, xx, xy, x0), fromWidth);
        ys[out] = pixel(position(x, y, yx, yy, y0), fromHeight);
        out++;
      }
    }
  }

  private static float position(float x, float y, float byX, float byY, float offset) {
    return x * byX + y * byY + offset;
  }

  /**
   * Returns the index of the pixel nearest to a position from -1 to 1; -1 for a position outside.
   */
  static int pixel(float position, int size) {
    float at = (float) Math.rint(Displacement.pixel(position, size));
    return at >= 0 && at < size ? (int) at : -1;
  }
}
