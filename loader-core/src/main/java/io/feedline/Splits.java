package io.feedline;

import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.TorchSplits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parts of a dataset that together are the whole, by PyTorch's rules for {@code random_split}. */
final class Splits {

  private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

  private Splits() {}

  static <T> List<Dataset<T>> byFractions(Dataset<T> source, double[] fractions, long seed) {
    long[] lengths = TorchSplits.lengths(source.size(), fractions);
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
    Order order = RandomSampler.of(size, seed).order(0);
    List<Dataset<T>> parts = new ArrayList<>();
    long start = 0;
    for (long length : lengths) {
      long first = start;
      parts.add(
          RoutedDataset.select(
              source, length, i -> order.indexAt(first + i), partName(source, parts.size())));
      start += length;
    }
    return List.copyOf(parts);
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
