package io.feedline.gpu;

import io.feedline.BatchIterator;
import java.util.Iterator;
import java.util.List;

/**
 * The machinery that moves batches to their devices, between the public {@link DeviceLoader} and
 * {@link DjlDataset} and the different ways to a device.
 *
 * <p>Made by one {@link DeviceGroup}, which closes it. A feed gets whole epochs rather than single
 * batches, so that it may run ahead of its consumer. Used by one consumer at a time.
 */
interface Feed extends AutoCloseable {

  /**
   * The rest of an epoch, on the devices: each batch as its parts, one for each device in their
   * order, or only for the first devices if a batch has fewer rows than there are devices. The
   * former epoch has been {@linkplain #stop stopped}; batches that it gave stay valid.
   *
   * @param batches used by the feed alone from now on; a feed that reads them ahead {@linkplain
   *     BatchIterator#usedUpTo tells} how far the consumer has come
   */
  Iterator<List<DeviceBatch>> epoch(BatchIterator batches);

  /**
   * Ends the epoch that is under way: when this returns, the feed uses its batches no more, and the
   * loader is free for another epoch. Batches that were read ahead are dropped.
   */
  void stop();

  /**
   * Returns the statistics of the feed, and the way of its batches; may be called by any thread.
   */
  DeviceStats stats();

  /** Frees what the feed holds on host and device; may be called twice. */
  @Override
  void close();
}
