package io.feedline.examples.training;

/**
 * The mean over the classes of the intersection over union of predicted and true pixels, as Pascal
 * VOC measures segmentation: all pixels of all images have equal weight; unknown pixels are
 * ignored. Used by one thread.
 */
final class MeanIoU {

  /** The number of pixels by true and by predicted id. */
  private final long[][] pixels;

  /**
   * Creates a meter without pixels.
   *
   * @param ids the number of ids, including the background
   */
  MeanIoU(int ids) {
    this.pixels = new long[ids][ids];
  }

  /**
   * Adds pixels.
   *
   * @param truth the true id of each pixel; a pixel is ignored if its id is not below the number of
   *     ids
   * @param predicted the predicted id of each pixel
   */
  void add(int[] truth, int[] predicted) {
    for (int i = 0; i < truth.length; i++) {
      if (truth[i] < pixels.length) {
        pixels[truth[i]][predicted[i]]++;
      }
    }
  }

  /** Returns the mean over the ids that occur; 0 without pixels. */
  double value() {
    double sum = 0;
    int found = 0;
    for (int id = 0; id < pixels.length; id++) {
      long union = truly(id) + predicted(id) - pixels[id][id];
      if (union > 0) {
        sum += (double) pixels[id][id] / union;
        found++;
      }
    }
    return found == 0 ? 0 : sum / found;
  }

  /** Returns the result of predicting background everywhere, a baseline for networks. */
  double ofBackground() {
    long all = 0;
    int found = 0;
    for (int id = 0; id < pixels.length; id++) {
      all += truly(id);
      found += truly(id) > 0 || id == 0 ? 1 : 0;
    }
    return all == 0 ? 0 : (double) truly(0) / all / found;
  }

  private long truly(int id) {
    long sum = 0;
    for (long count : pixels[id]) {
      sum += count;
    }
    return sum;
  }

  private long predicted(int id) {
    long sum = 0;
    for (long[] row : pixels) {
      sum += row[id];
    }
    return sum;
  }
}
