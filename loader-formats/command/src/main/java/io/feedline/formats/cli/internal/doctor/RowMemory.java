package io.feedline.formats.cli.internal.doctor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The memory that a probe writes rows to: as much as a loader's batches take, since a row that lies
 * in a processor's cache takes less time to write. Thread-safe; a row is for one thread until as
 * many others have been handed out.
 */
final class RowMemory {

  /** More than the caches of a processor have. */
  private static final long MOST_BYTES = 64L << 20;

  private final ByteBuffer[] rows;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * Memory for rows.
   *
   * @param rowBytes of one
   * @param most how many rows a loader has
   * @param threads that write at once
   */
  RowMemory(int rowBytes, long most, int threads) {
    long count = Math.max(2L * threads, Math.min(most, MOST_BYTES / Math.max(1, rowBytes)));
    rows =
        Stream.generate(() -> ByteBuffer.allocateDirect(rowBytes))
            .limit(count)
            .toArray(ByteBuffer[]::new);
  }

  /** Returns the next row, in the machine's byte order. */
  ByteBuffer next() {
    int row = Math.floorMod(next.getAndIncrement(), rows.length);
    return rows[row].duplicate().order(ByteOrder.nativeOrder());
  }
}
