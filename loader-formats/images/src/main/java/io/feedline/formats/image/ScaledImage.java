package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * A further image that is changed along with the first: of the same size, or a whole number of
 * times as large, as the other half of a pair for super-resolution is.
 */
final class ScaledImage extends LinkedTarget {

  private final Image image;
  private final int scale;

  ScaledImage(Image image, int scale) {
    this.image = image;
    this.scale = scale;
  }

  /**
   * Returns the factor between the sides of an image and those of the leading one; 0 if it is not
   * an integer.
   */
  static int scale(Image image, Image leading) {
    int scale = image.width() / leading.width();
    boolean whole =
        image.width() == (long) scale * leading.width()
            && image.height() == (long) scale * leading.height();
    return whole ? scale : 0;
  }

  Image image() {
    return image;
  }

  private ScaledImage with(Image changed) {
    return new ScaledImage(changed, scale);
  }

  private int scaled(int length) {
    return Math.multiplyExact(scale, length);
  }

  private Region scaled(Region part) {
    return new Region(
        scaled(part.x()), scaled(part.y()), scaled(part.width()), scaled(part.height()));
  }

  @Override
  ScaledImage crop(Region part) {
    return with(image.crop(scaled(part)));
  }

  @Override
  ScaledImage resize(int width, int height, Interpolation interpolation, boolean antialias) {
    return with(image.resize(scaled(width), scaled(height), interpolation, antialias));
  }

  @Override
  ScaledImage flipHorizontal() {
    return with(image.flipHorizontal());
  }

  @Override
  ScaledImage flipVertical() {
    return with(image.flipVertical());
  }

  @Override
  ScaledImage turn(int quarters) {
    return with(image.turn(quarters));
  }

  @Override
  ScaledImage rotate(Rotation rotation) {
    if (rotation.quarters() >= 0) {
      return with(image.turn(rotation.quarters()));
    }
    return affine(
        rotation.matrix(), rotation.width(), rotation.height(), rotation.filter(), rotation.fill());
  }

  @Override
  ScaledImage affine(AffineMatrix m, int width, int height, Interpolation filter, int fill) {
    AffineMatrix matrix =
        new AffineMatrix(m.a(), m.b(), scale * m.c(), m.d(), m.e(), scale * m.f());
    return with(image.affine(matrix, scaled(width), scaled(height), filter, fill));
  }

  @Override
  ScaledImage perspective(PerspectiveMatrix m, Interpolation filter, int fill) {
    PerspectiveMatrix matrix =
        new PerspectiveMatrix(
            m.a(), m.b(), scale * m.c(), m.d(), m.e(), scale * m.f(), m.g() / scale, m.h() / scale);
    return with(image.perspective(matrix, filter, fill));
  }

  @Override
  ScaledImage displace(Displacement displacement, Interpolation filter, int fill) {
    return with(image.displace(displacement.enlarged(scale), filter, fill));
  }

  @Override
  ScaledImage pad(Border border) {
    return with(
        image.pad(
            new Border(
                scaled(border.left()),
                scaled(border.top()),
                scaled(border.right()),
                scaled(border.bottom()),
                border.mode(),
                border.fill())));
  }

  @Override
  ScaledImage map(PixelOperation operation) {
    return with(image.map(operation));
  }

  @Override
  ScaledImage convert(ImageMode mode) {
    return with(image.convert(mode));
  }

  @Override
  ScaledImage toEightBits() {
    return with(image.toEightBits());
  }

  @Override
  ScaledImage scaleTo1() {
    return with(image.scaleTo1());
  }

  @Override
  ScaledImage normalize(float[] mean, float[] std) {
    return with(image.normalize(mean, std));
  }

  @Override
  ScaledImage toTensor(DType dtype, ImageLayout layout) {
    return with(image.toTensor(dtype, layout));
  }

  @Override
  ScaledImage erase(Region part, float... values) {
    return with(image.erase(scaled(part), values));
  }

  @Override
  ScaledImage eraseWithNoise(Region part, long seed) {
    return with(image.eraseWithNoise(scaled(part), seed));
  }

  @Override
  String inWords() {
    return "the image " + image.description();
  }

  @Override
  void requireSize(String named, Image leading) {
    if (scale(image, leading) == 0) {
      throw new IllegalArgumentException(
          "%s: it is %d x %d, the first image is %d x %d, and a further one must be as large, or a whole number of times as large"
              .formatted(named, image.width(), image.height(), leading.width(), leading.height()));
    }
  }
}
