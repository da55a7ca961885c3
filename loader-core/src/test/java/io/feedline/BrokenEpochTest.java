package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.TorchSampler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An epoch's order does not depend on how far the epochs before it went. */
class BrokenEpochTest {

  private static final int SIZE = 20;

  static Stream<Arguments> samplers() {
    double[] weights = LongStream.rangeClosed(1, SIZE).asDoubleStream().toArray();
    return Stream.of(
            RandomSampler.of(SIZE, 3),
            TorchSampler.of(SIZE, 3),
            TorchSampler.random(SIZE).globalSeed(3).build(),
            TorchSampler.weighted(weights, SIZE).seed(3).build())
        .flatMap(sampler -> Stream.of(0, 1, 3).map(workers -> Arguments.of(sampler, workers)));
  }

  private static DataLoader<Probe> loader(Sampler sampler, int workers) {
    return Samples.loader(Probes.dataset(SIZE), 3, workers)
        .sampler(sampler)
        .prefetchNextEpoch(workers != 1)
        .build();
  }

  private static long[] order(Sampler sampler, int epoch) {
    return LongStream.range(0, SIZE).map(sampler.order(epoch)::indexAt).toArray();
  }

  private static long[] take(BatchIterator iterator, int batches) {
    return Probes.flat(Probes.each(iterator, batches, Probes::verify));
  }

  @ParameterizedTest
  @MethodSource("samplers")
  void shouldGiveEachEpochItsOrderWhateverWasLeftBefore(Sampler sampler, int workers) {
    try (DataLoader<Probe> loader = loader(sampler, workers)) {
      int epoch = 0;
      for (int taken : new int[] {100, 2, 0, 7, 1, 100}) {
        long[] order = order(sampler, epoch++);
        int samples = Math.min(SIZE, 3 * taken);
        assertThat(take(loader.iterator(), taken))
            .isEqualTo(LongStream.of(order).limit(samples).toArray());
      }
    }
  }

  @Test
  void shouldCollateNothingOfABatchThatWasLeft() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    Dataset<Long> dataset =
        Samples.numbers(
            4,
            index -> {
              if (index == 3) {
                begun.countDown();
                left.await();
              }
            });
    List<List<Long>> collated = Collections.synchronizedList(new ArrayList<>());
    ListCollator<Long> collator = (samples, batch) -> collated.add(List.copyOf(samples));
    try (DataLoader<Long> loader =
        Samples.loader(dataset, 2, 1).collator(collator).prefetchNextEpoch(false).build()) {
      loader.iterator().next().close();
      begun.await();
      BatchIterator next = loader.iterator();
      left.countDown();
      next.forEachRemaining(Batch::close);
    }
    assertThat(collated)
        .as("the second batch of the first epoch was left")
        .containsExactly(List.of(0L, 1L), List.of(0L, 1L), List.of(2L, 3L));
  }

  @Test
  void shouldOfferPyTorchsOrderAsAnOption() {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(SIZE)).torchOrder(7).build()) {
      assertThat(Probes.flat(Probes.indices(loader))).isEqualTo(order(TorchSampler.of(SIZE, 7), 0));
    }
  }

  private static DataLoaderBuilder<Long> failing(int workers) {
    Dataset<Long> dataset =
        Samples.numbers(20, index -> Samples.failIf(index % 7 == 2, "bad " + index));
    return Samples.loader(dataset, 3, workers).errorPolicy(ErrorPolicy.skip());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 2", "2, 0", "2, 3", "2, 6", "2, 7"})
  void shouldGoOnAsIfNoMoreHadBeenDelivered(int workers, int taken) {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> plain = failing(workers).torchOrder(5).build();
        DataLoader<Long> ahead = failing(workers).torchOrder(5).build()) {
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
        DataLoader<Long> loader = failing(2).shuffle(true).build()) {
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
