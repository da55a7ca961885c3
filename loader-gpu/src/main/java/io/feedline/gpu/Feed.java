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
   */
  Iterator<List<DeviceBatch>> epoch(BatchIterator batches);

  /**
   * Ends the epoch that is under way: when this returns, the feed uses its batches no more, and the
   * loader is free for another epoch. Batches that were read ahead are dropped.
   */
  void stop();

  /** May be called by any thread. */
  DeviceStats stats();

  /** May be called twice. */
  @Override
  void close();
}
