package io.feedline.formats.image;

import io.feedline.formats.internal.Trigonometry;

/**
 * A mapping of a point of an image to its new position, in float32 as torchvision maps boxes and
 * points. The matrices of {@link Image} map the other way, from the result to the image.
 */
interface PointMap {

  float x(float x, float y);

  float y(float x, float y);

  /** Returns the mapping from the image to the result; the matrix maps the result to the image. */
  static PointMap inverse(AffineMatrix matrix) {
    double determinant = matrix.a() * matrix.e() - matrix.b() * matrix.d();
    double a = matrix.e() / determinant;
    double b = -matrix.b() / determinant;
    double d = -matrix.d() / determinant;
    double e = matrix.a() / determinant;
    return new Affine(
        (float) a,
        (float) b,
        (float) -(a * matrix.c() + b * matrix.f()),
        (float) d,
        (float) e,
        (float) -(d * matrix.c() + e * matrix.f()),
        0,
        0);
  }

  /**
   * Returns the mapping of a rotation. If the image grows, torchvision shifts points by the exact
   * position of the turned corners, but pixels by a whole number.
   */
  static PointMap rotation(AffineMatrix.Rotation rotation, int width, int height) {
    double angle = Math.toRadians(-rotation.degrees());
    double cos = Trigonometry.cos(angle);
    double sin = Trigonometry.sin(angle);
    double x = rotation.centerX();
    double y = rotation.centerY();
    Affine around =
        new Affine(
            (float) cos,
            (float) -sin,
            (float) (x - cos * x + sin * y),
            (float) sin,
            (float) cos,
            (float) (y - sin * x - cos * y),
            0,
            0);
    return rotation.expand() ? around.fromCorners(width, height) : around;
  }

  /**
   * Returns the mapping from the image to the result; throws {@link IllegalArgumentException} if
   * the matrix has no inverse.
   */
  static PointMap inverse(PerspectiveMatrix m) {
    double determinant = m.a() * m.e() - m.b() * m.d();
    if (determinant == 0) {
      throw new IllegalArgumentException(
          "boxes and points cannot be moved as %s says, which takes a plane for a line"
              .formatted(m));
    }
    return new Perspective(
        (float) ((m.e() - m.f() * m.h()) / determinant),
        (float) ((-m.b() + m.c() * m.h()) / determinant),
        (float) ((m.b() * m.f() - m.c() * m.e()) / determinant),
        (float) ((-m.d() + m.f() * m.g()) / determinant),
        (float) ((m.a() - m.c() * m.g()) / determinant),
        (float) ((-m.a() * m.f() + m.c() * m.d()) / determinant),
        (float) ((-m.e() * m.g() + m.d() * m.h()) / determinant),
        (float) ((-m.a() * m.h() + m.b() * m.g()) / determinant));
  }

  /**
   * The mapping to {@code (a x + b y + c, d x + e y + f)}. If a rotation enlarges the image, {@code
   * left} and {@code top} are subtracted, which moves the upper left corner to (0, 0).
   */
  record Affine(float a, float b, float c, float d, float e, float f, float left, float top)
      implements PointMap {

    private Affine fromCorners(int width, int height) {
      float least = Float.POSITIVE_INFINITY;
      float highest = Float.POSITIVE_INFINITY;
      for (int corner = 0; corner < 4; corner++) {
        float x = (corner & 1) == 0 ? 0 : width;
        float y = (corner & 2) == 0 ? 0 : height;
        least = Math.min(least, x(x, y));
        highest = Math.min(highest, y(x, y));
      }
      return new Affine(a, b, c, d, e, f, least, highest);
    }

    @Override
    public float x(float x, float y) {
      return a * x + b * y + c - left;
    }

    @Override
    public float y(float x, float y) {
      return d * x + e * y + f - top;
    }
  }

  /**
   * The mapping to {@code ((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1))}.
   */
  record Perspective(float a, float b, float c, float d, float e, float f, float g, float h)
      implements PointMap {

    @Override
    public float x(float x, float y) {
      return (a * x + b * y + c) / (g * x + h * y + 1);
    }

    @Override
    public float y(float x, float y) {
      return (d * x + e * y + f) / (g * x + h * y + 1);
    }
  }

  /**
   * The mapping of a point by the displacement of a pixel near it, as in torchvision. A key point
   * moves by the displacement of the pixel that contains the point, a corner of a box by that of
   * the pixel at the corner's position, rounded up.
   *
   * @param next true to round positions up, for boxes; false to round them down
   */
  record Elastic(Displacement displacement, boolean next) implements PointMap {

    @Override
    public float x(float x, float y) {
      return displacement.targetX(pixel(x, displacement.width()), pixel(y, displacement.height()));
    }

    @Override
    public float y(float x, float y) {
      return displacement.targetY(pixel(x, displacement.width()), pixel(y, displacement.height()));
    }

    private int pixel(float position, int size) {
      int whole = (int) (next ? (float) Math.ceil(position) : position);
      return Math.max(0, Math.min(size - 1, whole));
    }
  }
}
