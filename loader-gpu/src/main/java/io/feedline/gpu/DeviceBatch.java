package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import io.feedline.batch.Batch;
import io.feedline.gpu.DeviceLoader.Transfer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A batch on a device: the tensors of a {@link Batch} as DJL's arrays, and its unchanged values.
 *
 * <p>The consumer that took the batch from a {@link DeviceLoader} owns and closes it. With {@link
 * Transfer#VIEW} the batch's arrays <em>are</em> the loader's memory. These arrays, and arrays that
 * share their memory, such as a slice or a reshaped array, are valid until the batch is closed.
 * Results computed from them are new memory, but attached to {@link #manager} and closed with the
 * batch; {@code NDArray.attach} to another manager keeps a result for longer. An array of the batch
 * itself that is kept by {@code detach} or {@code attach} would show a later batch's elements;
 * {@code NDArray.duplicate} makes an array that may be kept. With the other transfers the arrays
 * are ordinary arrays of the device, independent of the loader.
 *
 * <p>Not thread-safe, but may be passed from thread to thread.
 */
public final class DeviceBatch implements AutoCloseable {

  private enum State {
    OPEN,
    CLOSED
  }

  private final Batch host;
  private final DeviceRows rows;
  private final NDManager manager;
  private final NDList tensors;
  private State state = State.OPEN;

  /**
   * @param host the batch on the host; if {@code tensors} are views of its memory, the caller has
   *     attached it to the manager, which closes it
   * @param manager owned by this batch; all of {@code tensors} are attached to it
   */
  DeviceBatch(Batch host, DeviceRows rows, NDManager manager, NDList tensors) {
    this.host = host;
    this.rows = rows;
    this.manager = manager;
    this.tensors = tensors;
  }

  /** Returns the number of samples, 1 or more. */
  public int size() {
    return rows.count();
  }

  /**
   * Returns the number of leading samples that are not padding; less than {@link #size} only in a
   * padded batch. See {@link Batch#valid}.
   */
  public int valid() {
    return rows.valid(host);
  }

  /** Returns the epoch that the batch belongs to, counted from 0. */
  public long epoch() {
    return host.epoch();
  }

  /** Returns the number of the batch in its epoch on its rank, counted from 0. */
  public long number() {
    return host.number();
  }

  /** Returns each sample's index in the dataset, or position in a stream, in a new array. */
  public long[] indices() {
    return rows.of(host.indices());
  }

  /**
   * Returns the arrays in the order of the loader's columns, each with its column's name, in a new
   * list.
   *
   * @throws IllegalStateException if the batch has been closed
   */
  public NDList tensors() {
    check();
    return new NDList(tensors);
  }

  /**
   * Returns the array of a column.
   *
   * @throws IllegalArgumentException if there is no such column; the message names the existing
   *     arrays
   * @throws IllegalStateException if the batch has been closed
   */
  public NDArray tensor(String column) {
    check();
    for (NDArray array : tensors) {
      if (array.getName().equals(column)) {
        return array;
      }
    }
    throw new IllegalArgumentException(
        "the batch has no tensor '%s'; it has %s: name one of these"
            .formatted(column, tensors.stream().map(NDArray::getName).toList()));
  }

  /**
   * Returns the arrays of an entry whose tensors the loader's collator does not stack: one array
   * per sample, in a new list; see {@link Batch#tensors(String)}. A loader with such an entry works
   * with one device only.
   *
   * @throws IllegalArgumentException if there is no such list; the message names the existing
   *     arrays
   * @throws IllegalStateException if the batch has been closed
   */
  public NDList tensors(String entry) {
    NDList list = new NDList();
    for (int row = 0; row < size(); row++) {
      list.add(tensor(entry + "." + row));
    }
    return list;
  }

  /**
   * Returns the array at a position, counted from 0.
   *
   * @throws IndexOutOfBoundsException if there is no array at the position
   * @throws IllegalStateException if the batch has been closed
   */
  public NDArray tensor(int position) {
    check();
    return tensors.get(position);
  }

  /**
   * Returns a named list of values that are not tensors: one value per sample. Unmodifiable; may be
   * kept after the batch is closed.
   *
   * @throws IllegalArgumentException if there is no such name; the message lists the existing names
   */
  public List<?> values(String name) {
    return host.values(name).subList(rows.from(), rows.to());
  }

  /** Returns all values by name, each a list with a value per sample. Unmodifiable; may be kept. */
  public Map<String, List<?>> values() {
    Map<String, List<?>> values = new LinkedHashMap<>();
    host.values().keySet().forEach(name -> values.put(name, values(name)));
    return Collections.unmodifiableMap(values);
  }

  /**
   * Returns the manager of the batch's arrays and, by DJL's rules, of the arrays computed from
   * them. It is closed with the batch.
   */
  public NDManager manager() {
    return manager;
  }

  /** Replaces all arrays of the batch. Closes each old array that is not among the new arrays. */
  void replace(NDList arrays) {
    NDList former = new NDList(tensors);
    tensors.clear();
    tensors.addAll(arrays);
    for (NDArray array : former) {
      if (arrays.stream().noneMatch(kept -> kept == array)) {
        array.close();
      }
    }
  }

  void replace(String column, NDArray array) {
    NDList arrays = tensors();
    arrays.replaceAll(former -> former.getName().equals(column) ? array : former);
    array.setName(column);
    replace(arrays);
  }

  /**
   * Closes the manager and the arrays. If the arrays are views of the loader's memory, returns this
   * memory to the loader. May be called twice.
   */
  @Override
  public void close() {
    if (state == State.OPEN) {
      state = State.CLOSED;
      manager.close();
    }
  }

  private void check() {
    if (state == State.CLOSED || !manager.isOpen()) {
      throw new IllegalStateException(
          "batch %d of epoch %d has been closed".formatted(number(), epoch()));
    }
  }

  @Override
  public String toString() {
    return "DeviceBatch(epoch=%d, number=%d, size=%d, %s)"
        .formatted(epoch(), number(), size(), manager.getDevice());
  }
}
