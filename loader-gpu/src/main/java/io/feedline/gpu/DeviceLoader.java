package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.DataLoader.Epoch;
import io.feedline.LoaderState;
import io.feedline.batch.BatchTransform;
import io.feedline.gpu.internal.Cuda;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A source of a {@link DataLoader}'s batches on a device, epoch after epoch, as DJL's arrays.
 *
 * <pre>{@code
 * try (PinnedAllocator pinned = PinnedAllocator.of(manager.getDevice());
 *     DataLoader<LabeledImage> host =
 *         DataLoader.builder(bytes).batchSize(128).shuffle(true).allocator(pinned).build();
 *     DeviceLoader loader =
 *         DeviceLoader.builder(host)
 *             .manager(manager)
 *             .normalizeOnDevice(Normalization.imagenet("image"))
 *             .prefetchToDevice(2)
 *             .build()) {
 *   for (DeviceBatch batch : loader) {
 *     try (batch) {
 *       step(batch.tensor("image"), batch.tensor("label"));
 *     }
 *   }
 *   System.out.println(loader.stats());
 * }
 * }</pre>
 *
 * <p>{@link #transfer} returns how the batches get to the device; on the CPU nothing is copied. An
 * exception from {@code next()} concerns one batch, as with the loader itself. A {@link
 * io.feedline.gpu.cuda.CudaException} is different: no more batches are delivered after it, and
 * {@code next()} and {@link #iterator} throw {@link IllegalStateException}.
 *
 * <p>A device loader owns its memory, streams and thread, but neither the loader nor the manager
 * that it was built with. One thread at a time iterates; any thread may call {@link #stats} and
 * {@link #close}.
 */
public final class DeviceLoader implements Iterable<DeviceBatch>, AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();

  private final DeviceGroup group;
  private final NDManager manager;
  private final List<Normalization> normalizations;
  private final Cleaner.Cleanable cleanable;

  private DeviceLoader(
      DeviceGroup group,
      NDManager manager,
      boolean ownsManager,
      List<Normalization> normalizations) {
    this.group = group;
    this.manager = manager;
    this.normalizations = normalizations;
    // The cleaner frees the thread and memory of a device loader that was never closed.
    this.cleanable = CLEANER.register(this, new Rest(group, ownsManager ? manager : null));
  }

  private record Rest(DeviceGroup group, @Nullable NDManager ownManager) implements Runnable {
    @Override
    public void run() {
      try {
        group.close();
      } finally {
        if (ownManager != null) {
          ownManager.close();
        }
      }
    }
  }

  /**
   * Returns the loader's batches on a device of DJL's default engine.
   *
   * @throws IllegalStateException if the engine cannot use the device
   */
  public static DeviceLoader of(DataLoader<?> loader, Device device) {
    return builder(loader).device(device).build();
  }

  /**
   * Returns the loader's batches on a manager's device, in children of that manager. The caller
   * closes the manager, which also closes open batches.
   *
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  public static DeviceLoader of(DataLoader<?> loader, NDManager manager) {
    return builder(loader).manager(manager).build();
  }

  /**
   * Checks that DJL's default engine can use a device, by allocating one byte on it: for programs
   * that check the device early. A device loader makes the same check itself.
   *
   * @throws IllegalStateException if the engine cannot use the device; the message names the device
   *     and the devices found
   */
  public static void requireDevice(Device device) {
    Devices.require(device);
  }

  /** Returns a builder of device loaders for a loader. */
  public static Builder builder(DataLoader<?> loader) {
    return new Builder(loader);
  }

  /**
   * Begins the loader's next epoch, and ends an unfinished iteration.
   *
   * @throws IllegalStateException if this device loader or its loader is closed, or CUDA has failed
   */
  @Override
  public Iterator<DeviceBatch> iterator() {
    return single(group.iterator(loader()::iterator));
  }

  /**
   * Returns a given epoch, to be iterated any number of times; a later {@link #iterator} begins the
   * epoch after it.
   *
   * @param number 0 or more
   * @return the epoch; its {@code iterator()} throws as {@link #iterator} does
   * @throws IllegalArgumentException if the number is negative
   */
  public Iterable<DeviceBatch> epoch(long number) {
    Epoch host = loader().epoch(number);
    return () -> single(group.iterator(host::iterator));
  }

  private Iterator<DeviceBatch> single(Iterator<List<DeviceBatch>> parts) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          return parts.hasNext();
        } finally {
          Reference.reachabilityFence(DeviceLoader.this);
        }
      }

      @Override
      public DeviceBatch next() {
        try {
          return parts.next().get(0);
        } finally {
          Reference.reachabilityFence(DeviceLoader.this);
        }
      }
    };
  }

  /**
   * Returns the loader's position: after the batch that {@code next()} returned last. Batches read
   * ahead do not count. {@code loader().state()} returns the same.
   */
  public LoaderState state() {
    return loader().state();
  }

  /**
   * Continues from the state of another loader, and ends the current iteration; see {@link
   * DataLoader#resume}.
   *
   * @throws IllegalArgumentException if the state belongs to other data
   * @throws IllegalStateException if this device loader is closed
   */
  public void resume(LoaderState state) {
    group.resume(state);
  }

  /** Returns the number of batches of the next epoch; empty for a stream. */
  public OptionalLong size() {
    return loader().size();
  }

  /** Returns the loader whose batches these are. */
  public DataLoader<?> loader() {
    return group.loader();
  }

  /** Returns the device that the arrays are on. */
  public Device device() {
    return manager.getDevice();
  }

  /** Returns how the batches get to the device. */
  public Transfer transfer() {
    return stats().transfer();
  }

  /**
   * Returns a snapshot of the figures so far: the bytes, source memory and speed of the copies. May
   * be called by any thread.
   */
  public DeviceStats stats() {
    return group.stats();
  }

  /** Returns the record of the run so far: the loader's record with the figures of the device. */
  public RunRecord runRecord() {
    return loader().runRecord().withDevice(stats().figures());
  }

  /**
   * Returns the record of the run so far, compared with the speed that the training needs.
   *
   * @param level the speed that the training needs
   * @throws IllegalArgumentException if the loader's batch size differs from that of {@code level}
   */
  public RunRecord runRecord(ServiceLevel level) {
    return loader().runRecord(level).withDevice(stats().figures());
  }

  /** Returns the columns that are normalized on the device. Unmodifiable; may be empty. */
  public List<Normalization> normalizations() {
    return normalizations;
  }

  /**
   * Frees the memory, streams and thread of the device. If this device loader was built with a
   * device, open batches are closed too. If it was built with a manager, open batches stay open,
   * and closing that manager also closes this device loader. Batches that were read ahead are
   * dropped; another loader that resumes from {@link #state} delivers them. May be called twice,
   * and by any thread; a waiting or later {@code next()} throws {@link IllegalStateException}.
   *
   * @throws io.feedline.gpu.cuda.CudaException if CUDA has failed and no call has thrown the
   *     exception yet; all that can be freed is freed first
   */
  @Override
  public void close() {
    cleanable.clean();
  }

  @Override
  public String toString() {
    return "DeviceLoader(%s, %s, %s)".formatted(loader(), device(), transfer());
  }

  /**
   * The common options of {@link DeviceLoader} and {@link DjlDataset}. Not thread-safe.
   *
   * @param <B> the builder itself
   */
  public abstract static sealed class Options<B extends Options<B>>
      permits DeviceLoader.Builder, DjlDataset.Builder {

    private final List<Normalization> normalizations = new ArrayList<>();
    private BatchTransform transform;
    private int prefetch = DeviceGroup.Options.DEFAULT_PREFETCH;
    private Supplier<Cuda> driver;

    Options() {}

    @SuppressWarnings("unchecked")
    private B self() {
      return (B) this;
    }

    /**
     * Adds a column of images that is copied to the device as bytes and becomes floats there. Call
     * this method once for each such column. Default: no column is converted.
     *
     * <p>The batch's column of floats is new memory with each {@link Transfer}, and the column of
     * bytes is closed. With {@link Transfer#VIEW} the batch keeps its host memory, since the other
     * columns are views of it.
     *
     * <p>{@code next()} throws {@link IllegalArgumentException} and closes the batch if the batch
     * has no such column, or the column has another type, rank or number of channels.
     */
    public B normalizeOnDevice(Normalization normalization) {
      normalizations.add(Objects.requireNonNull(normalization, "normalization"));
      return self();
    }

    /**
     * Sets the transform of each batch on the device, after {@link #normalizeOnDevice}: {@code
     * MixUp}, {@code CutMix}, {@code RandomErasing.onBatches}, {@code BatchTransform.oneOf}, and
     * any transform that changes rows only by the methods of {@link BatchTransform.MutableBatch}.
     * If the loader itself has no transform of batches, this transform draws the same random
     * numbers as it would in the loader, and makes the same batches, up to rounding. Labels become
     * probabilities. Default: no transform.
     *
     * <p>The GPU carries out the transform in its computing stream; the consumer does not wait for
     * it. Rows are mixed across devices: a row's neighbor may be on another device. For a label
     * that is not a class, the CPU throws an error that names the label; a GPU reports an error of
     * CUDA.
     *
     * <p>{@code next()} throws {@link IllegalArgumentException} if the batch has no such column, or
     * the column has another type or shape, and {@link UnsupportedOperationException} if the
     * transform asks for host memory. The batch is then closed.
     */
    public B transformOnDevice(BatchTransform transform) {
      this.transform = Objects.requireNonNull(transform, "transform");
      return self();
    }

    /**
     * Sets the largest number of batches that are on the GPU, or being copied to the GPU, before
     * the consumer takes them. The GPU keeps memory for this number of batches, in addition to the
     * open batches. Default 2, so that one batch is copied while another is used. The consumer
     * waits for the GPU once it is this number of batches plus two ahead of the GPU. Without effect
     * unless the transfer is {@link Transfer#STREAM}.
     *
     * @param batches 1 or more
     */
    public B prefetchToDevice(int batches) {
      this.prefetch = batches;
      return self();
    }

    B driver(Supplier<Cuda> driver) {
      this.driver = driver;
      return self();
    }

    DeviceGroup.Options options(List<String> columns) {
      return new DeviceGroup.Options(columns, normalizations, transform, prefetch, driver);
    }
  }

  /** The options of a device loader. Not thread-safe. */
  public static final class Builder extends Options<Builder> {
    private final DataLoader<?> loader;
    private Device device;
    private NDManager manager;
    private List<String> columns = List.of();

    private Builder(DataLoader<?> loader) {
      this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * Sets the device, used by DJL's default engine. Default, without a manager: DJL's default
     * device, a GPU if DJL finds one.
     */
    public Builder device(Device device) {
      this.device = Objects.requireNonNull(device, "device");
      return this;
    }

    /**
     * Sets the manager that the arrays are attached to, instead of a device; the arrays are on the
     * manager's device.
     */
    public Builder manager(NDManager manager) {
      this.manager = Objects.requireNonNull(manager, "manager");
      return this;
    }

    /**
     * Sets the tensors to copy to the device, in this order. Default: all tensors. {@link
     * DeviceBatch#values} are not affected.
     *
     * @param columns one or more names
     * @throws IllegalArgumentException if no name is given
     */
    public Builder columns(String... columns) {
      this.columns = List.of(columns);
      if (this.columns.isEmpty()) {
        throw new IllegalArgumentException("columns must be one or more names, were none");
      }
      return this;
    }

    /**
     * Checks that the device works, and builds the device loader, which the caller closes.
     *
     * @throws IllegalArgumentException if both a device and a manager are given, a number is out of
     *     its range, or a normalized column comes twice or is not among {@link #columns}
     * @throws IllegalStateException if the engine cannot use the device
     */
    public DeviceLoader build() {
      if (device != null && manager != null) {
        throw new IllegalArgumentException(
            "device(%s) and manager(%s) exclude each other; a manager has a device"
                .formatted(device, manager.getDevice()));
      }
      DeviceGroup.Options group = options(columns);
      if (manager != null) {
        return open(manager, false, group);
      }
      NDManager own = Devices.newBaseManager(device);
      try {
        return open(own, true, group);
      } catch (Throwable failure) {
        own.close();
        throw failure;
      }
    }

    private DeviceLoader open(NDManager owner, boolean owned, DeviceGroup.Options options) {
      DeviceGroup group = DeviceGroup.open(loader, List.of(owner), options);
      return new DeviceLoader(group, owner, owned, options.normalizations());
    }
  }

  /** The way in which batches get from host memory to their device. */
  public enum Transfer {
    /**
     * No copy: a batch's arrays are views of its slot, the host memory that the batch keeps until
     * it is closed. Used for the CPU.
     */
    VIEW,

    /**
     * A copy by DJL in the consumer's thread, which waits for it. The batch's host memory returns
     * to the loader as soon as the copy is made.
     */
    COPY,

    /**
     * A copy by a CUDA stream that only copies, ahead of the consumer, while the GPU computes. Only
     * the GPU waits for a copy. The batch's host memory returns to the loader when the copy is
     * done. Used for a GPU of DJL's PyTorch engine.
     */
    STREAM
  }
}
