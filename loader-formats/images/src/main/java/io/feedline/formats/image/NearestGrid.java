package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Region;

/** A map from each pixel of a warped mask to the nearest pixel before the warp. Immutable. */
interface NearestGrid {

  int width();

  int height();

  /**
   * Computes the column and the row in the source for each pixel of a part of the result, row by
   * row. For a pixel that comes from outside, the column is any number outside the source.
   */
  void nearest(Region part, int[] xs, int[] ys);

  /**
   * A mask seen in perspective: {@code _perspective_grid} of torchvision and {@code grid_sample} of
   * PyTorch with mode "nearest", in float32 and in their order of operations.
   */
  record Perspective(PerspectiveMatrix matrix, int width, int height) implements NearestGrid {

    @Override
    public void nearest(Region part, int[] xs, int[] ys) {
      float halfWidth = (float) (0.5 * width);
      float halfHeight = (float) (0.5 * height);
      float a = (float) matrix.a() / halfWidth;
      float b = (float) matrix.b() / halfWidth;
      float c = (float) matrix.c() / halfWidth;
      float d = (float) matrix.d() / halfHeight;
      float e = (float) matrix.e() / halfHeight;
      float f = (float) matrix.f() / halfHeight;
      float g = (float) matrix.g();
      float h = (float) matrix.h();
      int out = 0;
      for (int row = part.y(); row < part.y() + part.height(); row++) {
        float y = row + 0.5f;
        for (int column = part.x(); column < part.x() + part.width(); column++) {
          float x = column + 0.5f;
          float divisor = x * g + y * h + 1;
          xs[out] = AffineGrid.pixel((x * a + y * b + c) / divisor - 1, width);
          ys[out] = AffineGrid.pixel((x * d + y * e + f) / divisor - 1, height);
          out++;
        }
      }
    }
  }

  /** A mask whose pixels are displaced: {@code elastic_mask} of torchvision, in float32. */
  record Elastic(Displacement displacement) implements NearestGrid {

    @Override
    public int width() {
      return displacement.width();
    }

    @Override
    public int height() {
      return displacement.height();
    }

    @Override
    public void nearest(Region part, int[] xs, int[] ys) {
      int out = 0;
      for (int row = part.y(); row < part.y() + part.height(); row++) {
        for (int column = part.x(); column < part.x() + part.width(); column++) {
          xs[out] = AffineGrid.pixel(displacement.positionX(column, row), width());
          ys[out] = AffineGrid.pixel(displacement.positionY(column, row), height());
          out++;
        }
      }
    }
  }
}
