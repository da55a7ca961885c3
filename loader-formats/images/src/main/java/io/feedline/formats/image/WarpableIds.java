package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * A holder of ids for pixels. It takes geometric operations, by the nearest pixel.
 *
 * @param <T> the kind itself
 */
abstract class WarpableIds<T extends WarpableIds<T>> extends LinkedTarget {

  private final MaskGeometry geometry;

  /** One that is moved so. */
  WarpableIds(MaskGeometry geometry) {
    this.geometry = geometry;
  }

  /** Returns the operations so far. */
  final MaskGeometry geometry() {
    return geometry;
  }

  /** Returns the same, moved in another way. */
  abstract T with(MaskGeometry changed);

  /** Returns the number of columns. */
  public final int width() {
    return geometry.width();
  }

  /** Returns the number of rows. */
  public final int height() {
    return geometry.height();
  }

  @Override
  final T crop(Region part) {
    return with(geometry.crop(part));
  }

  @Override
  final T resize(int width, int height, Interpolation interpolation, boolean antialias) {
    return with(geometry.resize(width, height));
  }

  @Override
  final T flipHorizontal() {
    return with(geometry.flipHorizontal());
  }

  @Override
  final T flipVertical() {
    return with(geometry.flipVertical());
  }

  @Override
  final T turn(int quarters) {
    return with(geometry.turn(quarters));
  }

  @Override
  final T rotate(Rotation rotation) {
    return with(geometry.rotate(rotation));
  }

  @Override
  final T affine(AffineMatrix matrix, int width, int height, Interpolation filter, int imageFill) {
    return with(geometry.affine(matrix, width, height));
  }

  @Override
  final T perspective(PerspectiveMatrix matrix, Interpolation filter, int imageFill) {
    return with(geometry.perspective(matrix));
  }

  @Override
  final T displace(Displacement displacement, Interpolation filter, int imageFill) {
    return with(geometry.displace(displacement));
  }

  @Override
  final T pad(Border border) {
    return with(geometry.pad(border));
  }

  @Override
  final void requireSize(String named, Image image) {
    FloatRows.requireSize(named, width(), height(), image);
  }
}
