package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.BitSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * An operation of {@link Image} as a value, with what it does to each kind of target of the image.
 * A method that a step does not implement leaves its target as it is, as a change of colors does
 * for all targets except further images. Immutable.
 *
 * <p>To add an operation to {@link Image}, add a step here.
 */
interface ImageStep {

  /**
   * Returns a further image after this step.
   *
   * @param scale how many times as large as the first image it is
   */
  Image apply(Image image, int scale);

  /** Returns the way of a mask's ids after this step, by the nearest pixel. */
  default MaskGeometry apply(MaskGeometry ids) {
    return ids;
  }

  /** Returns masks after this step. */
  default InstanceMasks apply(InstanceMasks masks) {
    return masks.with(apply(masks.geometry()));
  }

  /** Returns boxes after this step. */
  default BoundingBoxes apply(BoundingBoxes boxes) {
    return boxes;
  }

  /** Returns points after this step. */
  default KeyPoints apply(KeyPoints points) {
    return points;
  }

  /** Returns labels after this step. */
  default BoxLabels apply(BoxLabels labels) {
    return labels;
  }

  private static Region scaled(Region part, int scale) {
    return new Region(
        Math.multiplyExact(scale, part.x()),
        Math.multiplyExact(scale, part.y()),
        Math.multiplyExact(scale, part.width()),
        Math.multiplyExact(scale, part.height()));
  }

  /** {@link Image#crop}. */
  record Crop(Region part) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.crop(scaled(part, scale));
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.crop(part);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.crop(part);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.crop(part);
    }
  }

  /** {@link Image#resize}. */
  record Resize(int width, int height, Interpolation filter, boolean antialias)
      implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.resize(
          Math.multiplyExact(scale, width), Math.multiplyExact(scale, height), filter, antialias);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.resize(width, height);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.resize(width, height);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.resize(width, height);
    }
  }

  /** {@link Image#flipHorizontal}. */
  record FlipHorizontal() implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.flipHorizontal();
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.flipHorizontal();
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.flipHorizontal();
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.flipHorizontal();
    }
  }

  /** {@link Image#flipVertical}. */
  record FlipVertical() implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.flipVertical();
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.flipVertical();
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.flipVertical();
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.flipVertical();
    }
  }

  /**
   * {@link Image#rotate90}.
   *
   * @param quarters clockwise, 1 to 3
   */
  record Rotate90(int quarters) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.rotate90(quarters);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.rotate90(quarters);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.rotate90(quarters);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.rotate90(quarters);
    }
  }

  /**
   * {@link Image#rotate}, as Pillow carries it out.
   *
   * @param degrees counter-clockwise, 0 to 360
   * @param centerX center of the rotation, from the left edge
   * @param centerY center of the rotation, from the upper edge
   * @param expand whether the result is as large as the rotated image
   * @param exact whether pixels move by quarter turns; if not, they are resampled
   * @param matrix maps a pixel of the result to its source position
   * @param width columns of the result
   * @param height rows of the result
   * @param filter the filter for images
   * @param fill the color of pixels without a source, in images
   */
  record Rotate(
      double degrees,
      double centerX,
      double centerY,
      boolean expand,
      boolean exact,
      AffineMatrix matrix,
      int width,
      int height,
      Interpolation filter,
      int fill)
      implements ImageStep {

    /** Returns the rotation of an image of a size, of which the degrees are 0 to 360. */
    static Rotate of(
        Image image,
        double degrees,
        double x,
        double y,
        boolean expand,
        boolean exact,
        Interpolation filter,
        int fill) {
      int width = image.width();
      int height = image.height();
      AffineMatrix.Rotation found = AffineMatrix.rotation(degrees, width, height, x, y, expand);
      // Pillow's formula gives odd sides a pixel too many where it is not asked, by quarters.
      boolean swapped = exact && quarters(degrees) % 2 == 1;
      int newWidth = !exact ? found.width() : swapped ? height : width;
      int newHeight = !exact ? found.height() : swapped ? width : height;
      return new Rotate(
          degrees, x, y, expand, exact, found.matrix(), newWidth, newHeight, filter, fill);
    }

    /** Returns the quarter turns, clockwise, 0 to 3. */
    int quarters() {
      return quarters(degrees);
    }

    private static int quarters(double degrees) {
      return Math.floorMod(-(int) (degrees / 90), 4);
    }

    @Override
    public Image apply(Image image, int scale) {
      return exact
          ? image.rotate90(quarters())
          : new Affine(matrix, width, height, filter, fill).apply(image, scale);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return exact
          ? ids.rotate90(quarters())
          : ids.warp(AffineGrid.of(this, ids.width(), ids.height()));
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.mapped(points(boxes.canvasWidth(), boxes.canvasHeight()), width, height);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.mapped(points(points.canvasWidth(), points.canvasHeight()), width, height);
    }

    private PointMap points(int fromWidth, int fromHeight) {
      return PointMap.rotation(this, fromWidth, fromHeight);
    }
  }

  /** {@link Image#affine}. */
  record Affine(AffineMatrix matrix, int width, int height, Interpolation filter, int fill)
      implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      AffineMatrix m = matrix;
      AffineMatrix scaled =
          new AffineMatrix(m.a(), m.b(), scale * m.c(), m.d(), m.e(), scale * m.f());
      return image.affine(
          scaled,
          Math.multiplyExact(scale, width),
          Math.multiplyExact(scale, height),
          filter,
          fill);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.affine(matrix, width, height);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.mapped(PointMap.inverse(matrix), width, height);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.mapped(PointMap.inverse(matrix), width, height);
    }
  }

  /** {@link Image#perspective}. */
  record Perspective(PerspectiveMatrix matrix, Interpolation filter, int fill)
      implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      PerspectiveMatrix m = matrix;
      PerspectiveMatrix scaled =
          new PerspectiveMatrix(
              m.a(),
              m.b(),
              scale * m.c(),
              m.d(),
              m.e(),
              scale * m.f(),
              m.g() / scale,
              m.h() / scale);
      return image.perspective(scaled, filter, fill);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.perspective(matrix);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.count() == 0
          ? boxes
          : boxes.mapped(PointMap.inverse(matrix), boxes.canvasWidth(), boxes.canvasHeight());
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.count() == 0
          ? points
          : points.mapped(PointMap.inverse(matrix), points.canvasWidth(), points.canvasHeight());
    }
  }

  /** {@link Image#elastic}. */
  record Elastic(Displacement displacement, Interpolation filter, int fill) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.elastic(displacement.enlarged(scale), filter, fill);
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.elastic(displacement);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.mapped(
          new PointMap.Elastic(displacement, true), boxes.canvasWidth(), boxes.canvasHeight());
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.mapped(
          new PointMap.Elastic(displacement, false), points.canvasWidth(), points.canvasHeight());
    }
  }

  /** {@link Image#pad}. */
  record Pad(Border border) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image.pad(
          new Border(
              Math.multiplyExact(scale, border.left()),
              Math.multiplyExact(scale, border.top()),
              Math.multiplyExact(scale, border.right()),
              Math.multiplyExact(scale, border.bottom()),
              border.mode(),
              border.fill()));
    }

    @Override
    public MaskGeometry apply(MaskGeometry ids) {
      return ids.pad(border);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.pad(border);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.pad(border);
    }
  }

  /** A change of values that moves no pixel, such as {@link Image#normalize}. */
  record Values(UnaryOperator<Image> change) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return change.apply(image);
    }
  }

  /** {@link Image#erase} and {@link Image#eraseWithNoise}. */
  record Erase(Region part, BiFunction<Image, Region, Image> change) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return change.apply(image, scaled(part, scale));
    }
  }

  /**
   * {@link Image#keepBoxes}.
   *
   * @param count how many boxes there were
   */
  record KeepBoxes(BitSet kept, int count) implements ImageStep {
    @Override
    public Image apply(Image image, int scale) {
      return image;
    }

    @Override
    public InstanceMasks apply(InstanceMasks masks) {
      return masks.keepBoxes(kept, count);
    }

    @Override
    public BoundingBoxes apply(BoundingBoxes boxes) {
      return boxes.keepBoxes(kept, count);
    }

    @Override
    public KeyPoints apply(KeyPoints points) {
      return points.keepBoxes(kept, count);
    }

    @Override
    public BoxLabels apply(BoxLabels labels) {
      return labels.keepBoxes(kept, count);
    }
  }
}
