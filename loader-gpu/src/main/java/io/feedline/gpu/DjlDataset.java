package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Feedline loader as a DJL {@link Dataset}, for {@code EasyTrain.fit} and other code that takes a
 * dataset:
 *
 * <pre>{@code
 * EasyTrain.fit(trainer, EPOCHS, DjlDataset.of(trainLoader), DjlDataset.of(valLoader));
 * }</pre>
 *
 * <p>A builder selects the data and labels by name, and has further options:
 *
 * <pre>{@code
 * DjlDataset.builder(loader).data("ids", "ids_length").labels("topic").build()
 * }</pre>
 *
 * <p>Each iteration runs the loader's next epoch, and may end early. Order, shuffling, batch size,
 * workers and prefetching are options of the loader. Batches are made on the device of the manager
 * that DJL passes in; a batch's memory returns to the loader when the batch or that manager is
 * closed. The memory and streams of a device are kept for the next epoch, until the manager is
 * closed or DJL passes in another manager.
 *
 * <p>An interrupted training continues in a new loader with the batch after the last one it used:
 *
 * <pre>{@code
 * DjlDataset batches = DjlDataset.of(loader);
 * batches.resume(LoaderState.fromJson(Files.readString(checkpoint)));
 * EasyTrain.fit(trainer, EPOCHS - (int) batches.state().epoch(), batches, null);
 * }</pre>
 *
 * <p>DJL counts its progress in batches. For a stream, whose length is unknown, the total is 0, and
 * DJL shows no bar.
 *
 * <p>The dataset needs no closing; the caller closes the loader. One thread at a time iterates.
 */
public final class DjlDataset implements Dataset {

  private static final Set<String> LABELS = Set.of("label", "labels");

  private static final String LENGTH = "_length";

  private final DataLoader<?> loader;
  private final List<String> dataColumns;
  private final List<String> labelColumns;
  private final List<Device> devices;
  private final DeviceGroup.Options options;

  /** The devices' group for the manager that DJL passed in last; null before the first. */
  private @Nullable OnManager current;

  private DjlDataset(Builder builder, DeviceGroup.Options options) {
    this.loader = builder.loader;
    this.dataColumns = builder.dataColumns;
    this.labelColumns = builder.labelColumns;
    this.devices = builder.devices;
    this.options = options;
  }

  /**
   * Returns the loader's batches. The tensor called {@code label} or {@code labels}, or else the
   * last tensor, is the label; all other tensors are the data. This suits labeled images. An
   * iteration throws {@link IllegalArgumentException} if several tensors have these names, if
   * another tensor contains the label's lengths, or if the label itself may contain another
   * tensor's lengths. In that case name the columns with {@link #builder}.
   */
  public static DjlDataset of(DataLoader<?> loader) {
    return builder(loader).build();
  }

  /** Returns a builder of datasets of a loader. */
  public static Builder builder(DataLoader<?> loader) {
    return new Builder(loader);
  }

  /** Returns the loader whose batches these are. */
  public DataLoader<?> loader() {
    return loader;
  }

  /** Returns the names of the data tensors. Unmodifiable; empty: all tensors except the labels. */
  public List<String> dataColumns() {
    return dataColumns;
  }

  /**
   * Returns the names of the label tensors. Unmodifiable; empty if there are no labels, or if the
   * rule of {@link #of(DataLoader)} selects them.
   */
  public List<String> labelColumns() {
    return labelColumns;
  }

  /** Returns the columns that are normalized on the device. Unmodifiable; may be empty. */
  public List<Normalization> normalizations() {
    return options.normalizations();
  }

  /**
   * Returns the devices among which each batch is divided. Unmodifiable; empty if batches are
   * copied to the manager's device.
   */
  public List<Device> devices() {
    return devices;
  }

  /**
   * Returns the figures of the copies on the manager that DJL passed in last; empty before the
   * first iteration.
   */
  public Optional<DeviceStats> stats() {
    return Optional.ofNullable(current).map(on -> on.group().stats());
  }

  /**
   * Returns the loader's epochs: each iterator of the result begins the loader's next epoch.
   *
   * @param manager the manager on whose device batches are made; closing it closes open batches
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    on(manager);
    return () -> new Batches(on(manager), loader.size().orElse(0));
  }

  /**
   * Returns the loader's position: after the batch that DJL took last. Batches read ahead do not
   * count. {@code loader().state()} returns the same.
   *
   * <p>{@code EasyTrain} calls a listener's {@code onTrainingBatch} before the optimizer's step. So
   * parameters that are saved there match the state that this method returned in the previous call
   * of the listener. Parameters saved in {@code onEpoch} belong to the current state.
   */
  public LoaderState state() {
    return loader.state();
  }

  /**
   * Continues from the state of another loader, and ends the current iteration. The next iteration
   * delivers the rest of the state's epoch; later iterations deliver the epochs after it. See
   * {@link DataLoader#resume}. {@code EasyTrain} counts epochs itself: pass it {@code n -
   * state.epoch()} for a training of {@code n} epochs.
   *
   * @throws IllegalArgumentException if the state belongs to other data, another order or another
   *     seed; the message names the difference
   */
  public void resume(LoaderState state) {
    if (current != null && current.group().closed()) {
      leaveManager();
    }
    if (current == null) {
      loader.resume(state);
    } else {
      current.group().resume(state);
    }
  }

  /**
   * Returns the group of devices for a manager. The group is kept for later epochs, because {@code
   * EasyTrain} requests an iterator for each epoch and closes no iterator.
   */
  private OnManager on(NDManager manager) {
    if (current != null && current.manager() != manager) {
      leaveManager();
    }
    if (current == null) {
      List<NDManager> managers =
          devices.isEmpty()
              ? List.of(manager)
              : devices.stream().map(manager::newSubManager).toList();
      try {
        current = new OnManager(manager, DeviceGroup.open(loader, managers, options), managers);
      } catch (Throwable failure) {
        managers.stream().filter(made -> made != manager).forEach(NDManager::close);
        throw failure;
      }
    }
    return current;
  }

  private void leaveManager() {
    OnManager former = current;
    current = null;
    former.close();
  }

  private record OnManager(NDManager manager, DeviceGroup group, List<NDManager> managers) {

    void close() {
      try {
        group.close();
      } finally {
        managers.stream().filter(made -> made != manager).forEach(NDManager::close);
      }
    }

    List<Device> devices() {
      return managers.stream().map(NDManager::getDevice).toList();
    }
  }

  private static boolean isLabel(String name) {
    return LABELS.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  private static boolean isLengthOf(String name, List<String> columns) {
    return columns.stream().anyMatch(column -> name.equals(column + LENGTH));
  }

  /** Returns the tensors to copy; empty: all tensors. */
  private static List<String> columns(List<String> data, List<String> labels) {
    return data.isEmpty()
        ? List.of()
        : Stream.concat(data.stream(), labels.stream()).distinct().toList();
  }

  /** Does nothing: a loader's dataset is ready when it is made. */
  @Override
  public void prepare(Progress progress) {}

  @Override
  public String toString() {
    return "DjlDataset(" + loader + ")";
  }

  private final class Batches implements Iterator<Batch> {
    private final Iterator<List<DeviceBatch>> batches;
    private final List<Device> devices;
    private final long total;

    Batches(OnManager on, long total) {
      this.batches = on.group().iterator(loader::iterator);
      this.devices = on.devices();
      this.total = total;
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public Batch next() {
      List<DeviceBatch> parts = batches.next();
      try {
        return new DjlBatch(parts.stream().map(this::part).toList(), devices, total);
      } catch (Throwable failure) {
        parts.forEach(DeviceBatch::close);
        throw failure;
      }
    }

    private DjlBatch.Part part(DeviceBatch batch) {
      if (!dataColumns.isEmpty()) {
        return new DjlBatch.Part(batch, named(batch, dataColumns), named(batch, labelColumns));
      }
      List<String> names = batch.tensors().stream().map(NDArray::getName).toList();
      List<String> labels = labels(names);
      NDList expected = named(batch, labels);
      List<String> data = names.stream().filter(name -> !labels.contains(name)).toList();
      if (data.isEmpty()) {
        throw new IllegalArgumentException(
            "a batch of %s has the tensors %s; data and label take two, or name the columns in DjlDataset.builder"
                .formatted(loader, names));
      }
      return new DjlBatch.Part(batch, named(batch, data), expected);
    }

    /**
     * Returns the labels, or throws if another column might be a label too. The order of a map's
     * columns does not identify the label.
     */
    private List<String> labels(List<String> names) {
      List<String> called = names.stream().filter(DjlDataset::isLabel).toList();
      List<String> labels = labelColumns;
      if (labels.isEmpty()) {
        labels =
            called.isEmpty() ? names.subList(Math.max(0, names.size() - 1), names.size()) : called;
      }
      List<String> found = labels;
      boolean withLengths =
          names.stream()
              .anyMatch(
                  name ->
                      isLengthOf(name, found) || (found.contains(name) && isLengthOf(name, names)));
      if (withLengths || (labelColumns.isEmpty() && labels.size() > 1)) {
        throw new IllegalArgumentException(
            "a batch of %s has the tensors %s, of which more than one may be a label or its length; name the columns by DjlDataset.builder(loader).data(...).labels(...)"
                .formatted(loader, names));
      }
      return labels;
    }

    private static NDList named(DeviceBatch batch, List<String> columns) {
      NDList list = new NDList();
      columns.forEach(column -> list.add(batch.tensor(column)));
      return list;
    }
  }

  /** The options of a dataset. Not thread-safe. */
  public static final class Builder extends DeviceLoader.Options<Builder> {
    private final DataLoader<?> loader;
    private List<String> dataColumns = List.of();
    private List<String> labelColumns = List.of();
    private List<Device> devices = List.of();

    private Builder(DataLoader<?> loader) {
      this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * Sets the tensors that are the model's inputs, in their order. Default: all tensors except the
     * labels.
     *
     * @param dataColumns one or more names
     * @throws IllegalArgumentException if no name is given
     */
    public Builder data(String... dataColumns) {
      this.dataColumns = List.of(dataColumns);
      if (this.dataColumns.isEmpty()) {
        throw new IllegalArgumentException("dataColumns must be one or more names, were none");
      }
      return this;
    }

    /**
     * Sets the tensors that are the labels, for the loss. Default: no labels if {@link #data} is
     * given; otherwise the tensor called {@code label} or {@code labels}, or else the last tensor.
     *
     * @param labelColumns the tensors' names; without a name, batches have no labels
     */
    public Builder labels(String... labelColumns) {
      this.labelColumns = List.of(labelColumns);
      return this;
    }

    /**
     * Sets the devices of a trainer with several devices: each batch's rows are divided among them
     * as evenly as possible, and copied to each separately. By default the batches are on the
     * device of the manager that DJL passes in, and DJL moves rows to the other devices.
     *
     * @param devices all devices of the trainer in its order ({@code TrainingConfig.getDevices})
     */
    public Builder devices(Device... devices) {
      this.devices = List.of(devices);
      return this;
    }

    /**
     * Builds the dataset.
     *
     * @throws IllegalArgumentException if a normalized column comes twice or is neither data nor
     *     label, or if a number is out of its range
     */
    public DjlDataset build() {
      return new DjlDataset(this, options(columns(dataColumns, labelColumns)));
    }
  }
}
