package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.HostAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.LoaderClock;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A failure for whose record there is no memory still fails its batch, with its cause. */
class UnrecordedFailureTest {

  /** An epoch for whose name there is no memory the first time that it is asked for. */
  @SuppressWarnings("unchecked") // Nothing but the name is asked for.
  private static EpochSource<Long> starved() {
    AtomicBoolean asked = new AtomicBoolean();
    return (EpochSource<Long>)
        Proxy.newProxyInstance(
            EpochSource.class.getClassLoader(),
            new Class<?>[] {EpochSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("epoch")) {
                return 0L;
              }
              assertThat(method.getName()).isEqualTo("datasetName");
              if (!asked.getAndSet(true)) {
                throw new OutOfMemoryError("made up");
              }
              return "starved";
            });
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
              starved(),
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
