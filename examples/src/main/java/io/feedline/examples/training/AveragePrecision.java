package io.feedline.examples.training;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * AP50, the mean over the classes of the average precision. A predicted box is right if its
 * intersection over union with a true box is at least 0.5. The average precision is the area below
 * the curve of precision over recall, as Pascal VOC has measured it since 2010. Used by one thread.
 */
final class AveragePrecision {

  private static final float HALF = 0.5f;

  private final int[] truths;
  private final List<List<Hit>> hits = new ArrayList<>();

  /** A prediction's score, and whether the predicted box is right. */
  private record Hit(float score, boolean right) {}

  AveragePrecision(int classes) {
    this.truths = new int[classes];
    for (int label = 0; label < classes; label++) {
      hits.add(new ArrayList<>());
    }
  }

  /** Adds an image. If several predictions match one box, only the best is right. */
  void add(List<Detection> truth, List<Detection> predicted) {
    truth.forEach(box -> truths[box.label()]++);
    List<Detection> open = new ArrayList<>(truth);
    for (Detection each :
        predicted.stream().sorted(Comparator.comparing(Detection::score).reversed()).toList()) {
      Detection nearest =
          open.stream()
              .filter(box -> box.label() == each.label() && box.overlap(each) >= HALF)
              .max(Comparator.comparing(each::overlap))
              .orElse(null);
      open.remove(nearest);
      hits.get(each.label()).add(new Hit(each.score(), nearest != null));
    }
  }

  /** Returns the mean over the classes that occur; 0 without boxes. */
  double value() {
    double sum = 0;
    int found = 0;
    for (int label = 0; label < truths.length; label++) {
      if (truths[label] > 0) {
        sum += ofClass(label);
        found++;
      }
    }
    return found == 0 ? 0 : sum / found;
  }

  private double ofClass(int label) {
    List<Hit> best =
        hits.get(label).stream().sorted(Comparator.comparing(Hit::score).reversed()).toList();
    double[] precision = new double[best.size()];
    int right = 0;
    for (int i = 0; i < precision.length; i++) {
      right += best.get(i).right ? 1 : 0;
      precision[i] = (double) right / (i + 1);
    }
    double area = 0;
    double highest = 0;
    // At each recall, the best precision at this or a higher recall counts.
    for (int i = precision.length - 1; i >= 0; i--) {
      highest = Math.max(highest, precision[i]);
      area += best.get(i).right ? highest / truths[label] : 0;
    }
    return area;
  }

  /**
   * Returns the fraction of right predictions among those with a score of at least 0.5; 0 without
   * any.
   */
  double precision() {
    return share(confident());
  }

  /**
   * Returns the fraction of true boxes that are predicted with a score of at least 0.5; 0 without
   * any.
   */
  double recall() {
    int all = 0;
    for (int count : truths) {
      all += count;
    }
    return all == 0 ? 0 : (double) right(confident()) / all;
  }

  private List<Hit> confident() {
    return hits.stream().flatMap(List::stream).filter(hit -> hit.score >= HALF).toList();
  }

  private static double share(List<Hit> some) {
    return some.isEmpty() ? 0 : (double) right(some) / some.size();
  }

  private static long right(List<Hit> some) {
    return some.stream().filter(Hit::right).count();
  }
}
