package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.LoaderException;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.internal.Closing;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed of GPUs through streams that only copy. A {@link Copier} reads the loader's batches ahead
 * of the consumer and fills the {@link CopyRing} of each GPU. The consumer, in this class, has the
 * GPU copy each batch out of its slot to new, ordinary tensors of the computing stream.
 *
 * <p>Owns the copier, the rings, the contexts and the memory of the slots. Used by the consumer's
 * thread, which waits until the copies of a batch have been queued, not until they are done.
 */
final class CudaFeed implements Feed {

  private static final Logger LOG = LoggerFactory.getLogger(CudaFeed.class);

  private static final int TRIAL_BYTES = 256;

  /** The share of the epochs' time in which copies keep GPUs idle, above which a warning comes. */
  private static final double TOLERATED_STALL = 0.02;

  private record Gpu(NDManager manager, CopyRing ring, StallClock stalls) {}

  private final DataLoader<?> loader;
  private final String names;
  private final TorchAbi torch = TorchAbi.load();
  private final List<Gpu> gpus = new ArrayList<>();
  private final Copier copier;
  private final CopyMeter meter = new CopyMeter();
  private final DeviceStalls deviceStalls;

  /** The parts to close, in this order. */
  private final List<AutoCloseable> owned = new ArrayList<>();

  /** The iterator of the current epoch; null between two epochs. */
  private @Nullable Arrivals current;

  /** The consumer's last wait, whose batch is not known yet. */
  private Waited lastWait = new Waited(0, 0, 0);

  /** The failure after which no batch is delivered; null before. */
  private @Nullable Throwable over;

  /** A lock, held while a batch is received, an epoch begins or ends, or the feed is closed. */
  private final Object gate = new Object();

  private volatile boolean closed;

  private boolean warnedOfStalls;

  /**
   * @param managers one for each GPU
   * @param columns the names of the tensors to copy; empty: all tensors
   * @param slots the number of slots of each ring, 1 or more
   * @throws CudaException if CUDA refuses a GPU, or a stream on it for the copies
   * @throws LinkageError if PyTorch's libraries lack the expected functions
   * @throws IllegalStateException if a trial copy to a GPU and back changes the bytes
   */
  CudaFeed(
      Cuda cuda, DataLoader<?> loader, List<NDManager> managers, List<String> columns, int slots) {
    this.loader = loader;
    this.names = Devices.names(managers);
    this.deviceStalls = new DeviceStalls(loader);
    try {
      for (NDManager manager : managers) {
        gpus.add(open(cuda, manager, slots));
      }
      copier = new Copier(loader, gpus.stream().map(Gpu::ring).toList(), columns, slots, meter);
      owned.add(0, copier);
    } catch (Throwable failure) {
      Closing.afterFailure(failure, owned.toArray(AutoCloseable[]::new));
      throw failure;
    }
  }

  private Gpu open(Cuda cuda, NDManager manager, int slots) {
    int ordinal = ordinal(manager.getDevice());
    CudaContext context = cuda.context(ordinal);
    owned.add(0, context);
    // Not a child of the caller's manager, which may be closed while a copy is under way.
    NDManager memory = manager.getEngine().newBaseManager(manager.getDevice());
    owned.add(0, memory);
    CopyRing ring = new CopyRing(context, new TorchMemory(memory, torch, ordinal), slots);
    owned.add(0, ring);
    tryOut(ring, memory, torch);
    // A batch for which several GPUs wait counts as one stall.
    boolean counts = gpus.isEmpty();
    StallClock clock =
        new StallClock(
            context,
            (wait, idle) -> {
              if (counts && deviceStalls.isLong(idle)) {
                deviceStalls.add(wait);
              }
            });
    owned.add(0, clock);
    return new Gpu(manager, ring, clock);
  }

  /** Returns the number of a GPU; 0 for the CPU, which stands for a GPU in tests. */
  private static int ordinal(Device device) {
    return device.equals(Device.cpu()) ? 0 : device.getDeviceId();
  }

  /**
   * Copies some bytes to the GPU and back and compares them. The copies use addresses and streams
   * that PyTorch reports; a wrong address would make the batches garbage.
   */
  private static void tryOut(CopyRing ring, NDManager memory, TorchAbi torch) {
    ByteBuffer sent = ByteBuffer.allocateDirect(TRIAL_BYTES);
    for (int i = 0; i < TRIAL_BYTES; i++) {
      sent.put(i, (byte) (i * 31 + 7));
    }
    try (NDArray array = memory.create(new Shape(TRIAL_BYTES), DataType.UINT8)) {
      DeviceSlot slot = ring.poll();
      ring.copy(slot, List.of(new CopyRing.Source(CudaContext.address(sent), TRIAL_BYTES)));
      ring.awaitCopied(slot);
      ring.read(
          slot, torch.currentStream(ring.context().ordinal()), new long[] {torch.address(array)});
      ring.awaitRead(slot);
      if (!ByteBuffer.wrap(array.toByteArray()).equals(sent)) {
        throw new IllegalStateException(
            "%d bytes that were sent to %s on trial arrived as others"
                .formatted(TRIAL_BYTES, memory.getDevice()));
      }
    } finally {
      Reference.reachabilityFence(sent);
    }
  }

  @Override
  public DeviceStats stats() {
    return meter.stats(deviceStalls.snapshot());
  }

  @Override
  public Iterator<List<DeviceBatch>> epoch(BatchIterator batches) {
    synchronized (gate) {
      throwIfOver();
      batches.usedUpTo(batches.state());
      current = new Arrivals(batches);
      copier.begin(batches);
      return current;
    }
  }

  @Override
  public void stop() {
    synchronized (gate) {
      Arrivals left = current;
      current = null;
      copier.leave();
      if (over == null) {
        over = copier.broken();
      }
      if (left != null) {
        left.giveBackHead();
      }
    }
  }

  /** Closes the owned parts. May be called by any thread: a waiting consumer gets an exception. */
  @Override
  public void close() {
    synchronized (gate) {
      if (closed) {
        return;
      }
      closed = true;
      try {
        Closing.all(owned.toArray(AutoCloseable[]::new));
      } catch (CudaException e) {
        // After a lasting failure of CUDA, closing fails in the same way; the consumer has already
        // received that failure.
        if (over == null) {
          throw e;
        }
        LOG.debug("closing what goes to {} failed too", names, e);
      } finally {
        copier.arrivals().add(new Arrival.Closed());
      }
    }
  }

  private void throwIfOver() {
    if (closed) {
      throw new IllegalStateException("the device loader of " + loader + " is closed");
    }
    if (over != null) {
      throw new IllegalStateException(
          "nothing can be copied to %s any more: %s".formatted(names, over.getMessage()), over);
    }
  }

  private final class Arrivals implements Iterator<List<DeviceBatch>> {
    private final BatchIterator batches;

    /** The next element, as read by {@code hasNext}; null if it is not read yet. */
    private @Nullable Arrival head;

    Arrivals(BatchIterator batches) {
      this.batches = batches;
    }

    private void giveBackHead() {
      if (head instanceof Arrival.Loaded loaded) {
        giveBack(loaded, 0);
      }
    }

    @Override
    public boolean hasNext() {
      return !(head() instanceof Arrival.End);
    }

    @Override
    public List<DeviceBatch> next() {
      Arrival arrival = head();
      if (arrival instanceof Arrival.End) {
        throw new NoSuchElementException(
            "epoch %d of %s has no more batches".formatted(batches.epoch(), loader));
      }
      synchronized (gate) {
        throwIfOver();
        head = null;
        // The batch that a lasting failure of CUDA lost does not count as delivered: a new process
        // that resumes begins with this batch.
        if (arrival instanceof Arrival.Failed failed) {
          over = failed.last() ? failed.failure() : null;
          if (over == null) {
            batches.usedUpTo(failed.state());
          }
          failed.taken().countDown();
          throw failed.thrown();
        }
        Arrival.Loaded loaded = (Arrival.Loaded) arrival;
        try {
          return receive(loaded);
        } finally {
          if (over == null) {
            batches.usedUpTo(loaded.state());
          }
        }
      }
    }

    private Arrival head() {
      if (current != this) {
        throw new IllegalStateException(
            "this iterator of epoch %d is over: its loader has begun another epoch"
                .formatted(batches.epoch()));
      }
      throwIfOver();
      if (head == null) {
        head = await();
        if (head instanceof Arrival.End end) {
          batches.usedUpTo(end.state());
        }
      }
      return head;
    }

    private Arrival await() {
      BlockingQueue<Arrival> arrivals = copier.arrivals();
      Arrival arrival = arrivals.poll();
      if (arrival == null) {
        arrival = awaitArrival(arrivals);
      }
      if (arrival instanceof Arrival.Closed) {
        arrivals.add(arrival);
        throwIfOver();
      }
      return arrival;
    }

    private Arrival awaitArrival(BlockingQueue<Arrival> arrivals) {
      measureStalls();
      Duration timeout = loader.options().timeout().orElse(null);
      long loadNanos = meter.loadNanos();
      long heldUpNanos = meter.heldUpNanos();
      long begin = System.nanoTime();
      try {
        Arrival arrival =
            timeout == null
                ? arrivals.take()
                : arrivals.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (arrival == null) {
          throw LoaderException.ofTimeout(batches.dataset(), batches.epoch(), timeout);
        }
        if (!(arrival instanceof Arrival.Loaded)) {
          gpus.forEach(gpu -> gpu.stalls().cancel());
        }
        return arrival;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw LoaderException.ofInterruptedWait(batches.dataset(), e);
      } finally {
        long waited = System.nanoTime() - begin;
        long copying = Math.min(waited, meter.heldUpNanos() - heldUpNanos);
        lastWait = new Waited(waited, meter.waited(waited, loadNanos), copying);
      }
    }
  }

  /** A wait of the consumer before its batch is known; {@link DeviceStalls.Wait} adds the batch. */
  private record Waited(long nanos, long loadingNanos, long copyingNanos) {
    DeviceStalls.Wait of(Batch host) {
      return new DeviceStalls.Wait(host, nanos, loadingNanos, copyingNanos);
    }
  }

  /** Marks the beginning of a wait, and adds the stalls of former waits to the figures. */
  private void measureStalls() {
    synchronized (gate) {
      if (closed) {
        return;
      }
      for (Gpu gpu : gpus) {
        meter.stalled(gpu.stalls().waits(computing(gpu)));
      }
    }
    double share = meter.stalledShare();
    if (share > TOLERATED_STALL && meter.pageable() && !warnedOfStalls) {
      warnedOfStalls = true;
      LOG.warn(
          "{} stood still for {}% of the time while batches of {} were copied out of pageable"
              + " memory; DataLoaderBuilder.allocator(PinnedAllocator.of(device)) puts them into"
              + " pinned memory, which is copied while the GPU computes (if they have such an"
              + " allocator, its fallback() says why it gave none)",
          names, String.format(Locale.ROOT, "%.1f", 100 * share), loader);
    }
  }

  private long computing(Gpu gpu) {
    return torch.currentStream(gpu.ring().context().ordinal());
  }

  private void giveBack(Arrival.Loaded loaded, int from) {
    for (int device = from; device < loaded.parts().size(); device++) {
      gpus.get(device).ring().giveBack(loaded.parts().get(device).slot());
    }
  }

  private List<DeviceBatch> receive(Arrival.Loaded loaded) {
    List<DeviceBatch> parts = new ArrayList<>();
    int device = 0;
    try {
      while (device < loaded.parts().size()) {
        parts.add(receive(loaded, device++));
      }
    } catch (Throwable failure) {
      giveBack(loaded, device);
      parts.forEach(DeviceBatch::close);
      throw failure;
    }
    meter.delivered();
    return parts;
  }

  private DeviceBatch receive(Arrival.Loaded loaded, int device) {
    Arrival.Part part = loaded.parts().get(device);
    Gpu gpu = gpus.get(device);
    NDManager owner = null;
    boolean read = false;
    try {
      owner = gpu.manager().newSubManager();
      NDList arrays = new NDList();
      long[] targets = new long[part.columns().size()];
      for (int i = 0; i < targets.length; i++) {
        NDArray array = array(owner, part.columns().get(i));
        arrays.add(array);
        targets[i] = torch.address(array);
      }
      long computing = computing(gpu);
      gpu.stalls().resumes(computing, part.slot(), lastWait.of(loaded.host()));
      read = true;
      gpu.ring().read(part.slot(), computing, targets);
      return new DeviceBatch(loaded.host(), part.rows(), owner, arrays);
    } catch (Throwable failure) {
      if (failure instanceof CudaException) {
        over = failure;
        copier.breakDown(failure);
      }
      if (!read) {
        gpu.ring().giveBack(part.slot());
      }
      if (owner != null) {
        owner.close();
      }
      throw failure;
    }
  }

  private static NDArray array(NDManager owner, Arrival.Column column) {
    NDArray array =
        owner.create(new Shape(column.shape()), DataTypes.of(column.dtype(), column.name()));
    array.setName(column.name());
    return array;
  }
}
