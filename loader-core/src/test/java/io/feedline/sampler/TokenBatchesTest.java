package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Batches of one size, of similar lengths, and of a number of tokens. */
class TokenBatchesTest {

  private static final int SIZE = 1003;

  /** From 1 to 500, most of them short. */
  private static final int[] LENGTHS = lengths(SIZE);

  private static LengthBucketBatchSampler.Builder builder(long seed) {
    return LengthBucketBatchSampler.builder(LENGTHS, 10).windowBatches(20).seed(seed);
  }

  @Nested
  class BatchesOfOneSize extends BatchSamplerContract {
    BatchesOfOneSize() {
      super(
          seed -> builder(seed).build(),
          List.of(143L, 134L, 982L, 754L, 834L, 960L, 325L, 24L, 684L, 66L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(sortedIndices(batches)).isEqualTo(range(SIZE));
      assertThat(batches).hasSize(101);
      assertThat(batches.subList(0, 100)).allMatch(batch -> batch.size() == 10);
      assertThat(batches.get(100)).hasSize(3);
    }
  }

  @Nested
  class DroppingTheLast extends BatchSamplerContract {
    DroppingTheLast() {
      super(
          seed -> builder(seed).dropLast(true).build(),
          List.of(143L, 134L, 982L, 754L, 834L, 960L, 325L, 24L, 684L, 66L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(sortedIndices(batches)).doesNotHaveDuplicates().hasSize(1000);
      assertThat(batches).hasSize(100).allMatch(batch -> batch.size() == 10);
    }

    /** Not the longest ones, as would be if the last batch of the last window were dropped. */
    @Test
    void shouldDropSamplesOfAnyLength() {
      double dropped = 0;
      for (long epoch = 0; epoch < 400; epoch++) {
        Set<Long> kept = new HashSet<>(sortedIndices(batches(batchSampler(1).order(epoch))));
        dropped +=
            IntStream.range(0, SIZE)
                .filter(i -> !kept.contains((long) i))
                .map(i -> LENGTHS[i])
                .average()
                .orElseThrow();
      }
      double mean = IntStream.of(LENGTHS).average().orElseThrow();
      assertThat(dropped / 400).isBetween(0.85 * mean, 1.15 * mean);
    }
  }

  @Nested
  class BoundedByTokens extends BatchSamplerContract {
    BoundedByTokens() {
      super(
          seed -> builder(seed).maxTokens(1000).build(),
          List.of(42L),
          List.of(169L, 743L, 955L, 791L, 962L, 590L, 540L, 28L, 161L, 148L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(sortedIndices(batches)).isEqualTo(range(SIZE));
      assertThat(batches)
          .allMatch(batch -> batch.size() <= 10 && padded(batch) <= 1000)
          .anyMatch(batch -> batch.size() == 10)
          .anyMatch(batch -> batch.size() == 2);
    }
  }

  @Test
  void shouldSavePaddingAndTheMoreTheWiderTheWindow() {
    double wide = padding(20);
    assertThat(padding(1)).isGreaterThan(2);
    assertThat(padding(4)).isLessThan(1.5).isGreaterThan(wide);
    assertThat(wide).isLessThan(1.12);
    assertThat(padding(1000)).isLessThan(1.05).isLessThan(wide);
  }

  /** The padded tokens for each token. */
  private static double padding(int windowBatches) {
    BatchSampler.BatchOrder order = builder(3).windowBatches(windowBatches).build().order(0);
    double padded =
        BatchSamplerContract.batches(order).stream().mapToLong(TokenBatchesTest::padded).sum();
    return padded / IntStream.of(LENGTHS).sum();
  }

  /** Each place among the batches sees short and long ones alike. */
  @Test
  void shouldShuffleTheBatches() {
    double firstHalf = 0;
    double all = 0;
    for (long epoch = 0; epoch < 50; epoch++) {
      List<List<Long>> batches = BatchSamplerContract.batches(builder(1).build().order(epoch));
      firstHalf += batches.subList(0, 50).stream().mapToLong(batch -> longest(batch)).sum();
      all += batches.subList(0, 100).stream().mapToLong(batch -> longest(batch)).sum();
    }
    assertThat(firstHalf / all).isBetween(0.45, 0.55);
  }

  /** Equal lengths must not bring neighbors together: their labels are often equal. */
  @Test
  void shouldMixSamplesOfEqualLength() {
    LengthBucketBatchSampler sampler = LengthBucketBatchSampler.of(new int[1000], 10, 1);
    long neighbors =
        BatchSamplerContract.batches(sampler.order(0)).stream()
            .mapToLong(
                batch ->
                    IntStream.range(1, batch.size())
                        .filter(row -> Math.abs(batch.get(row) - batch.get(row - 1)) == 1)
                        .count())
            .sum();
    assertThat(neighbors).isLessThan(10);
  }

  private static List<Integer> sizes(LengthBucketBatchSampler.Builder builder) {
    return BatchSamplerContract.batches(builder.build().order(0)).stream().map(List::size).toList();
  }

  @Test
  void shouldTakeAnyNumberOfSamplesAndAnyBound() {
    LengthBucketBatchSampler.Builder none = LengthBucketBatchSampler.builder(new int[0], 10);
    assertThat(sizes(none)).isEmpty();
    assertThat(sizes(none.maxTokens(5))).isEmpty();
    assertThat(sizes(LengthBucketBatchSampler.builder(new int[9], 10).dropLast(true))).isEmpty();
    assertThat(sizes(LengthBucketBatchSampler.builder(new int[25], 10).maxTokens(0)))
        .containsExactlyInAnyOrder(10, 10, 5);
    int most = Integer.MAX_VALUE;
    assertThat(
            sizes(
                LengthBucketBatchSampler.builder(LENGTHS, most)
                    .windowBatches(most)
                    .maxTokens(Long.MAX_VALUE - 1)))
        .containsExactly(SIZE);
  }

  /** The bound holds for the collated batch, not for its samples. */
  @Test
  void shouldCountThePaddingToAMultiple() {
    int[] lengths = IntStream.range(0, 400).map(i -> 1 + i * 31 % 120).toArray();
    int multiple = 64;
    LengthBucketBatchSampler sampler =
        LengthBucketBatchSampler.builder(lengths, 32)
            .windowBatches(4)
            .maxTokens(512)
            .multipleOf(multiple)
            .seed(2)
            .build();
    for (long epoch = 0; epoch < 3; epoch++) {
      List<List<Long>> batches = BatchSamplerContract.batches(sampler.order(epoch));
      assertThat(batches.stream().flatMap(List::stream).sorted().toList())
          .isEqualTo(LongStream.range(0, lengths.length).boxed().toList());
      assertThat(batches)
          .allSatisfy(
              batch -> {
                int longest = batch.stream().mapToInt(i -> lengths[i.intValue()]).max().orElse(0);
                long padded = (longest + multiple - 1L) / multiple * multiple;
                assertThat(padded * batch.size()).isLessThanOrEqualTo(512);
              })
          .anyMatch(batch -> batch.size() == 8);
    }
    assertThat(sampler.toString()).contains("maxTokens=512, multipleOf=64, dropLast");
  }

  @Test
  void shouldNotSeeLaterChangesOfTheArray() {
    int[] lengths = {1, 2, 1, 2};
    LengthBucketBatchSampler.Builder builder = LengthBucketBatchSampler.builder(lengths, 2);
    List<Integer> before = sizes(builder.maxTokens(4));
    lengths[0] = 500;
    assertThat(sizes(builder)).isEqualTo(before);
  }

  @Test
  void shouldRejectWhatCannotBe() {
    int[] negative = {3, -9};
    assertRefused(() -> LengthBucketBatchSampler.builder(negative, 2), "was -9 at index 1");
    int[] lengths = {3, 9};
    assertRefused(() -> LengthBucketBatchSampler.builder(lengths, 0), "batchSize must be 1 or");
    LengthBucketBatchSampler.Builder builder = LengthBucketBatchSampler.builder(lengths, 2);
    assertRefused(() -> builder.windowBatches(0), "windowBatches must be 1 or more, was 0");
    assertRefused(() -> builder.multipleOf(0), "multipleOf must be 1 or more, was 0");
    assertRefused(
        () -> builder.maxTokens(8).build(),
        "maxTokens is 8, but the sample at index 1 alone has 9");
    assertRefused(() -> builder.maxTokens(15).multipleOf(8).build(), "has 9, padded to 16");
    assertRefused(() -> builder.maxTokens(16).dropLast(true).build(), "dropLast does not go with");
  }

  private static long padded(List<Long> batch) {
    return (long) longest(batch) * batch.size();
  }

  private static int longest(List<Long> batch) {
    return batch.stream().mapToInt(index -> LENGTHS[index.intValue()]).max().orElseThrow();
  }

  private static int[] lengths(int size) {
    Draws draws = Draws.of(1, 0, 9);
    return IntStream.range(0, size)
        .map(i -> 1 + (int) (500 * Math.pow(draws.unit(i), 3)))
        .toArray();
  }

  private static final int FEW = 503;
  private static final int[] SHORT = new SplittableRandom(4).ints(FEW, 0, 60).toArray();

  @Nested
  class OfARandomOrder extends BatchSamplerContract {
    OfARandomOrder() {
      super(
          seed -> TokenBudgetBatchSampler.of(RandomSampler.of(FEW, seed), SHORT, 400),
          List.of(112L, 476L, 254L, 290L, 323L, 450L, 358L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(sortedIndices(batches)).isEqualTo(range(FEW));
      assertThat(batches).allMatch(batch -> paddedTo(batch, 1) <= 400);
      for (int i = 1; i < batches.size(); i++) {
        List<Long> longer = new ArrayList<>(batches.get(i - 1));
        longer.add(batches.get(i).get(0));
        assertThat(paddedTo(longer, 1)).as("one sample more in batch %d", i - 1).isGreaterThan(400);
      }
    }
  }

  @Nested
  class OfTheSumOfLengths extends BatchSamplerContract {
    OfTheSumOfLengths() {
      super(
          seed ->
              TokenBudgetBatchSampler.builder(SequentialSampler.of(FEW), SHORT, 400)
                  .countPadding(false)
                  .maxSamples(15)
                  .build(),
          range(14));
    }

    @Override
    protected boolean random() {
      return false;
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(range(FEW));
      assertThat(batches)
          .allMatch(batch -> sum(batch) <= 400 && batch.size() <= 15)
          .anyMatch(batch -> batch.size() == 15);
      for (int i = 1; i < batches.size(); i++) {
        if (batches.get(i - 1).size() < 15) {
          assertThat(sum(batches.get(i - 1)) + sum(batches.get(i).subList(0, 1)))
              .isGreaterThan(400);
        }
      }
    }
  }

  private static long sum(List<Long> batch) {
    return batch.stream().mapToLong(index -> SHORT[index.intValue()]).sum();
  }

  private static long paddedTo(List<Long> batch, int multipleOf) {
    long longest = batch.stream().mapToLong(index -> SHORT[index.intValue()]).max().orElseThrow();
    return batch.size() * ((longest + multipleOf - 1) / multipleOf * multipleOf);
  }

  @Test
  void shouldCountWhatLengthsArePaddedTo() {
    TokenBudgetBatchSampler sampler =
        TokenBudgetBatchSampler.builder(SequentialSampler.of(FEW), SHORT, 128)
            .multipleOf(64)
            .build();
    List<List<Long>> batches = BatchSamplerContract.batches(sampler.order(0));
    assertThat(batches).allMatch(batch -> paddedTo(batch, 64) <= 128);
    assertThat(batches.stream().mapToInt(List::size).filter(size -> size == 2))
        .hasSizeGreaterThan(200);
  }

  private static TokenBudgetBatchSampler.Builder three(int... lengths) {
    return TokenBudgetBatchSampler.builder(SequentialSampler.of(3), lengths, 40);
  }

  @Test
  void shouldRefuseWhatFitsIntoNoBatch() {
    assertRefused(() -> three(1, 50, 2).build(), "40", "index 1", "50");
    assertRefused(() -> three(1, 39, 2).multipleOf(16).build(), "index 1", "48");
    assertRefused(() -> three(1, 2, -2).build(), "-2", "index 2");
    assertRefused(() -> three(1, 2, 3).maxSamples(0), "was 0");
    assertRefused(() -> three(1, 2, 3).multipleOf(0), "was 0");
    assertRefused(() -> three(1, 2).build().order(0), "index 2", "2 lengths");
    Sampler none = SequentialSampler.of(0);
    assertThat(TokenBudgetBatchSampler.of(none, new int[0], 10).order(0).batches()).isZero();
  }

  @Nested
  class KeepingTheLast extends BatchSamplerContract {
    KeepingTheLast() {
      super(seed -> BatchSampler.of(SequentialSampler.of(103), 10, false), range(10));
    }

    @Override
    protected boolean random() {
      return false;
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(batches).hasSize(11);
      assertThat(batches.subList(0, 10)).allMatch(batch -> batch.size() == 10);
      assertThat(batches.get(10)).containsExactly(100L, 101L, 102L);
      assertThat(sortedIndices(batches)).isEqualTo(range(103));
    }
  }

  @Nested
  class DroppingTheLastOfFixedSize extends BatchSamplerContract {
    DroppingTheLastOfFixedSize() {
      super(
          seed -> BatchSampler.of(RandomSampler.of(103, seed), 10, true),
          List.of(24L, 98L, 36L, 6L, 91L, 51L, 7L, 38L, 34L, 74L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(batches).hasSize(10).allMatch(batch -> batch.size() == 10);
      assertThat(sortedIndices(batches)).doesNotHaveDuplicates().hasSize(100);
    }
  }

  @Test
  void shouldHaveNoShortBatchWhereTheSizeDivides() {
    Sampler hundred = SequentialSampler.of(100);
    for (boolean dropLast : new boolean[] {false, true}) {
      BatchSampler.BatchOrder order = BatchSampler.of(hundred, 10, dropLast).order(0);
      assertThat(order.batches()).isEqualTo(10);
      assertThat(order.batchSize(9)).isEqualTo(10);
    }
    assertThat(BatchSampler.of(SequentialSampler.of(0), 10, false).order(0).batches()).isZero();
    assertThat(BatchSampler.of(SequentialSampler.of(9), 10, true).order(0).batches()).isZero();
    assertRefused(() -> BatchSampler.of(hundred, 0, true), "batchSize must be 1 or more, was 0");
  }
}
