package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TokenBudgetBatchSamplerTest {

  private static final int SIZE = 503;
  private static final int[] LENGTHS = new SplittableRandom(4).ints(SIZE, 0, 60).toArray();

  @Nested
  class OfARandomOrder extends BatchSamplerContract {
    OfARandomOrder() {
      super(
          seed -> TokenBudgetBatchSampler.of(RandomSampler.of(SIZE, seed), LENGTHS, 400),
          List.of(112L, 476L, 254L, 290L, 323L, 450L, 358L));
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(sortedIndices(batches)).isEqualTo(range(SIZE));
      assertThat(batches).allMatch(batch -> padded(batch, 1) <= 400);
      for (int i = 1; i < batches.size(); i++) {
        List<Long> longer = new ArrayList<>(batches.get(i - 1));
        longer.add(batches.get(i).get(0));
        assertThat(padded(longer, 1)).as("one sample more in batch %d", i - 1).isGreaterThan(400);
      }
    }
  }

  @Nested
  class OfTheSumOfLengths extends BatchSamplerContract {
    OfTheSumOfLengths() {
      super(
          seed ->
              TokenBudgetBatchSampler.builder(SequentialSampler.of(SIZE), LENGTHS, 400)
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
      assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(range(SIZE));
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
    return batch.stream().mapToLong(index -> LENGTHS[index.intValue()]).sum();
  }

  private static long padded(List<Long> batch, int multipleOf) {
    long longest = batch.stream().mapToLong(index -> LENGTHS[index.intValue()]).max().orElseThrow();
    return batch.size() * ((longest + multipleOf - 1) / multipleOf * multipleOf);
  }

  @Test
  void shouldCountWhatLengthsArePaddedTo() {
    TokenBudgetBatchSampler sampler =
        TokenBudgetBatchSampler.builder(SequentialSampler.of(SIZE), LENGTHS, 128)
            .multipleOf(64)
            .build();
    List<List<Long>> batches = BatchSamplerContract.batches(sampler.order(0));
    assertThat(batches).allMatch(batch -> padded(batch, 64) <= 128);
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
}
