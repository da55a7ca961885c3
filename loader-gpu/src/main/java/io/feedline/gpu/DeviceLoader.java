package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.Epoch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A {@link DataLoader} seen from a device: its batches, epoch after epoch, as DJL's arrays.
 *
 * <pre>{@code
 * try (DataLoader<LabeledImage> host = DataLoader.builder(dataset).batchSize(128).build();
 *     DeviceLoader loader = DeviceLoader.of(host, trainer.getManager())) {
 *   for (DeviceBatch batch : loader) {
 *     try (batch) {
 *       NDArray predicted = predict(batch.tensor("image"));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #transfer} tells which way the batches take; on the CPU nothing is copied. An exception
 * from {@code next()} concerns one batch, as with the loader itself.
 *
 * <p>Owns its device side, and not the loader nor a manager that it was given. One thread at a time
 * iterates.
 */
public final class DeviceLoader implements Iterable<DeviceBatch>, AutoCloseable {

  private enum State {
    OPEN,
    CLOSED
  }

  private final DataLoader<?> loader;
  private final NDManager manager;
  private final boolean ownsManager;
  private final Feed feed;
  private final Optional<Normalizer> normalizer;
  private State state = State.OPEN;

  private DeviceLoader(
      DataLoader<?> loader,
      NDManager manager,
      boolean ownsManager,
      Feed feed,
      Optional<Normalizer> normalizer) {
    this.loader = loader;
    this.manager = manager;
    this.ownsManager = ownsManager;
    this.feed = feed;
    this.normalizer = normalizer;
  }

  /**
   * The loader's batches on a device of DJL's default engine.
   *
   * @throws IllegalStateException if the engine cannot use the device
   */
  public static DeviceLoader of(DataLoader<?> loader, Device device) {
    return builder(loader).device(device).build();
  }

  /**
   * The loader's batches on a manager's device; what is computed from them is the manager's as
   * well. The manager stays the caller's; if it is closed, so are the batches that are open.
   *
   * @throws IllegalStateException if the manager's engine cannot use its device
   */
  public static DeviceLoader of(DataLoader<?> loader, NDManager manager) {
    return builder(loader).manager(manager).build();
  }

  /** A builder of device loaders for a loader. */
  public static Builder builder(DataLoader<?> loader) {
    return new Builder(loader);
  }

  /**
   * Begins the loader's next epoch.
   *
   * @throws IllegalStateException if this or the loader is closed
   */
  @Override
  public Iterator<DeviceBatch> iterator() {
    check();
    return arrivals(loader.iterator());
  }

  /**
   * A certain epoch, to be iterated any number of times; {@link #iterator} then goes on with the
   * one after it.
   *
   * @param number 0 or more
   * @throws IllegalArgumentException if the number is negative
   */
  public Iterable<DeviceBatch> epoch(long number) {
    Epoch host = loader.epoch(number);
    return () -> {
      check();
      return arrivals(host.iterator());
    };
  }

  private Iterator<DeviceBatch> arrivals(BatchIterator host) {
    Iterator<DeviceBatch> arrived = feed.epoch(host);
    return normalizer.map(by -> normalized(arrived, by)).orElse(arrived);
  }

  private static Iterator<DeviceBatch> normalized(
      Iterator<DeviceBatch> arrived, Normalizer normalizer) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return arrived.hasNext();
      }

      @Override
      public DeviceBatch next() {
        DeviceBatch batch = arrived.next();
        try {
          batch.replace(normalizer.apply(batch.tensors(), batch.manager()));
          return batch;
        } catch (Throwable failure) {
          batch.close();
          throw failure;
        }
      }
    };
  }

  /** The number of batches of the next epoch; empty for a stream. */
  public OptionalLong size() {
    return loader.size();
  }

  /** The loader whose batches these are. */
  public DataLoader<?> loader() {
    return loader;
  }

  /** Where the arrays are. */
  public Device device() {
    return manager.getDevice();
  }

  /** What the batches' managers hang on. */
  NDManager manager() {
    return manager;
  }

  /** Which way the batches take. */
  public Transfer transfer() {
    return feed.transfer();
  }

  /** What is normalised on the device. Unmodifiable; empty if nothing is. */
  public List<Normalization> normalizations() {
    return normalizer.map(Normalizer::normalizations).orElse(List.of());
  }

  private void check() {
    if (state == State.CLOSED) {
      throw new IllegalStateException("the device loader of " + loader + " is closed");
    }
  }

  /**
   * Frees the device side. If this was made for a device rather than a manager, batches that are
   * open are closed with it. May be called twice; iterating afterwards throws {@link
   * IllegalStateException}.
   */
  @Override
  public void close() {
    if (state == State.OPEN) {
      state = State.CLOSED;
      try {
        feed.close();
      } finally {
        normalizer.ifPresent(Normalizer::close);
        if (ownsManager) {
          manager.close();
        }
      }
    }
  }

  /** For example {@code DeviceLoader(DataLoader(...), gpu(0), COPY)}. */
  @Override
  public String toString() {
    return "DeviceLoader(%s, %s, %s)".formatted(loader, device(), transfer());
  }

  /** The options of a device loader. */
  public static final class Builder {
    private final DataLoader<?> loader;
    private Device device;
    private NDManager manager;
    private List<String> columns = List.of();
    private final List<Normalization> normalizations = new ArrayList<>();

    private Builder(DataLoader<?> loader) {
      this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * The device, used by DJL's default engine. Default, without a manager: the device that DJL
     * takes by default, a GPU if it finds one.
     */
    public Builder device(Device device) {
      this.device = Objects.requireNonNull(device, "device");
      return this;
    }

    /** What the arrays hang on, instead of a device: it has one. */
    public Builder manager(NDManager manager) {
      this.manager = Objects.requireNonNull(manager, "manager");
      return this;
    }

    /**
     * The tensors to take to the device, in this order. Default: all of them. Values come with
     * every batch.
     *
     * @param columns one or more names
     */
    public Builder columns(String... columns) {
      this.columns = List.of(columns);
      if (this.columns.isEmpty()) {
        throw new IllegalArgumentException("columns must be one or more names, were none");
      }
      return this;
    }

    /**
     * Lets a column of pictures cross as bytes, and makes floats of it on the device. Once for each
     * such column. Default: all columns are given as they are.
     *
     * <p>The column that the batch then has is new memory, whatever the {@link Transfer}; its bytes
     * are gone. With {@link Transfer#VIEW} the batch keeps its slot nevertheless, since the other
     * columns are views of it.
     *
     * <p>{@code next()} throws {@link IllegalArgumentException} for a batch that has no such
     * column, or another type, rank or number of channels there; the batch is closed.
     */
    public Builder normalizeOnDevice(Normalization normalization) {
      normalizations.add(Objects.requireNonNull(normalization, "normalization"));
      return this;
    }

    /**
     * Makes the device loader, after trying whether the device works. Nothing is downloaded for
     * that.
     *
     * @throws IllegalArgumentException if both a device and a manager are given, or if a column is
     *     to be normalised twice or is not among those that are taken
     * @throws IllegalStateException if the engine cannot use the device
     */
    public DeviceLoader build() {
      if (device != null && manager != null) {
        throw new IllegalArgumentException(
            "device(%s) and manager(%s) exclude each other; a manager has a device"
                .formatted(device, manager.getDevice()));
      }
      Normalizer.check(normalizations, columns);
      if (manager != null) {
        return on(manager, false);
      }
      NDManager own = NDManager.newBaseManager(device);
      try {
        return on(own, true);
      } catch (Throwable failure) {
        own.close();
        throw failure;
      }
    }

    private DeviceLoader on(NDManager owner, boolean owned) {
      Devices.require(owner);
      Optional<Normalizer> normalizer =
          normalizations.isEmpty()
              ? Optional.empty()
              : Optional.of(new Normalizer(owner, normalizations));
      return new DeviceLoader(loader, owner, owned, new DjlFeed(owner, columns), normalizer);
    }
  }
}
