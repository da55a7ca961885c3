package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.Dataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leaving an epoch at an earlier place than where the loader stands. */
class LeaveTest {

  /** Three samples of an epoch fail. */
  private static DataLoaderBuilder<Long> loader(int workers) {
    Dataset<Long> dataset =
        Samples.numbers(20, index -> Samples.failIf(index % 7 == 2, "bad " + index));
    return DataLoader.builder(dataset)
        .batchSize(3)
        .numWorkers(workers)
        .errorPolicy(ErrorPolicy.skip());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 2", "2, 0", "2, 3", "2, 6", "2, 7"})
  void shouldGoOnAsIfNoMoreHadBeenDelivered(int workers, int taken) {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> plain = loader(workers).torchOrder(5).build();
        DataLoader<Long> ahead = loader(workers).torchOrder(5).build()) {
      Samples.next(plain.iterator(), taken);

      BatchIterator batches = ahead.iterator();
      Samples.next(batches, taken);
      LoaderState state = batches.state();
      batches.usedUpTo(state);
      Samples.next(batches, 7 - taken);
      assertThat(batches.hasNext()).isFalse();
      assertThat(batches.state().epoch()).isOne();
      assertThat(ahead.state()).isEqualTo(state).isEqualTo(plain.state());

      for (int epoch = 1; epoch < 4; epoch++) {
        assertThat(Samples.next(ahead.iterator(), 7)).isEqualTo(Samples.next(plain.iterator(), 7));
        assertThat(ahead.state()).isEqualTo(plain.state());
      }
      assertThat(ahead.state().values().failures()).isPositive();
      assertThat(log.lines("bad")).isNotEmpty();
    }
  }

  @Test
  void shouldHearOnlyOfTheEpochUnderWay() {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> loader = loader(2).shuffle(true).build()) {
      BatchIterator first = loader.iterator();
      Samples.next(first, 2);
      BatchIterator second = loader.iterator();
      Samples.next(second, 1);
      LoaderState state = loader.state();

      first.usedUpTo(first.state());

      assertThat(loader.state()).isEqualTo(state);
      Samples.take(second, 6);
      assertThat(second.hasNext()).isFalse();
      assertThat(log.lines("bad")).isNotEmpty();
    }
  }
}
