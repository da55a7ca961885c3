package io.feedline.gpu;

import io.feedline.BatchIterator;
import java.util.Iterator;
import java.util.List;

/**
 * A way to move a loader's batches to devices: {@link CudaFeed} or {@link DjlFeed}.
 *
 * <p>A {@link DeviceGroup} opens the feed and closes it. The feed gets a whole epoch at a time
 * rather than single batches, so that it can read batches ahead. Used by one consumer at a time.
 */
interface Feed extends AutoCloseable {

  /**
   * Returns the rest of an epoch on the devices. Each element is the list of a batch's parts, one
   * for each device in their order; only the first devices get a part if the batch has fewer rows
   * than there are devices. The caller must have {@linkplain #stop stopped} the epoch before this
   * one; batches of the earlier epoch stay valid.
   */
  Iterator<List<DeviceBatch>> epoch(BatchIterator batches);

  /**
   * Ends the current epoch and drops batches that were read ahead. When this returns, the feed no
   * longer uses the epoch's batches, and the loader can begin another epoch.
   */
  void stop();

  /** Returns the figures of all batches delivered so far. May be called by any thread. */
  DeviceStats stats();

  /** Closes the feed. May be called twice. */
  @Override
  void close();
}
