package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader takes as much memory for 2^40 samples as for a thousand, shuffled or not; some bytes for
 * each shard of a stream, and none for each rank.
 */
class LargeDatasetTest {

  private static final int BOUND = 1 << 20;

  @BeforeAll
  static void loadClasses() {
    firstBatch(1000, 0);
    firstBatch(1000, 512);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 1_000_000_000, 1L << 40})
  void shouldStartInConstantMemory(long size) {
    for (long position : new long[] {0, size / 2 / 64 * 64}) {
      // Without workers everything is allocated by this thread.
      long allocated = allocatedBytes();
      long[] indices = firstBatch(size, position);
      allocated = allocatedBytes() - allocated;
      assertThat(indices).doesNotHaveDuplicates().hasSize(64);
      assertThat(LongStream.of(indices)).allMatch(index -> index >= 0 && index < size);
      assertThat(allocated).isLessThan(BOUND);
    }
  }

  /**
   * One pass over the shards finds the number of samples of the poorest of 1024 ranks: a pass for
   * each rank would allocate 800 MB, and take seconds.
   */
  @Test
  void shouldStartAStreamOfManyShardsAmongManyRanks() {
    IterableDataset<Long> stream = new Numbers(100_000, 10_000);
    firstBatch(new Numbers(100, 10), 8, 3);
    for (int rank : new int[] {0, 1023}) {
      long allocated = allocatedBytes();
      assertThat(firstBatch(stream, 1024, rank)).isEqualTo(970_000 / 64 + 1);
      assertThat(allocatedBytes() - allocated).isLessThan(16 * BOUND);
    }
  }

  /** Reads a batch, and returns how many there are. */
  private static long firstBatch(IterableDataset<Long> stream, int ranks, int rank) {
    try (DataLoader<Long> loader =
        DataLoader.builder(stream)
            .batchSize(64)
            .shuffleShards(true)
            .numWorkers(0)
            .distributed(rank, ranks)
            .build()) {
      try (Batch batch = loader.iterator().next()) {
        assertThat(batch.tensor(0).toLongArray()).doesNotHaveDuplicates();
      }
      return loader.size().orElseThrow();
    }
  }

  /** Consecutive numbers in shards that are not kept. */
  private record Numbers(int shards, long perShard) implements IterableDataset<Long> {
    @Override
    public OptionalLong shardSize(int shard) {
      return OptionalLong.of(perShard);
    }

    @Override
    public SampleStream<Long> open(int shard, long epoch) {
      return SampleStream.of(LongStream.range(shard * perShard, (shard + 1) * perShard).iterator());
    }
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** The first batch of a shuffled epoch, from a position on. */
  private static long[] firstBatch(long size, long position) {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(size, index -> index))
            .batchSize(64)
            .shuffle(true)
            .numWorkers(0)
            .build()) {
      loader.resume(ChangedState.with(loader.state(), "position", position));
      BatchIterator iterator = loader.iterator();
      assertThat(iterator.remaining()).hasValue((size - position + 63) / 64);
      try (Batch batch = iterator.next()) {
        assertThat(batch.tensor(0).toLongArray()).isEqualTo(batch.indices());
        assertThat(batch.number()).isEqualTo(position / 64);
        return batch.indices();
      }
    }
  }
}
