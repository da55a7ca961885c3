package io.feedline.formats.image;

import io.feedline.formats.image.AffineMatrix.Rotation;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * An operation of {@link Image} as a value: its effect on the other images of a sample, and on each
 * kind of target. To add an operation to {@link Image}, add a factory here.
 *
 * @param image the change of another image of the sample
 * @param ids the change of a mask or of instance masks, whose ids move by the nearest pixel
 */
record ImageStep(
    Further image,
    UnaryOperator<MaskGeometry> ids,
    UnaryOperator<BoundingBoxes> boxes,
    UnaryOperator<KeyPoints> points) {

  /** The change of another image; its sides are {@code scale} times those of the first image. */
  interface Further {
    Image after(Image image, int scale);
  }

  /** Returns the step of a change that moves no pixel, such as {@link Image#normalize}. */
  static ImageStep values(UnaryOperator<Image> change) {
    return still((image, scale) -> change.apply(image));
  }

  private static ImageStep still(Further image) {
    return new ImageStep(
        image, UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
  }

  static ImageStep erase(Region part, BiFunction<Image, Region, Image> change) {
    return still((image, scale) -> change.apply(image, scaled(part, scale)));
  }

  private static Region scaled(Region part, int scale) {
    return new Region(
        Math.multiplyExact(scale, part.x()),
        Math.multiplyExact(scale, part.y()),
        Math.multiplyExact(scale, part.width()),
        Math.multiplyExact(scale, part.height()));
  }

  static ImageStep crop(Region part) {
    return new ImageStep(
        (image, scale) -> image.crop(scaled(part, scale)),
        ids -> ids.crop(part),
        boxes -> boxes.crop(part),
        points -> points.crop(part));
  }

  static ImageStep resize(int width, int height, Interpolation filter, boolean antialias) {
    return new ImageStep(
        (image, scale) ->
            image.resize(
                Math.multiplyExact(scale, width),
                Math.multiplyExact(scale, height),
                filter,
                antialias),
        ids -> ids.resize(width, height),
        boxes -> boxes.resize(width, height),
        points -> points.resize(width, height));
  }

  static ImageStep flipHorizontal() {
    return new ImageStep(
        (image, scale) -> image.flipHorizontal(),
        MaskGeometry::flipHorizontal,
        BoundingBoxes::flipHorizontal,
        KeyPoints::flipHorizontal);
  }

  static ImageStep flipVertical() {
    return new ImageStep(
        (image, scale) -> image.flipVertical(),
        MaskGeometry::flipVertical,
        BoundingBoxes::flipVertical,
        KeyPoints::flipVertical);
  }

  /**
   * Returns the step of {@link Image#rotate90}.
   *
   * @param quarters clockwise, 1 to 3
   */
  static ImageStep rotate90(int quarters) {
    return new ImageStep(
        (image, scale) -> image.rotate90(quarters),
        ids -> ids.rotate90(quarters),
        boxes -> boxes.rotate90(quarters),
        points -> points.rotate90(quarters));
  }

  /**
   * Returns the step of {@link Image#rotate} by a right angle, which resamples nothing.
   *
   * @param quarters clockwise, 0 to 3
   * @param width columns of the result; the width in {@code rotation} is Pillow's, which is a pixel
   *     too large for odd sides
   * @param height rows of the result
   */
  static ImageStep rotateExactly(Rotation rotation, int quarters, int width, int height) {
    return rotate(
        rotation,
        width,
        height,
        (image, scale) -> image.rotate90(quarters),
        ids -> ids.rotate90(quarters));
  }

  static ImageStep rotate(Rotation rotation, Interpolation filter, int fill) {
    int width = rotation.width();
    int height = rotation.height();
    return rotate(
        rotation,
        width,
        height,
        affine(rotation.matrix(), width, height, filter, fill).image,
        ids -> ids.warp(AffineGrid.of(rotation, ids.width(), ids.height())));
  }

  private static ImageStep rotate(
      Rotation rotation, int width, int height, Further image, UnaryOperator<MaskGeometry> ids) {
    return new ImageStep(
        image,
        ids,
        boxes ->
            boxes.mapped(
                PointMap.rotation(rotation, boxes.canvasWidth(), boxes.canvasHeight()),
                width,
                height),
        points ->
            points.mapped(
                PointMap.rotation(rotation, points.canvasWidth(), points.canvasHeight()),
                width,
                height));
  }

  static ImageStep affine(AffineMatrix m, int width, int height, Interpolation filter, int fill) {
    return new ImageStep(
        (image, scale) ->
            image.affine(
                new AffineMatrix(m.a(), m.b(), scale * m.c(), m.d(), m.e(), scale * m.f()),
                Math.multiplyExact(scale, width),
                Math.multiplyExact(scale, height),
                filter,
                fill),
        ids -> ids.affine(m, width, height),
        boxes -> boxes.mapped(PointMap.inverse(m), width, height),
        points -> points.mapped(PointMap.inverse(m), width, height));
  }

  /**
   * Returns the step of {@link Image#perspective}. A matrix without an inverse is an error only if
   * there are boxes or points.
   */
  static ImageStep perspective(PerspectiveMatrix m, Interpolation filter, int fill) {
    return new ImageStep(
        (image, scale) -> image.perspective(m.enlarged(scale), filter, fill),
        ids -> ids.perspective(m),
        boxes ->
            boxes.count() == 0
                ? boxes
                : boxes.mapped(PointMap.inverse(m), boxes.canvasWidth(), boxes.canvasHeight()),
        points ->
            points.count() == 0
                ? points
                : points.mapped(PointMap.inverse(m), points.canvasWidth(), points.canvasHeight()));
  }

  static ImageStep elastic(Displacement displacement, Interpolation filter, int fill) {
    int width = displacement.width();
    int height = displacement.height();
    return new ImageStep(
        (image, scale) -> image.elastic(displacement.enlarged(scale), filter, fill),
        ids -> ids.elastic(displacement),
        boxes -> boxes.mapped(new PointMap.Elastic(displacement, true), width, height),
        points -> points.mapped(new PointMap.Elastic(displacement, false), width, height));
  }

  static ImageStep pad(Border border) {
    return new ImageStep(
        (image, scale) -> image.pad(border.enlarged(scale)),
        ids -> ids.pad(border),
        boxes -> boxes.pad(border),
        points -> points.pad(border));
  }
}
