package io.feedline.examples.training;

/**
 * The top-k accuracy: the percentage of samples whose true class is among the k classes with the
 * highest scores.
 */
final class Accuracy {
  private Accuracy() {}

  /**
   * Returns the percentage of samples whose label is among the k highest scores. Another class with
   * the label's score counts as higher, and a label whose score is NaN is never right.
   *
   * @param scores the scores of all samples, one sample after the other; a sample has {@code
   *     scores.length / labels.length}
   * @return 0 to 100
   */
  static double topK(float[] scores, long[] labels, int k) {
    int classes = scores.length / labels.length;
    int right = 0;
    for (int sample = 0; sample < labels.length; sample++) {
      int first = sample * classes;
      int label = (int) labels[sample];
      float own = scores[first + label];
      int above = 0;
      for (int i = 0; i < classes; i++) {
        if (i != label && !(scores[first + i] < own)) {
          above++;
        }
      }
      if (above < k) {
        right++;
      }
    }
    return 100.0 * right / labels.length;
  }
}
