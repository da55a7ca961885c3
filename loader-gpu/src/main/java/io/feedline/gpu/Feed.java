package io.feedline.gpu;

import io.feedline.BatchIterator;
import java.util.Iterator;

/**
 * The machinery that moves batches to one device: what lies between {@link DeviceLoader}, which
 * everybody sees, and the ways there are to that device.
 *
 * <p>Made by one {@code DeviceLoader}, which closes it. A feed is given whole epochs rather than
 * single batches, so that one may run ahead of its consumer. Used by one consumer at a time.
 */
interface Feed extends AutoCloseable {

  /** Which way the batches take. */
  Transfer transfer();

  /**
   * The rest of an epoch, on the device. The former epoch's iterator is used no more; batches that
   * it gave stay valid.
   *
   * @param batches used by the feed alone from now on
   */
  Iterator<DeviceBatch> epoch(BatchIterator batches);

  /** Frees what the feed holds on host and device; may be called twice. */
  @Override
  void close();
}
