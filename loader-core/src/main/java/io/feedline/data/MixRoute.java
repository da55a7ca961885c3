package io.feedline.data;

import io.feedline.data.Dataset.StoppingRule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Datasets interleaved by weights, with random access.
 *
 * <h2>Implementation note</h2>
 *
 * <p>The mixture repeats one block. A block of {@code n} positions holds {@code shares[d]} samples
 * of dataset {@code d}; each position has the number of its dataset, and the number of that
 * dataset's samples before it in the block. So the index of position {@code i} within its dataset
 * is {@code i / n * shares[d] + ranks[i % n]}. The block is the shortest block of at most {@value
 * #LONGEST_BLOCK} positions that has the weights exactly. If there is no such block, the weights
 * are rounded to the longest block, by largest remainders. A block takes 6 bytes per position.
 *
 * <p>Within the block each dataset's samples are spread evenly, as in P-fair scheduling (Baruah,
 * Cohen, Plaxton, Varvel: "Proportionate progress: a notion of fairness in resource allocation",
 * Algorithmica 1996): the {@code k}-th of {@code s} samples belongs into the positions from {@code
 * k n / s} to {@code (k + 1) n / s}, and of the datasets whose next sample may take a position, the
 * dataset with the nearest deadline gets it. So in any prefix, the number of a dataset's samples
 * differs from its share by less than one.
 */
final class MixRoute implements RoutedDataset.Route {

  static final int LONGEST_BLOCK = 1 << 16;

  /** The largest distance of a share from a whole number that counts as a rounding error. */
  private static final double TOLERANCE = 1e-9;

  private final long[] sizes;
  private final int[] shares;
  private final char[] members;
  private final int[] ranks;
  private final long size;

  MixRoute(double[] weights, long[] sizes, StoppingRule rule) {
    this.sizes = sizes;
    this.shares = shares(weights);
    int block = Arrays.stream(shares).sum();
    this.members = new char[block];
    this.ranks = new int[block];
    schedule();
    this.size = size(rule);
  }

  static <T> Dataset<T> mix(
      List<? extends Dataset<? extends T>> datasets, double[] weights, StoppingRule rule) {
    check(datasets.size(), weights);
    long[] sizes = new long[weights.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = datasets.get(i).size();
      if (sizes[i] == 0) {
        throw new IllegalArgumentException(
            "dataset %d of the mixture, %s, is empty".formatted(i, datasets.get(i).name()));
      }
    }
    MixRoute route = new MixRoute(weights, sizes, rule);
    return new RoutedDataset<>(datasets, route, ConcatRoute.names("mix", datasets));
  }

  /** Returns a route for streams: call only its {@link #member} and {@link #block}. */
  static MixRoute ofStreams(int members, double[] weights) {
    check(members, weights);
    long[] sizes = new long[members];
    Arrays.fill(sizes, 1);
    return new MixRoute(weights, sizes, StoppingRule.ALL_EXHAUSTED);
  }

  private static void check(int members, double[] weights) {
    if (members == 0) {
      throw new IllegalArgumentException("mix needs at least one dataset, was given none");
    }
    if (weights.length != members) {
      throw new IllegalArgumentException(
          "mix needs one weight for each dataset: %d datasets, weights %s"
              .formatted(members, Arrays.toString(weights)));
    }
  }

  /** Returns the number of positions after which the turns repeat. */
  int block() {
    return members.length;
  }

  static int[] shares(double[] weights) {
    double total = 0;
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] > 0) || weights[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "weights[%d] must be positive and finite, was %s".formatted(i, weights[i]));
      }
      total += weights[i];
    }
    double[] fractions = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      fractions[i] = weights[i] / total;
      if (fractions[i] * LONGEST_BLOCK < 1) {
        throw new IllegalArgumentException(
            "weights[%d] = %s is less than 1/%d of their sum %s"
                .formatted(i, weights[i], LONGEST_BLOCK, total));
      }
    }
    for (int block = weights.length; block <= LONGEST_BLOCK; block++) {
      int[] exact = exactShares(fractions, block);
      if (exact != null) {
        return exact;
      }
    }
    return roundedShares(fractions);
  }

  private static int[] roundedShares(double[] fractions) {
    int[] result = new int[fractions.length];
    int left = LONGEST_BLOCK;
    for (int i = 0; i < result.length; i++) {
      result[i] = (int) (fractions[i] * LONGEST_BLOCK);
      left -= result[i];
    }
    int[] byLoss =
        IntStream.range(0, result.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> result[i] - fractions[i] * LONGEST_BLOCK))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < left; i++) {
      result[byLoss[i]]++;
    }
    return result;
  }

  private static int[] exactShares(double[] fractions, int block) {
    int[] result = new int[fractions.length];
    int sum = 0;
    for (int i = 0; i < result.length; i++) {
      double share = fractions[i] * block;
      result[i] = (int) Math.rint(share);
      if (result[i] == 0 || Math.abs(share - result[i]) > TOLERANCE) {
        return null;
      }
      sum += result[i];
    }
    return sum == block ? result : null;
  }

  private void schedule() {
    long block = members.length;
    int[] given = new int[shares.length];
    for (int position = 0; position < block; position++) {
      int next = -1;
      long nearest = Long.MAX_VALUE;
      for (int d = 0; d < shares.length; d++) {
        boolean mayCome = given[d] < shares[d] && given[d] * block / shares[d] <= position;
        long deadline = ((given[d] + 1) * block + shares[d] - 1) / shares[d];
        if (mayCome && deadline < nearest) {
          next = d;
          nearest = deadline;
        }
      }
      members[position] = (char) next;
      ranks[position] = given[next]++;
    }
  }

  private long size(StoppingRule rule) {
    long result = rule == StoppingRule.FIRST_EXHAUSTED ? Long.MAX_VALUE : 0;
    for (int d = 0; d < shares.length; d++) {
      result =
          switch (rule) {
            case FIRST_EXHAUSTED -> Math.min(result, positionOf(d, sizes[d]));
            case ALL_EXHAUSTED -> Math.max(result, positionOf(d, sizes[d] - 1) + 1);
          };
    }
    return result;
  }

  private long positionOf(int member, long count) {
    int rank = (int) (count % shares[member]);
    int inBlock = 0;
    while (members[inBlock] != member || ranks[inBlock] != rank) {
      inBlock++;
    }
    return Math.addExact(Math.multiplyExact(count / shares[member], members.length), inBlock);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int member(long index) {
    return members[(int) (index % members.length)];
  }

  @Override
  public long indexIn(int member, long index) {
    long count = index / members.length * shares[member] + ranks[(int) (index % members.length)];
    return count % sizes[member];
  }
}
