package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomSamplerTest {

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
          296,
          63,
          238,
          37,
          219,
          77,
          249,
          113);
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
          0,
          33,
          31,
          32,
          37,
          42,
          30,
          6);
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
          2,
          28,
          27,
          31,
          13,
          39,
          5,
          36);
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
      assertThat(LongStream.range(0, 1000).map(order::indexAt).distinct())
          .hasSize(1000)
          .allMatch(i -> i >= 0 && i < 1L << 62);
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
    assertThat(RandomSampler.of(0, 1).order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).numSamples(5).build().order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).replacement(true).build().order(0).size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void shouldRejectFewerThanOneSample(long numSamples) {
    assertRefused(
        () -> RandomSampler.builder(5).numSamples(numSamples),
        "numSamples must be 1 or more, was " + numSamples);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, (1L << 62) + 1})
  void shouldRejectSizesOutOfRange(long size) {
    assertRefused(() -> RandomSampler.of(size, 0), "was " + size);
  }
}
