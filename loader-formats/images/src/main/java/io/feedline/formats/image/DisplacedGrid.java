package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Region;

/**
 * A mask whose pixels are displaced: {@code elastic_mask} of torchvision, in float32.
 *
 * @param displacement of the mask's size
 */
record DisplacedGrid(Displacement displacement) implements NearestGrid {

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
