package io.feedline.gpu;

import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An element of the queue from the copying thread to the consumer, in the order of the epoch. */
sealed interface Arrival {

  /** A batch whose copies are under way; the memory of {@code host} may be closed already. */
  record Loaded(Batch host, List<Part> parts, LoaderState state) implements Arrival {}

  /** The rows of a batch in a slot of one device; {@code pinnedBytes} bytes were page-locked. */
  record Part(DeviceRows rows, List<Column> columns, DeviceSlot slot, long pinnedBytes) {}

  record Column(String name, DType dtype, long[] shape) {}

  /**
   * A batch that could not be loaded or copied.
   *
   * @param failure a {@link RuntimeException} or an {@link Error}
   * @param last true if copying has ended, so that no later batch arrives
   * @param taken counted down when the consumer has received the failure; until then the copying
   *     thread reads no other batch
   */
  record Failed(Throwable failure, LoaderState state, boolean last, CountDownLatch taken)
      implements Arrival {

    RuntimeException thrown() {
      if (failure instanceof Error error) {
        throw error;
      }
      return (RuntimeException) failure;
    }
  }

  record End(LoaderState state) implements Arrival {}

  /** The end of the feed: another thread closed the feed while the consumer waited. */
  record Closed() implements Arrival {}
}
