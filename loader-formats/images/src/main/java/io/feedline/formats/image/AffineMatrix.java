package io.feedline.formats.image;

import io.feedline.formats.internal.Trigonometry;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * An affine map from a position in the result to the position in the image from which its pixel is
 * taken: {@code (a x + b y + c, d x + e y + f)}, in pixels. The factories use the order of
 * operations of Pillow or torchvision, since the order decides the last bits. Immutable.
 */
public record AffineMatrix(double a, double b, double c, double d, double e, double f) {

  /** The factor from degrees to radians. */
  private static final double RADIAN = Math.PI / 180;

  private static final int DECIMALS = 15;

  /**
   * A rotation with Pillow's matrix, and Pillow's size of the result.
   *
   * @param degrees counter-clockwise, 0 to 360
   * @param centerX center of the rotation, from the left edge
   * @param centerY center of the rotation, from the upper edge
   * @param expand whether the result grows so that the whole rotated image fits
   * @param matrix the map from the result to the image
   * @param width columns of the result
   * @param height rows of the result
   */
  record Rotation(
      double degrees,
      double centerX,
      double centerY,
      boolean expand,
      AffineMatrix matrix,
      int width,
      int height) {}

  /** Returns the rotation that Pillow's {@code Image.rotate} applies to an image of this size. */
  static Rotation rotation(
      double degrees, int width, int height, double centerX, double centerY, boolean expand) {
    double angle = -(degrees * RADIAN);
    double cos = rounded(Trigonometry.cos(angle));
    double sin = rounded(Trigonometry.sin(angle));
    double minusSin = -sin;
    AffineMatrix turn = new AffineMatrix(cos, sin, 0, minusSin, cos, 0);
    AffineMatrix around =
        new AffineMatrix(
            cos,
            sin,
            turn.x(-centerX, -centerY) + centerX,
            minusSin,
            cos,
            turn.y(-centerX, -centerY) + centerY);
    int newWidth = width;
    int newHeight = height;
    if (expand) {
      double left = Double.POSITIVE_INFINITY;
      double top = Double.POSITIVE_INFINITY;
      double right = Double.NEGATIVE_INFINITY;
      double bottom = Double.NEGATIVE_INFINITY;
      for (int corner = 0; corner < 4; corner++) {
        int cornerX = (corner & 1) == 0 ? 0 : width;
        int cornerY = (corner & 2) == 0 ? 0 : height;
        left = Math.min(left, around.x(cornerX, cornerY));
        right = Math.max(right, around.x(cornerX, cornerY));
        top = Math.min(top, around.y(cornerX, cornerY));
        bottom = Math.max(bottom, around.y(cornerX, cornerY));
      }
      newWidth = (int) (Math.ceil(right) - Math.floor(left));
      newHeight = (int) (Math.ceil(bottom) - Math.floor(top));
      double shiftX = -(newWidth - width) / 2.0;
      double shiftY = -(newHeight - height) / 2.0;
      around =
          new AffineMatrix(
              cos, sin, around.x(shiftX, shiftY), minusSin, cos, around.y(shiftX, shiftY));
    }
    return new Rotation(degrees, centerX, centerY, expand, around, newWidth, newHeight);
  }

  private static double rounded(double value) {
    return new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).doubleValue();
  }

  /**
   * Returns torchvision's {@code _get_inverse_affine_matrix}, in the order of operations of v2. The
   * order of v1 changes a sample by 1 in about one image of ten.
   *
   * @param centerX the fixed point, from the left edge
   * @param centerY the fixed point, from the upper edge
   * @param degrees clockwise
   * @param translateX in pixels
   * @param translateY in pixels
   * @param scale above 0
   * @param shearX in degrees, clockwise
   * @param shearY in degrees, clockwise
   */
  public static AffineMatrix inverse(
      double centerX,
      double centerY,
      double degrees,
      double translateX,
      double translateY,
      double scale,
      double shearX,
      double shearY) {
    double rot = degrees * RADIAN;
    double sy = shearY * RADIAN;
    double cosY = Trigonometry.cos(sy);
    double tanX = Trigonometry.tan(shearX * RADIAN);
    double a = Trigonometry.cos(rot - sy) / cosY;
    double b = -(a * tanX + Trigonometry.sin(rot));
    double c = Trigonometry.sin(rot - sy) / cosY;
    double d = Trigonometry.cos(rot) - c * tanX;
    double xx = d / scale;
    double xy = -b / scale;
    double yx = -c / scale;
    double yy = a / scale;
    double x = centerX + translateX;
    double y = centerY + translateY;
    return new AffineMatrix(xx, xy, centerX - xx * x - xy * y, yx, yy, centerY - yx * x - yy * y);
  }

  /** Returns the column in the image for a position in the result. */
  public double x(double x, double y) {
    return a * x + b * y + c;
  }

  /** Returns the row in the image for a position in the result. */
  public double y(double x, double y) {
    return d * x + e * y + f;
  }
}
