package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.feedline.Batch;
import io.feedline.BatchIterator;
import io.feedline.Tensor;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Hands each column's memory to {@link NDManager#create}, when its batch is asked for. DJL makes a
 * view of direct memory for the CPU, and for any other device a copy, which it waits for.
 */
final class DjlFeed implements Feed {

  private final NDManager manager;
  private final List<String> columns;
  private final Transfer transfer;

  /**
   * A feed to the manager's device.
   *
   * @param columns the tensors to take, or empty for all
   */
  DjlFeed(NDManager manager, List<String> columns) {
    this.manager = manager;
    this.columns = columns;
    this.transfer = manager.getDevice().equals(Device.cpu()) ? Transfer.VIEW : Transfer.COPY;
  }

  @Override
  public Transfer transfer() {
    return transfer;
  }

  @Override
  public Iterator<DeviceBatch> epoch(BatchIterator batches) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return batches.hasNext();
      }

      @Override
      public DeviceBatch next() {
        return move(batches.next());
      }
    };
  }

  private DeviceBatch move(Batch host) {
    NDManager owner = null;
    try {
      owner = manager.newSubManager();
      // A training that fails closes its managers from the top, with batches open.
      owner.attachUncappedInternal(UUID.randomUUID().toString(), host);
      NDList arrays = new NDList();
      if (columns.isEmpty()) {
        for (Map.Entry<String, Tensor> column : host.tensors().entrySet()) {
          arrays.add(array(owner, column.getKey(), column.getValue()));
        }
      } else {
        for (String column : columns) {
          arrays.add(array(owner, column, host.tensor(column)));
        }
      }
      if (transfer == Transfer.COPY) {
        host.close();
      }
      return new DeviceBatch(host, owner, arrays);
    } catch (Throwable failure) {
      if (owner != null) {
        owner.close();
      }
      host.close();
      throw failure;
    }
  }

  private static NDArray array(NDManager owner, String column, Tensor tensor) {
    // A tensor's bytes are a slice: the engine starts at a buffer's beginning, whatever its
    // position.
    NDArray array =
        owner.create(
            tensor.bytes(),
            new Shape(tensor.shape().lengths()),
            DataTypes.of(tensor.dtype(), column));
    array.setName(column);
    return array;
  }

  @Override
  public void close() {
    // Nothing is held between two batches.
  }
}
