package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A batch of a stream takes memory for the samples that there are, not for those that could be. */
@Timeout(60)
class LargeBatchOfStreamTest {

  private static IterableDataset<Long> numbers(long end) {
    return IterableDataset.from(() -> SampleStream.of(LongStream.range(0, end).iterator()));
  }

  private static List<Long> read(DataLoader<?> loader) {
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        assertThat(batch.indices()).hasSize(batch.size());
        if (batch.tensors().isEmpty()) {
          batch.values("data").forEach(value -> numbers.add((Long) value));
        } else {
          LongStream.of(batch.tensor(0).toLongArray()).forEach(numbers::add);
        }
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "100000000, 2",
    "2147483647, 70000",
    "2147483647, 0",
    "300, 256",
    "300, 255",
    "300, 257",
    "300, 299",
    "300, 300",
    "300, 301",
    "300, 900",
    "65537, 65536",
    "65537, 65537",
    "65537, 140000"
  })
  void shouldReadAStreamThatIsShorterThanABatch(int batchSize, int samples) {
    List<Long> all = LongStream.range(0, samples).boxed().toList();
    for (int workers : new int[] {0, 3}) {
      try (DataLoader<Long> loader =
          DataLoader.builder(numbers(samples)).batchSize(batchSize).numWorkers(workers).build()) {
        assertThat(read(loader)).isEqualTo(all);
        assertThat(read(loader)).isEqualTo(all);
        assertThat(loader.stats().hostBytes()).isLessThan(64L << 20);
      }
      try (DataLoader<Long> loader =
          DataLoader.builder(numbers(samples))
              .batchSize(batchSize)
              .numWorkers(workers)
              .collator((list, batch) -> batch.values("data", list))
              .dropLast(true)
              .build()) {
        assertThat(read(loader)).isEqualTo(all.subList(0, samples / batchSize * batchSize));
      }
    }
  }

  /** 50,000 rows of this kind would not fit into a batch. */
  @Test
  void shouldReadLargeSamplesThatAreFew() {
    IterableDataset<float[]> rows =
        IterableDataset.of(IntStream.range(0, 3).mapToObj(i -> new float[150_000]).toList());
    try (DataLoader<float[]> loader = DataLoader.builder(rows).batchSize(50_000).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.size()).isEqualTo(3);
    }
  }

  @Test
  void shouldContinueBehindSuchABatch() {
    try (DataLoader<Long> first = DataLoader.builder(numbers(1000)).batchSize(300).build();
        DataLoader<Long> resumed = DataLoader.builder(numbers(1000)).batchSize(400).build()) {
      BatchIterator iterator = first.iterator();
      iterator.next().close();
      iterator.next().close();
      resumed.resume(first.state());
      assertThat(read(resumed)).isEqualTo(LongStream.range(600, 1000).boxed().toList());
      assertThat(read(resumed)).hasSize(1000);
    }
  }
}
