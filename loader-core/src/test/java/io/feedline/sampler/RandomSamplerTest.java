package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Orders in sequence, at random, and of a subset. */
class RandomSamplerTest {

  @Nested
  class InSequence extends SamplerContract {
    InSequence() {
      super(seed -> SequentialSampler.of(100), 100, 0, 1, 2, 3);
    }

    @Override
    protected boolean random() {
      return false;
    }
  }

  /** 200 indices, of which two occur twice. */
  private static final long[] SUBSET =
      LongStream.concat(LongStream.range(0, 198).map(i -> i * 1_000_000_007L), LongStream.of(0, 0))
          .toArray();

  @Nested
  class OfASubset extends SamplerContract {
    OfASubset() {
      super(
          seed -> SubsetRandomSampler.of(SUBSET, seed),
          200,
          new long[] {50000000350L, 154000001078L, 122000000854L, 46000000322L});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(sorted(indices)).isEqualTo(sorted(SUBSET));
    }

    @Test
    void shouldNotSeeLaterChangesOfTheArray() {
      long[] indices = {5, 6, 7};
      Sampler sampler = SubsetRandomSampler.of(indices, 1);
      indices[0] = 99;
      assertThat(sorted(indices(sampler.order(0)))).containsExactly(5, 6, 7);
    }
  }

  @Nested
  class EachIndexOnce extends SamplerContract {
    EachIndexOnce() {
      super(seed -> RandomSampler.of(300, seed), 300, 296, 63, 238, 37, 219, 77, 249, 113);
    }
  }

  @Nested
  class FewerSamplesThanIndices extends SamplerContract {
    FewerSamplesThanIndices() {
      super(
          seed -> RandomSampler.builder(300).seed(seed).numSamples(120).build(),
          120,
          new long[] {296, 63, 238, 37, 219, 77, 249, 113});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).distinct()).hasSize(120).allMatch(i -> i >= 0 && i < 300);
    }

    @Test
    void shouldBeThePrefixOfTheWholeOrder() {
      assertThat(indices(sampler(3).order(1)))
          .isEqualTo(Arrays.copyOf(indices(RandomSampler.of(300, 3).order(1)), 120));
    }
  }

  @Nested
  class MoreSamplesThanIndices extends SamplerContract {
    MoreSamplesThanIndices() {
      super(
          seed -> RandomSampler.builder(50).seed(seed).numSamples(170).build(),
          170,
          new long[] {0, 33, 31, 32, 37, 42, 30, 6});
    }

    @Override
    protected void verifyContents(long[] indices) {
      for (int pass = 0; pass < 3; pass++) {
        assertThat(sorted(Arrays.copyOfRange(indices, pass * 50, (pass + 1) * 50)))
            .isEqualTo(LongStream.range(0, 50).toArray());
      }
      assertThat(Arrays.stream(indices).skip(150).distinct()).hasSize(20);
    }

    @Test
    void shouldBeginWithTheOrderOfASinglePassAndThenShuffleAnew() {
      long[] indices = indices(sampler(3).order(1));
      assertThat(Arrays.copyOf(indices, 50))
          .isEqualTo(indices(RandomSampler.of(50, 3).order(1)))
          .isNotEqualTo(Arrays.copyOfRange(indices, 50, 100));
      assertThat(Arrays.copyOfRange(indices, 50, 100))
          .isNotEqualTo(Arrays.copyOfRange(indices, 100, 150));
    }
  }

  @Nested
  class WithReplacement extends SamplerContract {
    WithReplacement() {
      super(
          seed -> RandomSampler.builder(50).seed(seed).replacement(true).numSamples(400).build(),
          400,
          new long[] {2, 28, 27, 31, 13, 39, 5, 36});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices)).hasSize(400).allMatch(i -> i >= 0 && i < 50);
    }

    @Test
    void shouldDrawIndicesAndPairsEquallyOften() {
      int size = 30;
      Order order =
          RandomSampler.builder(size).replacement(true).numSamples(400_000).build().order(0);
      long[] counts = new long[size];
      long[] pairs = new long[size * size];
      for (int i = 0; i < 400_000; i += 2) {
        int first = (int) order.indexAt(i);
        int second = (int) order.indexAt(i + 1);
        counts[first]++;
        counts[second]++;
        pairs[first * size + second]++;
      }
      ChiSquared.assertUniform("indices", counts);
      ChiSquared.assertUniform("neighbors", pairs);
    }

    @Test
    void shouldDrawIndependentlyInEachEpoch() {
      int size = 20;
      Sampler sampler = RandomSampler.builder(size).seed(5).replacement(true).numSamples(4).build();
      long[] pairs = new long[size * size];
      for (long epoch = 0; epoch < 50_000; epoch++) {
        pairs[
            (int) (sampler.order(epoch).indexAt(2) * size + sampler.order(epoch + 1).indexAt(2))]++;
      }
      ChiSquared.assertUniform("epochs", pairs);
    }

    @Test
    void shouldTakeNoMemoryForHugeDatasets() {
      Order order =
          RandomSampler.builder(1L << 62).replacement(true).numSamples(1L << 62).build().order(0);
      assertThat(LongStream.range(0, 1000).map(order::indexAt).distinct()).hasSize(1000);
    }
  }

  @Test
  void shouldTakeNoMemoryForHugeNumbersOfSamples() {
    Order order = RandomSampler.builder(10).numSamples(1L << 60).build().order(0);
    long last = (1L << 60) / 10 * 10 - 10;
    assertThat(LongStream.range(last, last + 10).map(order::indexAt))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void shouldGiveAnEmptyEpochOfAnEmptyDataset() {
    assertThat(SequentialSampler.of(0).order(0).size()).isZero();
    assertThat(SubsetRandomSampler.of(new long[0], 1).order(0).size()).isZero();
    assertThat(RandomSampler.of(0, 1).order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).numSamples(5).build().order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).replacement(true).build().order(0).size()).isZero();
  }

  @Test
  void shouldRejectSizesOutOfRange() {
    for (long size : new long[] {-1, (1L << 62) + 1}) {
      assertRefused(() -> RandomSampler.of(size, 0), "was " + size);
    }
    assertRefused(() -> RandomSampler.builder(5).numSamples(0), "numSamples must be 1 or more");
    assertRefused(() -> SequentialSampler.of(-3), "-3");
    assertRefused(() -> SubsetRandomSampler.of(new long[] {1, -3}, 1), "-3 at position 1");
  }
}
