package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BatchSamplerTest {

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
  class DroppingTheLast extends BatchSamplerContract {
    DroppingTheLast() {
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
