package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.gpu.DeviceLoader.Transfer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A feed that passes each column's memory to {@link NDManager#create} when the consumer requests
 * the batch. For the CPU, DJL makes a view of direct memory. For any other device, DJL copies the
 * memory, and the consumer waits for the copy.
 */
final class DjlFeed implements Feed {

  private final DataLoader<?> loader;
  private final List<NDManager> managers;
  private final List<String> columns;
  private final Optional<String> fallback;
  private final Transfer transfer;

  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder copyNanos = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final DeviceStalls stalls;

  /**
   * @param columns the names of the tensors to copy; empty: all tensors
   * @param fallback why no {@link CudaFeed} could be opened; empty if the devices need none
   */
  DjlFeed(
      DataLoader<?> loader,
      List<NDManager> managers,
      List<String> columns,
      Optional<String> fallback) {
    this.loader = loader;
    this.managers = managers;
    this.columns = columns;
    this.fallback = fallback;
    this.stalls = new DeviceStalls(loader);
    boolean onCpu = managers.stream().allMatch(m -> m.getDevice().equals(Device.cpu()));
    this.transfer = onCpu ? Transfer.VIEW : Transfer.COPY;
  }

  @Override
  public Iterator<List<DeviceBatch>> epoch(BatchIterator host) {
    return new Iterator<>() {
      /** The time waited for the next batch so far, in nanoseconds. */
      private long waited;

      @Override
      public boolean hasNext() {
        long begin = System.nanoTime();
        try {
          return host.hasNext();
        } finally {
          waitedSince(begin);
        }
      }

      private void waitedSince(long begin) {
        long nanos = System.nanoTime() - begin;
        waited += nanos;
        waitNanos.add(nanos);
      }

      @Override
      public List<DeviceBatch> next() {
        long begin = System.nanoTime();
        Batch batch;
        try {
          batch = host.next();
        } finally {
          waitedSince(begin);
        }
        long loading = waited;
        waited = 0;
        long loaded = System.nanoTime();
        List<DeviceBatch> parts = move(batch);
        long copying = transfer == Transfer.COPY ? System.nanoTime() - loaded : 0;
        stalls.add(new DeviceStalls.Wait(batch, loading + copying, loading, copying));
        return parts;
      }
    };
  }

  private List<DeviceBatch> move(Batch host) {
    long begin = System.nanoTime();
    List<DeviceBatch> parts = new ArrayList<>();
    try {
      List<DeviceRows> shares = DeviceRows.share(host.size(), managers.size());
      // Each part's views need the slot until that part is closed.
      AtomicInteger open = new AtomicInteger(shares.size());
      AutoCloseable release =
          () -> {
            if (open.decrementAndGet() == 0) {
              host.close();
            }
          };
      for (int device = 0; device < shares.size(); device++) {
        long partBegin = System.nanoTime();
        parts.add(part(host, shares.get(device), managers.get(device).newSubManager(), release));
        record(managers.get(device).getDevice(), host, parts.get(device), partBegin);
      }
      if (transfer == Transfer.COPY) {
        copyNanos.add(System.nanoTime() - begin);
        host.close();
      }
      batches.increment();
      return parts;
    } catch (Throwable failure) {
      parts.forEach(DeviceBatch::close);
      host.close();
      throw failure;
    }
  }

  /** Records the event of a copy to a device; a view on the CPU is no copy and has no event. */
  private void record(Device device, Batch host, DeviceBatch part, long begin) {
    if (transfer == Transfer.COPY) {
      long copied =
          part.tensors().stream()
              .mapToLong(array -> array.size() * array.getDataType().getNumOfBytes())
              .sum();
      CopyEvents.copied(
          loader.options().name(),
          device.toString(),
          host,
          copied,
          begin,
          System.nanoTime() - begin);
    }
  }

  private DeviceBatch part(Batch host, DeviceRows rows, NDManager owner, AutoCloseable release) {
    try {
      if (transfer == Transfer.VIEW) {
        // A training that fails closes its managers while batches are open, which closes this
        // manager too.
        owner.attachUncappedInternal(UUID.randomUUID().toString(), release);
      }
      NDList arrays = new NDList();
      for (String column : columns.isEmpty() ? host.tensors().keySet() : columns) {
        arrays.add(array(owner, column, host, rows));
      }
      return new DeviceBatch(host, rows, owner, arrays);
    } catch (Throwable failure) {
      owner.close();
      throw failure;
    }
  }

  private NDArray array(NDManager owner, String column, Batch host, DeviceRows rows) {
    Tensor tensor = host.tensor(column);
    long[] shape = rows.shape(tensor, host, column);
    // The engine ignores a buffer's position and reads from its beginning; a tensor's bytes are a
    // slice, which begins at the tensor.
    var memory = rows.bytes(tensor, host);
    if (transfer == Transfer.COPY) {
      bytes.add(memory.capacity());
    }
    NDArray array = owner.create(memory, new Shape(shape), DataTypes.of(tensor.dtype(), column));
    array.setName(column);
    return array;
  }

  @Override
  public void stop() {
    // This feed reads no batch ahead.
  }

  @Override
  public DeviceStats stats() {
    return DeviceStats.of(
        transfer,
        new long[] {batches.sum(), bytes.sum(), 0},
        new long[] {copyNanos.sum(), 0, waitNanos.sum()},
        stalls.snapshot(),
        fallback);
  }

  @Override
  public void close() {
    // This feed owns nothing: each batch owns its arrays.
  }
}
