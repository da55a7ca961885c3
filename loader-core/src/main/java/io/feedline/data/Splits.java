package io.feedline.data;

import io.feedline.data.Dataset.Fold;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.TorchRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class Splits {

  private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

  private Splits() {}

  static <T> List<Dataset<T>> byFractions(Dataset<T> source, double[] fractions, long seed) {
    long[] lengths = TorchRandom.splitLengths(source.size(), fractions);
    if (IntStream.range(0, lengths.length).anyMatch(i -> lengths[i] == 0 && fractions[i] > 0)) {
      LOG.warn(
          "{} has {} samples, too few for the fractions {}: the parts' lengths are {}",
          source.name(),
          source.size(),
          fractions,
          lengths);
    }
    return byLengths(source, lengths, seed);
  }

  static <T> List<Dataset<T>> byLengths(Dataset<T> source, long[] lengths, long seed) {
    long size = source.size();
    long sum = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "lengths[%d] must be 0 or more, was %d".formatted(i, lengths[i]));
      }
      sum = Math.addExact(sum, lengths[i]);
    }
    if (sum != size) {
      throw new IllegalArgumentException(
          "lengths must sum to the size of %s, %d, were %s = %d"
              .formatted(source.name(), size, Arrays.toString(lengths), sum));
    }
    return Partition.random(size, lengths, seed).parts(source);
  }

  static <T> List<Dataset<T>> stratified(
      Dataset<T> source, double[] fractions, int[] labels, long seed) {
    TorchRandom.splitLengths(source.size(), fractions);
    double sum = Arrays.stream(fractions).sum();
    double[] exact = Arrays.stream(fractions).map(fraction -> fraction / sum).toArray();
    return strata(source, labels).deal(exact, seed).parts(source);
  }

  static <T> List<Fold<Dataset<T>>> folds(Dataset<T> source, int count, long seed) {
    long size = source.size();
    checkFolds(source, count);
    long[] lengths = new long[count];
    Arrays.setAll(lengths, fold -> size / count + (fold < size % count ? 1 : 0));
    return Partition.random(size, lengths, seed).folds(source);
  }

  static <T> List<Fold<Dataset<T>>> foldsStratified(
      Dataset<T> source, int count, int[] labels, long seed) {
    checkFolds(source, count);
    double[] fractions = new double[count];
    Arrays.fill(fractions, 1.0 / count);
    return strata(source, labels).deal(fractions, seed).folds(source);
  }

  private static void checkFolds(Dataset<?> source, int count) {
    if (count < 2 || count > source.size()) {
      throw new IllegalArgumentException(
          "the number of folds must be from 2 to the size of %s, %d, was %d"
              .formatted(source.name(), source.size(), count));
    }
  }

  private static Strata strata(Dataset<?> source, int[] labels) {
    if (labels.length != source.size()) {
      throw new IllegalArgumentException(
          "labels must have one for each of the %d samples of %s, have %d"
              .formatted(source.size(), source.name(), labels.length));
    }
    return new Strata(source.name(), labels);
  }

  /** Parts of a dataset: pieces of an order of all samples, which end at {@code ends}. */
  record Partition(LongUnaryOperator order, long[] ends) {

    static Partition random(long size, long[] lengths, long seed) {
      long[] ends = lengths.clone();
      Arrays.parallelPrefix(ends, Long::sum);
      return new Partition(RandomSampler.of(size, seed).order(0)::indexAt, ends);
    }

    private long start(int part) {
      return part == 0 ? 0 : ends[part - 1];
    }

    <T> List<Dataset<T>> parts(Dataset<T> source) {
      List<Dataset<T>> parts = new ArrayList<>();
      for (int part = 0; part < ends.length; part++) {
        parts.add(piece(source, part, partName(source, part)));
      }
      return List.copyOf(parts);
    }

    <T> List<Fold<Dataset<T>>> folds(Dataset<T> source) {
      List<Fold<Dataset<T>>> folds = new ArrayList<>();
      for (int fold = 0; fold < ends.length; fold++) {
        String name = source.name() + ".fold[" + fold + "]";
        folds.add(
            new Fold<>(
                others(source, fold, name + ".train"), piece(source, fold, name + ".validation")));
      }
      return List.copyOf(folds);
    }

    private <T> Dataset<T> piece(Dataset<T> source, int part, String name) {
      long start = start(part);
      return RoutedDataset.select(
          source, ends[part] - start, i -> order.applyAsLong(start + i), name);
    }

    private <T> Dataset<T> others(Dataset<T> source, int part, String name) {
      long start = start(part);
      long length = ends[part] - start;
      return RoutedDataset.select(
          source, source.size() - length, i -> order.applyAsLong(i < start ? i : i + length), name);
    }
  }

  static <T> List<Dataset<T>> byIndices(Dataset<T> source, long[][] parts) {
    long size = source.size();
    long given = 0;
    Map<Long, BitSet> seen = new HashMap<>();
    List<Dataset<T>> result = new ArrayList<>();
    for (int part = 0; part < parts.length; part++) {
      String option = "indices[" + part + "]";
      result.add(subset(source, parts[part], option, partName(source, part)));
      given += parts[part].length;
      for (long index : parts[part]) {
        BitSet page = seen.computeIfAbsent(index >>> 20, key -> new BitSet());
        int bit = (int) index & ((1 << 20) - 1);
        if (page.get(bit)) {
          throw new IllegalArgumentException(
              "%s contains %d, which was given before; the parts of a split share no sample"
                  .formatted(option, index));
        }
        page.set(bit);
      }
    }
    if (given != size) {
      throw new IllegalArgumentException(
          "indices must have each of the %d samples of %s once, have %d; use subset for fewer"
              .formatted(size, source.name(), given));
    }
    return List.copyOf(result);
  }

  static <T> Dataset<T> subset(Dataset<T> source, long[] indices, String option, String name) {
    long size = source.size();
    IndexList kept = new IndexList(size);
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= size) {
        throw new IllegalArgumentException(
            "%s[%d] must be from 0 to %d, the last index of %s, was %d"
                .formatted(option, i, size - 1, source.name(), indices[i]));
      }
      kept.add(indices[i]);
    }
    return RoutedDataset.select(source, indices.length, kept::get, name);
  }

  private static String partName(Dataset<?> source, int part) {
    return source.name() + ".split[" + part + "]";
  }
}
