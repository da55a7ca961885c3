package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.BitSet;

/**
 * What is changed along with an image: a target, such as its mask or its boxes, or a further image.
 * An image passes each of its operations on to its linked targets, and each takes it by its kind;
 * what is not overridden leaves it as it is, as a change of colors does for all but images.
 * Immutable.
 *
 * <p>To add an operation to {@link Image}, add it here, to {@link LinkedTargets}, and to every kind
 * that it concerns.
 */
abstract class LinkedTarget {

  /** Takes {@link Image#crop}. */
  abstract LinkedTarget crop(Region part);

  /** Takes {@link Image#resize}. */
  abstract LinkedTarget resize(
      int width, int height, Interpolation interpolation, boolean antialias);

  /** Takes {@link Image#flipHorizontal}. */
  abstract LinkedTarget flipHorizontal();

  /** Takes {@link Image#flipVertical}. */
  abstract LinkedTarget flipVertical();

  /**
   * Takes {@link Image#turn}.
   *
   * @param quarters clockwise, 1 to 3
   */
  abstract LinkedTarget turn(int quarters);

  /** Takes {@link Image#rotate}. */
  abstract LinkedTarget rotate(Rotation rotation);

  /** Takes {@link Image#affine}. */
  abstract LinkedTarget affine(
      AffineMatrix matrix, int width, int height, Interpolation filter, int fill);

  /** Takes {@link Image#perspective}. */
  abstract LinkedTarget perspective(PerspectiveMatrix matrix, Interpolation filter, int fill);

  /** Takes {@link Image#displace}. */
  abstract LinkedTarget displace(Displacement displacement, Interpolation filter, int fill);

  /** Takes {@link Image#pad}. */
  abstract LinkedTarget pad(Border border);

  /** Takes {@link Image#map}. */
  LinkedTarget map(PixelOperation operation) {
    return this;
  }

  /** Takes {@link Image#convert}. */
  LinkedTarget convert(ImageMode mode) {
    return this;
  }

  /** Takes {@link Image#toEightBits}. */
  LinkedTarget toEightBits() {
    return this;
  }

  /** Takes {@link Image#scaleTo1}. */
  LinkedTarget scaleTo1() {
    return this;
  }

  /** Takes {@link Image#normalize}. */
  LinkedTarget normalize(float[] mean, float[] std) {
    return this;
  }

  /** Takes {@link Image#toTensor}. */
  LinkedTarget toTensor(DType dtype, ImageLayout layout) {
    return this;
  }

  /** Takes {@link Image#erase}. */
  LinkedTarget erase(Region part, float... values) {
    return this;
  }

  /** Takes {@link Image#eraseWithNoise}. */
  LinkedTarget eraseWithNoise(Region part, long seed) {
    return this;
  }

  /**
   * Takes {@link Image#keepBoxes}.
   *
   * @param boxes how many there were
   */
  LinkedTarget keepBoxes(BitSet kept, int boxes) {
    return this;
  }

  /** What it is called in errors, with its name if it has one: for example {@code mask a.png}. */
  abstract String inWords();

  /**
   * Checks that it belongs to an image of a size.
   *
   * @param named the linked target and the image, for the message
   * @throws IllegalArgumentException if it does not
   */
  abstract void requireSize(String named, Image image);

  /**
   * A rotation around a point, as {@link Image#rotate} was asked for it, and as Pillow carries it
   * out.
   *
   * @param quarters by how many quarters pixels are moved, clockwise, 0 to 3; -1 where they are
   *     resampled
   * @param degrees counter-clockwise, 0 to 360
   * @param centerX what is turned around, from the left edge
   * @param centerY what is turned around, from the upper edge
   * @param expand whether the result is as large as the turned image
   * @param matrix where to find a pixel of the result
   * @param width columns of the result
   * @param height rows of the result
   * @param filter of images
   * @param fill the color of images where there is none
   */
  record Rotation(
      int quarters,
      double degrees,
      double centerX,
      double centerY,
      boolean expand,
      AffineMatrix matrix,
      int width,
      int height,
      Interpolation filter,
      int fill) {}
}
