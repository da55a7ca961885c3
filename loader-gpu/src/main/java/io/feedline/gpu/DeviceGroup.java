package io.feedline.gpu;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDManager;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderOptions;
import io.feedline.LoaderState;
import io.feedline.batch.BatchTransform;
import io.feedline.data.LoaderException;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.internal.Closing;
import io.feedline.sampler.WorldInfo;
import io.feedline.transform.SampleRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of devices that share a loader's batches: the common part of {@link DeviceLoader}, for
 * one device, and {@link DjlDataset}, for a trainer's devices. Closing the first device's manager
 * closes the group.
 */
final class DeviceGroup implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DeviceGroup.class);

  /**
   * @param columns the names of the tensors to copy; empty: all tensors
   * @param driver for tests: the group uses a {@link CudaFeed} with this driver; null: the group
   *     uses a {@link CudaFeed} if all devices are GPUs of PyTorch
   */
  record Options(
      List<String> columns,
      List<Normalization> normalizations,
      @Nullable BatchTransform transform,
      int prefetch,
      @Nullable Supplier<Cuda> driver) {

    /** The default of {@code prefetch}, in batches: one is copied while another is read. */
    static final int DEFAULT_PREFETCH = 2;

    Options {
      columns = List.copyOf(columns);
      normalizations = List.copyOf(normalizations);
      if (prefetch < 1) {
        throw new IllegalArgumentException(
            "prefetchToDevice must be 1 batch or more, was " + prefetch);
      }
      Normalizer.check(normalizations, columns);
    }
  }

  private final DataLoader<?> loader;
  private final List<NDManager> managers;
  private final Feed feed;
  private final List<Normalizer> normalizers;
  private final @Nullable BatchTransform transform;
  private final String uid = UUID.randomUUID().toString();
  private final AtomicBoolean closed = new AtomicBoolean();

  private DeviceGroup(
      DataLoader<?> loader,
      List<NDManager> managers,
      Feed feed,
      List<Normalizer> normalizers,
      @Nullable BatchTransform transform) {
    this.loader = loader;
    this.managers = managers;
    this.feed = feed;
    this.normalizers = normalizers;
    this.transform = transform;
  }

  /**
   * @param managers one for each device, of one engine; the batches are attached to them, and the
   *     caller closes them
   * @throws IllegalStateException if the engine cannot use a device
   */
  static DeviceGroup open(DataLoader<?> loader, List<NDManager> managers, Options options) {
    managers.forEach(Devices::require);
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      List<Normalizer> normalizers = new ArrayList<>();
      if (!options.normalizations().isEmpty()) {
        for (NDManager manager : managers) {
          Normalizer normalizer = new Normalizer(manager, options.normalizations());
          opened.add(0, normalizer);
          normalizers.add(normalizer);
        }
      }
      Feed feed = feed(loader, managers, options);
      opened.add(0, feed);
      DeviceGroup group = new DeviceGroup(loader, managers, feed, normalizers, options.transform());
      managers.get(0).attachUncappedInternal(group.uid, group);
      return group;
    } catch (Throwable failure) {
      Closing.afterFailure(failure, opened.toArray(AutoCloseable[]::new));
      throw failure;
    }
  }

  private static Feed feed(DataLoader<?> loader, List<NDManager> managers, Options options) {
    if (options.driver() == null && !onGpusOfPyTorch(managers)) {
      return new DjlFeed(loader, managers, options.columns(), Optional.empty());
    }
    try {
      Cuda cuda = options.driver() == null ? Cuda.load() : options.driver().get();
      Feed feed = new CudaFeed(cuda, loader, managers, options.columns(), options.prefetch());
      LOG.info(
          "batches of {} go to {} through a stream of their own, {} ahead",
          loader,
          Devices.names(managers),
          options.prefetch());
      return feed;
    } catch (CudaException | EngineException | LinkageError | IllegalStateException e) {
      LOG.warn(
          "batches of {} go to {} by copies that training waits for: {}",
          loader,
          Devices.names(managers),
          e.getMessage());
      return new DjlFeed(loader, managers, options.columns(), Optional.of(e.getMessage()));
    }
  }

  private static boolean onGpusOfPyTorch(List<NDManager> managers) {
    return managers.stream()
        .allMatch(
            manager ->
                manager.getDevice().isGpu()
                    && manager.getEngine().getEngineName().equals("PyTorch"));
  }

  /**
   * @param epoch begins an epoch of the loader; called after the feed has left the epoch before
   */
  Iterator<List<DeviceBatch>> iterator(Supplier<BatchIterator> epoch) {
    check();
    feed.stop();
    BatchIterator host = epoch.get();
    Iterator<List<DeviceBatch>> arrived = feed.epoch(host);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        check();
        return arrived.hasNext();
      }

      @Override
      public List<DeviceBatch> next() {
        check();
        List<DeviceBatch> parts = arrived.next();
        return finished(parts, host.dataset());
      }
    };
  }

  private List<DeviceBatch> finished(List<DeviceBatch> parts, String dataset) {
    try {
      for (int device = 0; !normalizers.isEmpty() && device < parts.size(); device++) {
        DeviceBatch part = parts.get(device);
        part.replace(normalizers.get(device).apply(part.tensors(), part.manager()));
      }
      if (transform != null) {
        transform(new DeviceMutableBatch(parts), dataset);
      }
      return parts;
    } catch (Throwable failure) {
      parts.forEach(DeviceBatch::close);
      throw failure;
    }
  }

  /** Applies the transform with the random numbers that it would draw in the loader. */
  private void transform(DeviceMutableBatch batch, String dataset) {
    LoaderOptions<?> options = loader.options();
    WorldInfo world = options.world();
    long global = batch.number() * world.worldSize() + world.rank();
    SampleRandom random = SampleRandom.ofBatch(options.seed(), batch.epoch(), global);
    try {
      // If the loader has a transform of batches too, the two draw different numbers.
      transform.apply(batch, options.batchTransform().isPresent() ? random.substream(0) : random);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw LoaderException.of(
          LoaderException.Stage.TRANSFORM,
          dataset,
          "batch %d of epoch %d on the device".formatted(batch.number(), batch.epoch()),
          e);
    }
  }

  void resume(LoaderState state) {
    check();
    feed.stop();
    loader.resume(state);
  }

  DataLoader<?> loader() {
    return loader;
  }

  DeviceStats stats() {
    return feed.stats();
  }

  boolean closed() {
    return closed.get();
  }

  private void check() {
    if (closed.get()) {
      throw new IllegalStateException("the device loader of " + loader + " is closed");
    }
  }

  /** Closes the feed and the devices' constants, but no batch. Any thread may call this. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    managers.get(0).detachInternal(uid);
    List<AutoCloseable> parts = new ArrayList<>(normalizers);
    parts.add(0, feed);
    Closing.all(parts.toArray(AutoCloseable[]::new));
    DeviceStats stats = feed.stats();
    if (stats.transfer() != Transfer.VIEW && stats.batches() > 0) {
      LOG.info("{} to {}: {}", loader, Devices.names(managers), stats);
    }
  }
}
