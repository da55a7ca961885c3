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
 * <p>A builder chooses data and labels by name, and has options:
 *
 * <pre>{@code
 * DjlDataset.builder(loader).data("ids", "ids_length").labels("topic").build()
 * }</pre>
 *
 * <p>Each iteration is the loader's next epoch, which may be left early. Order, shuffling, batch
 * size, workers and prefetching are options of the loader. Batches are made on the device of the
 * manager that DJL passes in; a batch's slot returns to the loader when the batch is closed, and at
 * the latest with that manager. The memory and streams of a device are kept for the next epoch,
 * until the manager is closed or DJL passes in another manager.
 *
 * <p>A training that was interrupted continues with the very next batch, in a new loader:
 *
 * <pre>{@code
 * DjlDataset batches = DjlDataset.of(loader);
 * batches.resume(LoaderState.fromJson(Files.readString(checkpoint)));
 * EasyTrain.fit(trainer, EPOCHS - (int) batches.state().epoch(), batches, null);
 * }</pre>
 *
 * <p>DJL's progress is counted in batches; its total is 0, which shows no bar, for a stream, whose
 * length is not known.
 *
 * <p>The loader's owner closes it; this needs no close. One thread at a time iterates.
 */
public final class DjlDataset implements Dataset {

  private static final Set<String> LABELS = Set.of("label", "labels");

  private static final String LENGTH = "_length";

  private final DataLoader<?> loader;
  private final List<String> dataColumns;
  private final List<String> labelColumns;
  private final List<Device> devices;
  private final DeviceGroup.Options options;

  /** The devices below the manager that DJL passed in last. */
  private @Nullable OnManager current;

  private DjlDataset(Builder builder, DeviceGroup.Options options) {
    this.loader = builder.loader;
    this.dataColumns = builder.dataColumns;
    this.labelColumns = builder.labelColumns;
    this.devices = builder.devices;
    this.options = options;
  }

  /**
   * Returns the loader's batches. The tensor called {@code label} or {@code labels} is the label,
   * or else the last tensor; all others are the data. Right for labeled images. An iteration throws
   * {@link IllegalArgumentException} if several tensors have these names, or a tensor has lengths
   * beside it: {@link #builder} names the columns then.
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

  /** Returns the tensors that are the data. Unmodifiable; empty if they are all but the labels. */
  public List<String> dataColumns() {
    return dataColumns;
  }

  /**
   * Returns the tensors that are the labels. Unmodifiable; empty if there are none, or if the rule
   * of {@link #of(DataLoader)} finds them.
   */
  public List<String> labelColumns() {
    return labelColumns;
  }

  /** Returns the columns that are normalized on the device. Unmodifiable; may be empty. */
  public List<Normalization> normalizations() {
    return options.normalizations();
  }

  /**
   * Returns the devices that share each batch. Unmodifiable; empty if batches go to the manager's
   * device.
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
   * Returns the next epochs of the loader: each iterator of the result begins one.
   *
   * @param manager the batches are made on its device, and closed with it at the latest
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    on(manager);
    return () -> new Batches(on(manager), loader.size().orElse(0));
  }

  /**
   * Returns where the loader stands: behind the batch that DJL took last, however many have been
   * read ahead of it. {@code loader().state()} is the same.
   *
   * <p>{@code EasyTrain} calls a listener's {@code onTrainingBatch} before it makes the optimizer's
   * step: parameters that are saved there belong to the state that was asked for at the batch
   * before. In {@code onEpoch} they belong to the state of that moment.
   */
  public LoaderState state() {
    return loader.state();
  }

  /**
   * Continues from the state of another loader: the next iteration gives the rest of the state's
   * epoch, and those after it the following epochs. See {@link DataLoader#resume}. An iteration
   * that is under way ends. {@code EasyTrain} counts epochs by itself: of {@code n} epochs, {@code
   * n - state.epoch()} are left, of which the first has begun.
   *
   * @throws IllegalArgumentException if the state belongs to other data, another order or seed; the
   *     message names the difference
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
   * {@code EasyTrain} requests an iterator for each epoch, and closes none: one group serves many
   * epochs.
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

  /** Empty for all. */
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
     * The labels, if it is certain that no other column is a label. The columns of a map have no
     * order that identifies the label.
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
  public static final class Builder extends DeviceOptions<Builder> {
    private final DataLoader<?> loader;
    private List<String> dataColumns = List.of();
    private List<String> labelColumns = List.of();
    private List<Device> devices = List.of();

    private Builder(DataLoader<?> loader) {
      this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * Sets the tensors that go into the model, in its order. Default: all but the labels.
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
     * Sets the tensors that go into the loss. Default: none if the data are named; otherwise the
     * tensor called {@code label} or {@code labels}, or else the last tensor.
     *
     * @param labelColumns names, or none
     */
    public Builder labels(String... labelColumns) {
      this.labelColumns = List.of(labelColumns);
      return this;
    }

    /**
     * Sets the devices of a trainer with several devices: each batch's rows are divided among them
     * as evenly as possible, and copied to each separately. By default the batches are on the
     * device of the manager that DJL passes in, and DJL moves rows to the others.
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
