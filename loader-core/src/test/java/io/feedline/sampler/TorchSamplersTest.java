package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Facts that the golden files do not show: sizes, draws that are counted, threads, refusals. */
class TorchSamplersTest {

  @Nested
  class Random extends SamplerContract {
    Random() {
      super(seed -> TorchSampler.of(200, seed), 200, permutation(7, 3 * 2 * 200 + 2));
    }
  }

  @Nested
  class Permutations extends SamplerContract {
    Permutations() {
      super(seed -> TorchSampler.permutation(200, seed), 200, permutation(7 + 3, 0));
    }
  }

  private static long[] permutation(long seed, long skipped) {
    TorchRandom random = TorchRandom.ofSeed(seed);
    random.skip(skipped);
    return random.randperm(200);
  }

  @Test
  void shouldCountTheWordsOfBrokenEpochs() {
    for (long n : new long[] {1, 2, 10, 1000}) {
      TorchSampler sampler = TorchSampler.of(n, 4);
      TorchSampler started = sampler;
      long broken = 0;
      for (int epoch = 0; epoch < 20; epoch++) {
        long words = epoch * (2 + (n - 1)) + (epoch - broken) * (n - 1);
        assertThat(started.draw(epoch)).isEqualTo(words);
        boolean breakOff = epoch % 3 == 1;
        long draw = started.drawAfter(epoch, breakOff ? 1 + epoch % n : n + 1);
        started = started.startingAt(epoch + 1, draw);
        broken += breakOff ? 1 : 0;
      }
      assertThat(sampler.draw(20)).isEqualTo(20 * 2 * n);
    }
  }

  @Test
  void shouldStartOneEpochAtADrawAndKeepThoseBefore() {
    TorchSampler sampler = TorchSampler.of(10, 4);
    TorchSampler started = sampler.startingAt(3, 1000);
    TorchRandom random = TorchRandom.ofSeed(4);
    random.skip(1000 + 2);

    assertThat(indices(started.order(3))).isEqualTo(random.randperm(10));
    random.skip(9 + 2);
    assertThat(indices(started.order(4))).isEqualTo(random.randperm(10));
    assertThat(indices(started.order(2))).isEqualTo(indices(sampler.order(2)));
    assertThat(indices(sampler.startingAt(3, sampler.draw(3)).order(5)))
        .isEqualTo(indices(sampler.order(5)));
  }

  @Test
  void shouldDrawTheUnusedPermutationOnlyAfterTheLastIndex() {
    TorchSampler sampler = TorchSampler.of(10, 4);

    assertThat(sampler.drawAfter(0, 0)).isEqualTo(2);
    assertThat(sampler.drawAfter(0, 1)).isEqualTo(2 + 9);
    assertThat(sampler.drawAfter(0, 10)).isEqualTo(2 + 9);
    assertThat(sampler.drawAfter(0, 11)).isEqualTo(2 + 18);
    assertThat(sampler.drawAfter(0, Long.MAX_VALUE)).isEqualTo(2 + 18);
  }

  @Test
  void shouldCountTwoWordsPerIndexWherePermutationsAreLarge() {
    long n = 300_000_000;

    assertThat(TorchSampler.of(n, 4).draw(3)).isEqualTo(3 * (2 + 2 * 2 * n));
    assertThat(TorchSampler.of(n, 4).order(0).size()).isEqualTo(n);
  }

  @Test
  void shouldGiveTheSameOrderInWhicheverSequenceEpochsAreAskedFor() {
    List<Sampler> samplers =
        List.of(
            TorchSampler.of(100, 9),
            TorchSampler.random(100).globalSeed(9).build(),
            TorchSampler.weighted(new double[] {1, 2, 3}, 50).seed(9).build(),
            TorchSampler.subset(LongStream.range(5, 90).toArray()).seed(9).build());
    for (Sampler sampler : samplers) {
      List<long[]> ascending =
          IntStream.range(0, 40).mapToObj(epoch -> indices(sampler.order(epoch))).toList();
      for (int i = 0; i < 200; i++) {
        int epoch = i * 17 % 40;
        assertThat(indices(sampler.order(epoch))).isEqualTo(ascending.get(epoch));
      }
    }
  }

  /** g = torch.Generator().manual_seed(0); random_split(..., g); DataLoader(..., generator=g). */
  @Test
  void shouldGoOnWithAGeneratorThatWasDrawnFrom() {
    TorchRandom generator = TorchRandom.ofSeed(0);
    long[][] split = generator.randomSplit(10, new double[] {.8, .2});
    TorchSampler sampler = TorchSampler.random(8).generator(generator).build();
    generator.skip(1000);

    TorchRandom expected = TorchRandom.ofSeed(0);
    long[] permutation = expected.randperm(10);
    expected.randomInt64();
    assertThat(split[0]).isEqualTo(Arrays.copyOf(permutation, 8));
    assertThat(split[1]).isEqualTo(Arrays.copyOfRange(permutation, 8, 10));
    assertThat(indices(sampler.order(0))).isEqualTo(expected.randperm(8));
    assertThat(sampler.draw(1)).isEqualTo(2 + 2 * 7);
  }

  @Test
  void shouldHaveEmptyEpochsOfAnEmptyDataset() {
    TorchSampler sampler = TorchSampler.of(0, 4);

    assertThat(sampler.order(3).size()).isZero();
    assertThat(sampler.draw(3)).isEqualTo(6);
    assertThat(TorchSampler.permutation(0, 4).order(3).size()).isZero();
    assertThat(TorchSampler.subset(new long[0]).seed(4).build().order(3).size()).isZero();
    assertThat(TorchRandom.ofSeed(1).randomSplit(0, new long[] {0, 0})).hasDimensions(2, 0);
  }

  @Test
  void shouldDrawFromMoreThanAnArrayHolds() {
    long size = 1L << 40;
    TorchSampler sampler =
        TorchSampler.random(size).replacement(true).numSamples(50).seed(1).build();
    TorchRandom random = TorchRandom.ofSeed(1);
    random.skip(2);

    assertThat(indices(sampler.order(0)))
        .isEqualTo(LongStream.range(0, 50).map(i -> random.randint(0, size)).toArray());
    assertThat(sampler.draw(1)).isEqualTo(2 + 2 * 50);
  }

  @Test
  void shouldDrawEachIndexOnceEvenWhereQuotientsAreEqual() {
    double[] weights = new double[1000];
    Arrays.fill(weights, Double.MIN_VALUE);
    Order order = TorchSampler.weighted(weights, 1000).replacement(false).seed(1).build().order(0);

    assertThat(Arrays.stream(indices(order)).sorted().toArray())
        .isEqualTo(LongStream.range(0, 1000).toArray());
  }

  @Test
  void shouldNeverDrawAWeightOfZero() {
    double[] weights = {0, 1, 0, 0, 2, 0};
    Order often = TorchSampler.weighted(weights, 1000).seed(1).build().order(0);
    Order once = TorchSampler.weighted(weights, 2).replacement(false).seed(1).build().order(0);

    assertThat(indices(often)).containsOnly(1, 4);
    assertThat(indices(once)).containsExactlyInAnyOrder(1, 4);
  }

  @Test
  void shouldRefuseNegativeEpochsAndDraws() {
    TorchSampler random = TorchSampler.of(5, 1);
    TorchSampler weighted = TorchSampler.weighted(new double[] {1}, 1).seed(1).build();
    for (Sampler sampler : List.of(random, weighted)) {
      assertRefused(() -> sampler.order(-1));
    }
    assertRefused(() -> random.startingAt(1, -1), "draw -1");
    assertRefused(() -> weighted.startingAt(-1, 0));
    assertRefused(() -> random.drawAfter(0, -1));
    assertRefused(() -> weighted.drawAfter(-1, 0));
  }

  @Test
  void shouldNameTheOptionThatIsRefused() {
    assertRefused(() -> TorchSampler.of(-1, 0), "size must be 0 or more, was -1");
    assertRefused(
        () -> TorchSampler.of(1L << 31, 0), "size must be from 0 to 2147483639, was 2147483648");
    assertRefused(() -> TorchSampler.random(5).seed(1).numSamples(0).build(), "was 0 of 5");
    assertRefused(() -> TorchSampler.random(5).build(), "globalSeed");
    assertRefused(
        () -> TorchSampler.subset(new long[] {1, -3}).seed(0).build(), "was -3 at position 1");
    assertRefused(
        () -> TorchSampler.subset(new long[1]).build(), "one of seed, globalSeed and generator");
    assertRefused(
        () -> TorchSampler.subset(new long[1]).seed(1).replacement(true).build(),
        "without replacement");
    assertRefused(() -> TorchSampler.permutation(-1, 0), "was -1");
    assertRefused(
        () -> TorchSampler.weighted(new double[] {1, -1}, 1).seed(0).build(),
        "weights must be finite and 0 or more, was -1.0 at position 1");
    assertRefused(() -> TorchSampler.weighted(new double[] {Double.NaN}, 1).seed(0).build());
    assertRefused(() -> TorchSampler.weighted(new double[] {0, 0}, 1).seed(0).build(), "above 0");
    assertRefused(() -> TorchSampler.weighted(new double[] {1}, 0).seed(0).build(), "was 0");
    assertRefused(
        () -> TorchSampler.weighted(new double[] {1, 0, 1}, 3).replacement(false).seed(0).build(),
        "at most the 2 weights above 0, was 3");
    assertRefused(
        () -> TorchSampler.weighted(new double[(1 << 24) + 1], 1).seed(0).build(), "16777217");
  }

  @Test
  void shouldRefuseSplitsThatDoNotAddUp() {
    assertRefused(
        () -> TorchRandom.ofSeed(0).randomSplit(10, new long[] {5, 4}),
        "lengths must add up to the size 10, were [5, 4]");
    assertRefused(
        () -> TorchRandom.ofSeed(0).randomSplit(10, new long[] {12, -2}),
        "lengths must be 0 or more, was -2 at position 1");
    assertRefused(
        () ->
            TorchRandom.ofSeed(0).randomSplit(10, new long[] {Long.MAX_VALUE, Long.MAX_VALUE, 12}));
    assertRefused(
        () -> TorchRandom.splitLengths(10, .5, .4),
        "fractions must add up to 1, [0.5, 0.4] give 0.9");
    assertRefused(
        () -> TorchRandom.splitLengths(10, 1.5, -.5),
        "fractions must be from 0 to 1, was 1.5 at position 0");
    assertRefused(() -> TorchRandom.splitLengths(10));
    assertThat(TorchRandom.splitLengths(11, .3, .3, .4)).containsExactly(4, 3, 4);
  }

  private static long[] indices(Order order) {
    return LongStream.range(0, order.size()).map(order::indexAt).toArray();
  }
}
