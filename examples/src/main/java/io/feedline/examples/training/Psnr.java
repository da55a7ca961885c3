package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;

/** The peak signal-to-noise ratio (PSNR) of images with values from 0 to 1, in decibels. */
final class Psnr {

  /** The value for equal images, whose ratio is infinite. */
  static final double LARGEST = 100;

  private Psnr() {}

  /**
   * Returns the mean PSNR of the images of a batch.
   *
   * @param image (n, 3, height, width); values are clamped to the range 0 to 1
   * @param truth of the same shape
   */
  static double mean(NDArray image, NDArray truth) {
    NDArray squares = image.clip(0, 1).sub(truth).square();
    // DJL's mean over axes takes one axis.
    NDArray errors = squares.reshape(image.getShape().get(0), -1).mean(new int[] {1});
    double sum = 0;
    float[] ofPictures = errors.toFloatArray();
    for (float error : ofPictures) {
      sum += ofError(error);
    }
    return sum / ofPictures.length;
  }

  /** Returns the PSNR for a mean of squared differences. */
  static double ofError(double error) {
    return Math.min(LARGEST, -10 * Math.log10(error));
  }
}
