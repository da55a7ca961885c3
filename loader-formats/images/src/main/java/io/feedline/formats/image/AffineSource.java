package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * An image seen through an affine transform: Pillow's {@code Image.transform} with {@code AFFINE}.
 * The result has the requested size; pixels from outside the image have the fill color.
 *
 * <p>Interpolating filters compute in float64. The nearest pixel is computed in one of Pillow's
 * three ways, which round differently: by adding up the steps along each axis if the transform only
 * scales and shifts; otherwise in 16.16 fixed point; and in float64 if a corner is too far away for
 * fixed point. For samples of 16 bits the nearest pixel is computed in float64.
 */
record AffineSource(
    ImageSource parent, AffineMatrix matrix, int width, int height, Interpolation filter, int fill)
    implements WarpedSource {

  private static final double FIXED_LIMIT = 32768;

  @Override
  public void paint(Region region, Resampler painter) {
    boolean within =
        isFixed(0, 0) && isFixed(width, height) && isFixed(0, height) && isFixed(width, 0);
    if (filter != Interpolation.NEAREST || parent.mode() == ImageMode.GRAY16) {
      interpolate(region, painter);
    } else if (matrix.b() == 0 && matrix.d() == 0) {
      scale(region, painter);
    } else if (within) {
      fixed(region, painter);
    } else {
      accumulate(region, painter);
    }
  }

  private boolean isFixed(int x, int y) {
    return Math.abs(matrix.x(x, y)) < FIXED_LIMIT && Math.abs(matrix.y(x, y)) < FIXED_LIMIT;
  }

  private void interpolate(Region region, Resampler painter) {
    for (int y = 0; y < region.height(); y++) {
      double down = region.y() + y + 0.5;
      for (int x = 0; x < region.width(); x++) {
        double along = region.x() + x + 0.5;
        painter.interpolate(matrix.x(along, down), matrix.y(along, down), filter);
      }
    }
  }

  private void scale(Region region, Resampler painter) {
    int[] columns = steps(matrix.c() + matrix.a() * 0.5, matrix.a(), region.x(), region.width());
    int[] rows = steps(matrix.f() + matrix.e() * 0.5, matrix.e(), region.y(), region.height());
    for (int row : rows) {
      for (int column : columns) {
        painter.pick(column, row);
      }
    }
  }

  private static int[] steps(double start, double step, int first, int length) {
    int[] positions = new int[length];
    double position = start;
    for (int i = 0; i < first + length; i++) {
      if (i >= first) {
        positions[i - first] = Resampler.cut(position);
      }
      position += step;
    }
    return positions;
  }

  private void fixed(Region region, Resampler painter) {
    int xx = fixed(matrix.a());
    int xy = fixed(matrix.b());
    int yx = fixed(matrix.d());
    int yy = fixed(matrix.e());
    int startX = fixed(matrix.c() + matrix.a() * 0.5 + matrix.b() * 0.5);
    int startY = fixed(matrix.f() + matrix.d() * 0.5 + matrix.e() * 0.5);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      int px = startX + y * xy + region.x() * xx;
      int py = startY + y * yy + region.x() * yx;
      for (int x = 0; x < region.width(); x++) {
        painter.pick(px >> 16, py >> 16);
        px += xx;
        py += yx;
      }
    }
  }

  private static int fixed(double value) {
    return (int) Math.floor(value * 65536.0 + 0.5);
  }

  private void accumulate(Region region, Resampler painter) {
    double rowX = matrix.c() + matrix.b() * 0.5 + matrix.a() * 0.5;
    double rowY = matrix.f() + matrix.e() * 0.5 + matrix.d() * 0.5;
    for (int y = 0; y < region.y() + region.height(); y++) {
      double px = rowX;
      double py = rowY;
      for (int x = 0; y >= region.y() && x < region.x() + region.width(); x++) {
        if (x >= region.x()) {
          painter.pick(Resampler.cut(px), Resampler.cut(py));
        }
        px += matrix.a();
        py += matrix.d();
      }
      rowX += matrix.b();
      rowY += matrix.e();
    }
  }

  @Override
  public String inWords() {
    return "(%s, affine to %d x %d (%s) by %s)"
        .formatted(parent.inWords(), width, height, filter, matrix);
  }
}
