package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import io.feedline.DataLoader;
import java.util.ArrayList;
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
 * <p>or, with a say in what becomes of the batches:
 *
 * <pre>{@code
 * DjlDataset.builder(trainLoader)
 *     .data("image")
 *     .labels("label")
 *     .normalizeOnDevice(Normalization.imagenet("image"))
 *     .build()
 * }</pre>
 *
 * <p>Each iteration is the loader's next epoch; leaving one early is fine. Order, shuffling, batch
 * size, workers and prefetching are the loader's affair. Batches are made on the device of the
 * manager that DJL passes in; a batch's slot returns to the loader when the batch is closed, and at
 * the latest with that manager. What is set up on a device stays there for the next epoch, until
 * the manager is closed or DJL passes in another one.
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
  private final List<Normalization> normalizations;

  /** The loader on the manager that DJL passed in last; null before that. */
  private DeviceLoader current;

  private DjlDataset(Builder builder) {
    this.loader = builder.loader;
    this.dataColumns = builder.dataColumns;
    this.labelColumns = builder.labelColumns;
    this.normalizations = List.copyOf(builder.normalizations);
  }

  /**
   * The loader's batches; the last tensor of each is the label, all before it are the data. For
   * pictures with their classes that is what one wants.
   */
  public static DjlDataset of(DataLoader<?> loader) {
    return builder(loader).build();
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
    return builder(loader)
        .data(dataColumns.toArray(String[]::new))
        .labels(labelColumns.toArray(String[]::new))
        .build();
  }

  /** A builder of datasets of a loader. */
  public static Builder builder(DataLoader<?> loader) {
    return new Builder(loader);
  }

  /** The loader whose batches these are. */
  public DataLoader<?> loader() {
    return loader;
  }

  /** The tensors that are the data. Unmodifiable; empty if they are all but the last. */
  public List<String> dataColumns() {
    return dataColumns;
  }

  /** The tensors that are the labels. Unmodifiable; empty if there are none or the last is. */
  public List<String> labelColumns() {
    return labelColumns;
  }

  /** What is normalised on the device. Unmodifiable; empty if nothing is. */
  public List<Normalization> normalizations() {
    return normalizations;
  }

  /**
   * The next epochs of the loader: each iterator of the result begins one.
   *
   * @param manager whose device the batches are made on, and below which their managers hang
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    on(manager);
    return () -> {
      DeviceLoader device = on(manager);
      OptionalLong batches = device.size();
      return new Batches(device.iterator(), batches.orElse(0));
    };
  }

  /** One device loader for many epochs: {@code EasyTrain} asks anew for each, and closes none. */
  private DeviceLoader on(NDManager manager) {
    if (current != null && current.manager() != manager) {
      current.close();
      current = null;
    }
    if (current == null) {
      current = deviceLoader(manager);
    }
    return current;
  }

  private DeviceLoader deviceLoader(NDManager manager) {
    DeviceLoader.Builder builder = DeviceLoader.builder(loader).manager(manager);
    List<String> columns = columns(dataColumns, labelColumns);
    if (!columns.isEmpty()) {
      builder.columns(columns.toArray(String[]::new));
    }
    normalizations.forEach(builder::normalizeOnDevice);
    return builder.build();
  }

  private static List<String> columns(List<String> data, List<String> labels) {
    return Stream.concat(data.stream(), labels.stream()).distinct().toList();
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
            "a batch of %s has the tensors %s; data and label take two, or name the columns in DjlDataset.builder"
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

  /** The options of a dataset. */
  public static final class Builder {
    private final DataLoader<?> loader;
    private List<String> dataColumns = List.of();
    private List<String> labelColumns = List.of();
    private final List<Normalization> normalizations = new ArrayList<>();

    private Builder(DataLoader<?> loader) {
      this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * The tensors that go into the model, in its order. Default, if no labels are named either: all
     * but the last.
     *
     * @param dataColumns one or more names
     */
    public Builder data(String... dataColumns) {
      this.dataColumns = List.of(dataColumns);
      if (this.dataColumns.isEmpty()) {
        throw new IllegalArgumentException("dataColumns must be one or more names, were none");
      }
      return this;
    }

    /**
     * The tensors that go into the loss. Default: none if the data are named, and otherwise the
     * last tensor. For pictures with their classes that is what one wants.
     *
     * @param labelColumns names, or none
     */
    public Builder labels(String... labelColumns) {
      this.labelColumns = List.of(labelColumns);
      return this;
    }

    /**
     * Lets a column of pictures cross as bytes, and makes floats of it on the device; once for each
     * such column. See {@link DeviceLoader.Builder#normalizeOnDevice}.
     */
    public Builder normalizeOnDevice(Normalization normalization) {
      normalizations.add(Objects.requireNonNull(normalization, "normalization"));
      return this;
    }

    /**
     * The dataset.
     *
     * @throws IllegalArgumentException if labels are named and data are not, or if a column is to
     *     be normalised twice or is neither data nor label
     */
    public DjlDataset build() {
      if (dataColumns.isEmpty() && !labelColumns.isEmpty()) {
        throw new IllegalArgumentException(
            "labels %s are named but no data; name both, or neither".formatted(labelColumns));
      }
      Normalizer.check(normalizations, columns(dataColumns, labelColumns));
      return new DjlDataset(this);
    }
  }
}
