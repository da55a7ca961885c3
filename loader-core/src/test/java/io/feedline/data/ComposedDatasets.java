package io.feedline.data;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/** Samples that tell where they come from, for the tests of datasets made of others. */
public final class ComposedDatasets {
  private ComposedDatasets() {}

  /** A sample that carries its dataset's name, its own index and a checksum of both. */
  public record Sample(String origin, long index, long checksum) {
    static Sample of(String origin, long index) {
      return new Sample(origin, index, checksum(origin, index));
    }

    static long checksum(String origin, long index) {
      return (origin.hashCode() * 31L + index) * 0x9E3779B97F4A7C15L;
    }

    boolean isIntact() {
      return checksum == checksum(origin, index);
    }
  }

  /** A dataset with paths to describe. */
  public static Dataset<Sample> files(String origin, long size) {
    return new Dataset<>() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public Sample get(long index) {
        return Sample.of(origin, Objects.checkIndex(index, size));
      }

      @Override
      public String describe(long index) {
        return "/data/%s/%d.png".formatted(origin, index);
      }

      @Override
      public String name() {
        return origin;
      }
    };
  }

  /** The same with a random number drawn for each sample. */
  static Dataset<Map<String, Object>> augmented(String origin, long size) {
    return files(origin, size)
        .map(
            (sample, random) -> {
              Map<String, Object> result = new LinkedHashMap<>();
              result.put("sample", sample);
              result.put("draw", random.nextLong());
              return result;
            });
  }

  /** All samples in order, each as for example {@code a3}. */
  static List<String> brief(Dataset<Sample> dataset) throws Exception {
    List<String> samples = new ArrayList<>();
    for (long i = 0; i < dataset.size(); i++) {
      Sample sample = dataset.get(i);
      if (!sample.isIntact()) {
        throw new AssertionError("a sample was corrupted: " + sample);
      }
      samples.add(sample.origin() + sample.index());
    }
    return samples;
  }

  /** For example {@code a0, a1, a2}. */
  static List<String> brief(String origin, long... indices) {
    return LongStream.of(indices).mapToObj(i -> origin + i).toList();
  }
}
