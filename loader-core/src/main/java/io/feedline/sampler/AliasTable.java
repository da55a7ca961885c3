package io.feedline.sampler;

import java.util.Arrays;

/**
 * A table that draws an index with a probability proportional to its weight, in constant time:
 * Walker's alias method (Walker: "An efficient method for generating discrete random variables with
 * general distributions", ACM TOMS 3, 1977). The n columns of the table are equally probable;
 * column i holds at most two indices: i and its alias.
 *
 * <p>The table is filled by a sweep with one pointer to the next light and one to the next heavy
 * index (Hübschle-Schneider, Sanders: "Parallel weighted random sampling", ESA 2019), which needs
 * no work lists, unlike Vose's method (IEEE TSE 17, 1991). The table takes 8 bytes per weight. A
 * probability is a float, so its relative error is at most 2^-24.
 */
final class AliasTable {

  private final float[] own;
  private final int[] alias;

  /** Creates the table of weights that are finite and 0 or more; at least one weight is above 0. */
  AliasTable(double[] weights) {
    int n = weights.length;
    own = new float[n];
    alias = new int[n];
    Arrays.fill(own, 1);

    int heaviest = 0;
    for (int i = 1; i < n; i++) {
      heaviest = weights[i] > weights[heaviest] ? i : heaviest;
    }
    // Weights are divided by the largest, since their own sum could overflow. The stream's sum
    // compensates rounding errors.
    double max = weights[heaviest];
    double scale = n / Arrays.stream(weights).map(weight -> weight / max).sum();
    Columns columns = new Columns(weights, max, scale);

    int light = columns.nextLight(0);
    int heavy = columns.nextHeavy(0);
    double rest = heavy < n ? columns.height(heavy) : 0;
    while (heavy < n) {
      if (rest > 1) {
        if (light == n) {
          break;
        }
        double height = columns.height(light);
        own[light] = (float) height;
        alias[light] = heavy;
        rest = (rest + height) - 1;
        light = columns.nextLight(light + 1);
      } else {
        int next = columns.nextHeavy(heavy + 1);
        if (next == n) {
          break;
        }
        own[heavy] = (float) rest;
        alias[heavy] = next;
        rest = (rest + columns.height(next)) - 1;
        heavy = next;
      }
    }
    // Each remaining column has height 1, apart from rounding. A weight of 0 must not profit from
    // rounding.
    for (; light < n; light = columns.nextLight(light + 1)) {
      if (weights[light] == 0) {
        own[light] = 0;
        alias[light] = heaviest;
      }
    }
  }

  int size() {
    return own.length;
  }

  /** Returns the index that a random column and a random number in [0, 1) choose. */
  int at(int column, double unit) {
    return unit < own[column] ? column : alias[column];
  }

  /** The weights as heights of columns whose mean is 1. */
  private record Columns(double[] weights, double max, double scale) {
    double height(int i) {
      return weights[i] / max * scale;
    }

    int nextLight(int from) {
      int i = from;
      while (i < weights.length && height(i) > 1) {
        i++;
      }
      return i;
    }

    int nextHeavy(int from) {
      int i = from;
      while (i < weights.length && height(i) <= 1) {
        i++;
      }
      return i;
    }
  }
}
