package io.feedline.examples.training;

/**
 * The share of samples whose right class is among the k that a network holds most likely, in
 * percent.
 */
final class Accuracy {
  private Accuracy() {}

  /**
   * The share of samples whose label is among their k highest scores. A score that equals the
   * label's counts against it, and a label whose score is not a number is never right.
   *
   * @param scores the scores of the samples, one after the other: {@code scores.length /
   *     labels.length} for each
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
