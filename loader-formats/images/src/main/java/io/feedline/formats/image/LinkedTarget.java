package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.BitSet;

/**
 * A target that changes along with an image, such as its mask or its boxes, or a further image. An
 * image passes each of its operations on to its linked targets, and each applies it in its own way.
 * A method that is not overridden leaves the target as it is, as a change of colors does for all
 * targets except images. Immutable.
 *
 * <p>To add an operation to {@link Image}, add it here, and to every kind that it concerns.
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

  /**
   * Returns the name used in errors, with the target's own name if it has one: for example {@code
   * mask a.png}.
   */
  abstract String inWords();

  /**
   * Checks that it belongs to an image of a size.
   *
   * @param named the linked target and the image, for the message
   * @throws IllegalArgumentException if it does not
   */
  abstract void requireSize(String named, Image image);

  /**
   * A rotation around a point, as given to {@link Image#rotate}, and as Pillow carries it out.
   *
   * @param quarters quarter turns, clockwise, 0 to 3; -1 if pixels are resampled
   * @param degrees counter-clockwise, 0 to 360
   * @param centerX center of the rotation, from the left edge
   * @param centerY center of the rotation, from the upper edge
   * @param expand whether the result is as large as the turned image
   * @param matrix maps a pixel of the result to its source position
   * @param width columns of the result
   * @param height rows of the result
   * @param filter the filter for images
   * @param fill the color of pixels without a source, in images
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
