package io.feedline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.HostAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.LoaderClock;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A failure for whose record there is no memory still fails its batch, with its cause. */
class UnrecordedFailureTest {

  /** An epoch for whose name there is no memory the first time that it is asked for. */
  private static final class Starved implements EpochSource<Long> {
    private boolean asked;

    @Override
    public String datasetName() {
      if (!asked) {
        asked = true;
        throw new OutOfMemoryError("made up");
      }
      return "starved";
    }

    @Override
    public long epoch() {
      return 0;
    }

    @Override
    public OptionalLong batches() {
      return OptionalLong.of(1);
    }

    @Override
    public long firstBatch() {
      return 0;
    }

    @Override
    public long endBatch() {
      return 1;
    }

    @Override
    public boolean evenSteps() {
      return false;
    }

    @Override
    public Optional<Dataset<Long>> dataset() {
      return Optional.empty();
    }

    @Override
    public int nextCapacity() {
      return 0;
    }

    @Override
    public BatchRows<Long> open(int capacity) {
      throw new AssertionError("nothing is opened here");
    }

    @Override
    public void close() {}
  }

  private static BatchRows<Long> rows() {
    BatchSampler batches = BatchSampler.of(SequentialSampler.of(4), 4, false);
    RankOrders orders = new RankOrders(batches::order, epoch -> List.of(), false);
    return new IndexedEpoch<>(
            new RemainingBatches<>(
                Dataset.of(4, index -> index), orders, batches.order(0), 0, 0, Set.of()),
            null)
        .open(4);
  }

  @Test
  void shouldFailTheBatchWithTheCause() {
    IOException cause = new IOException("truncated");
    DataLoaderBuilder<Long> builder =
        DataLoader.builder(Dataset.of(4, index -> index)).errorPolicy(ErrorPolicy.skip());
    try (DataLoader<Long> loader = builder.batchSize(4).numWorkers(0).build()) {
      Slot slot = new Slot(HostAllocator.direct());
      BatchAssembly<Long> assembly =
          new BatchAssembly<>(
              new Starved(),
              rows(),
              loader.options(),
              slot,
              new BatchTimes(null, new LoaderClock(System::nanoTime), 1));
      assembly.reserve(new long[4]);

      assembly.fail(2, LoaderException.Stage.READ, 2, cause);
      assembly.finish(4);

      assertThatThrownBy(assembly::entries)
          .isInstanceOf(LoaderException.class)
          .hasCause(cause)
          .hasMessageContaining("starved");
    }
  }
}
