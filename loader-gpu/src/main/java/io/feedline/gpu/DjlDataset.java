package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import io.feedline.DataLoader;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A Feedline loader as a DJL {@link Dataset}, for {@code EasyTrain.fit} and whatever else takes
 * one:
 *
 * <pre>{@code
 * EasyTrain.fit(trainer, epochs, DjlDataset.of(trainLoader), DjlDataset.of(validationLoader));
 * }</pre>
 *
 * <p>Each iteration is the loader's next epoch; leaving one early is fine. Order, shuffling, batch
 * size, workers and prefetching are the loader's affair. Batches are made on the device of the
 * manager that DJL passes in; a batch's slot returns to the loader when the batch is closed, and at
 * the latest with that manager.
 *
 * <p>DJL's progress is counted in batches; its total is 0, which shows no bar, for a stream, whose
 * length is not known.
 *
 * <p>Does not own the loader. One thread at a time iterates.
 */
public final class DjlDataset implements Dataset {

  private final DataLoader<?> loader;
  private final List<String> dataColumns;
  private final List<String> labelColumns;

  private DjlDataset(DataLoader<?> loader, List<String> dataColumns, List<String> labelColumns) {
    this.loader = Objects.requireNonNull(loader, "loader");
    this.dataColumns = dataColumns;
    this.labelColumns = labelColumns;
  }

  /**
   * The loader's batches; the last tensor of each is the label, all before it are the data. For
   * pictures with their classes that is what one wants.
   */
  public static DjlDataset of(DataLoader<?> loader) {
    return new DjlDataset(loader, List.of(), List.of());
  }

  /**
   * The loader's batches, with a say in what is what.
   *
   * @param dataColumns the tensors that go into the model, one or more, in its order
   * @param labelColumns the tensors that go into the loss; may be empty
   * @throws IllegalArgumentException if there are no data columns
   */
  public static DjlDataset of(
      DataLoader<?> loader, List<String> dataColumns, List<String> labelColumns) {
    if (dataColumns.isEmpty()) {
      throw new IllegalArgumentException("dataColumns must be one or more names, were none");
    }
    return new DjlDataset(loader, List.copyOf(dataColumns), List.copyOf(labelColumns));
  }

  /** The loader whose batches these are. */
  public DataLoader<?> loader() {
    return loader;
  }

  /**
   * The next epochs of the loader: each iterator of the result begins one.
   *
   * @param manager whose device the batches are made on, and below which their managers hang
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    DeviceLoader.Builder builder = DeviceLoader.builder(loader).manager(manager);
    if (!dataColumns.isEmpty()) {
      Stream<String> columns = Stream.concat(dataColumns.stream(), labelColumns.stream());
      builder.columns(columns.distinct().toArray(String[]::new));
    }
    DeviceLoader device = builder.build();
    return () -> {
      OptionalLong batches = device.size();
      return new Batches(device.iterator(), batches.orElse(0));
    };
  }

  /** Does nothing: a loader's dataset is ready when it is made. */
  @Override
  public void prepare(Progress progress) {}

  /** For example {@code DjlDataset(DataLoader(...))}. */
  @Override
  public String toString() {
    return "DjlDataset(" + loader + ")";
  }

  private final class Batches implements Iterator<Batch> {
    private final Iterator<DeviceBatch> batches;
    private final long total;

    Batches(Iterator<DeviceBatch> batches, long total) {
      this.batches = batches;
      this.total = total;
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public Batch next() {
      DeviceBatch batch = batches.next();
      try {
        return split(batch);
      } catch (Throwable failure) {
        batch.close();
        throw failure;
      }
    }

    private Batch split(DeviceBatch batch) {
      NDList tensors = batch.tensors();
      if (!dataColumns.isEmpty()) {
        return new DjlBatch(batch, named(batch, dataColumns), named(batch, labelColumns), total);
      }
      int last = tensors.size() - 1;
      if (last < 1) {
        throw new IllegalArgumentException(
            "a batch of %s has the tensors %s; data and label take two, or name the columns in DjlDataset.of"
                .formatted(loader, tensors.stream().map(NDArray::getName).toList()));
      }
      return new DjlBatch(batch, tensors.subNDList(0, last), new NDList(tensors.get(last)), total);
    }

    private static NDList named(DeviceBatch batch, List<String> columns) {
      NDList list = new NDList();
      columns.forEach(column -> list.add(batch.tensor(column)));
      return list;
    }
  }
}
