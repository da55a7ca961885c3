package io.feedline.data;

import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of a dataset's samples, and the way to deal each class out to the parts of a split.
 *
 * <p>A part gets its fraction of each class, rounded down. The parts that are owed most get the
 * remaining samples: at most one each, and none if the exact share is a whole number. A part is
 * owed the samples that rounding has cost it so far, over all classes; so many small classes do not
 * all round in favor of the same part.
 */
final class Strata {

  private static final Logger LOG = LoggerFactory.getLogger(Strata.class);

  /** The largest rounding error of a count times a fraction. */
  private static final double TOLERANCE = 1e-6;

  private final String name;

  /** The class of each sample, as a position in {@link #classes}. */
  private final int[] strata;

  /** The labels that occur, ascending. */
  private final int[] classes;

  private final int[] counts;

  Strata(String name, int[] labels) {
    this.name = name;
    this.classes = IntStream.of(labels).sorted().distinct().toArray();
    this.strata = new int[labels.length];
    this.counts = new int[classes.length];
    for (int i = 0; i < labels.length; i++) {
      strata[i] = Arrays.binarySearch(classes, labels[i]);
      counts[strata[i]]++;
    }
  }

  Splits.Partition deal(double[] fractions, long seed) {
    int[] sizes = new int[fractions.length];
    int[] parts = partsByClass(fractions, sizes);
    int[] next = new int[classes.length];
    for (int i = 1; i < next.length; i++) {
      next[i] = next[i - 1] + counts[i - 1];
    }
    long[] ends = new long[fractions.length];
    int[] cursors = new int[fractions.length];
    for (int part = 0; part < sizes.length; part++) {
      cursors[part] = part == 0 ? 0 : (int) ends[part - 1];
      ends[part] = cursors[part] + (long) sizes[part];
    }
    int[] indices = new int[strata.length];
    Order order = RandomSampler.of(strata.length, seed).order(0);
    for (int position = 0; position < indices.length; position++) {
      int index = (int) order.indexAt(position);
      indices[cursors[parts[next[strata[index]]++]]++] = index;
    }
    return new Splits.Partition(position -> indices[(int) position], ends);
  }

  /** Returns each sample's part, class after class; counts a part's samples in {@code sizes}. */
  private int[] partsByClass(double[] fractions, int[] sizes) {
    int[] parts = new int[strata.length];
    double[] owed = new double[fractions.length];
    int missing = 0;
    String example = "";
    int start = 0;
    for (int i = 0; i < counts.length; i++) {
      int[] quotas = quotas(counts[i], fractions, owed);
      int without = -1;
      for (int part = quotas.length - 1; part >= 0; part--) {
        Arrays.fill(parts, start, start + quotas[part], part);
        start += quotas[part];
        sizes[part] += quotas[part];
        without = quotas[part] == 0 && fractions[part] > 0 ? part : without;
      }
      if (without >= 0 && missing++ == 0) {
        example = "class %d has %d, and none in part %d".formatted(classes[i], counts[i], without);
      }
    }
    if (missing > 0) {
      LOG.warn(
          "{}: {} of {} classes have too few samples for each of the {} parts to get one: {}",
          name,
          missing,
          classes.length,
          fractions.length,
          example);
    }
    return parts;
  }

  /** Returns the number of a class's samples for each part; updates {@code owed}. */
  private static int[] quotas(int count, double[] fractions, double[] owed) {
    int[] quotas = new int[fractions.length];
    boolean[] even = new boolean[fractions.length];
    int left = count;
    for (int part = 0; part < quotas.length; part++) {
      double exact = count * fractions[part];
      even[part] = Math.abs(exact - Math.rint(exact)) < TOLERANCE;
      quotas[part] = (int) (even[part] ? Math.rint(exact) : Math.floor(exact));
      left -= quotas[part];
      owed[part] += exact - quotas[part];
    }
    IntStream.range(0, quotas.length)
        .boxed()
        .sorted(
            Comparator.comparing((Integer part) -> even[part])
                .thenComparing(part -> -owed[part])
                .thenComparing(part -> part))
        .limit(left)
        .forEach(
            part -> {
              quotas[part]++;
              owed[part]--;
            });
    return quotas;
  }
}
