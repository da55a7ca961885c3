package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderException;
import io.feedline.LoaderState;
import io.feedline.gpu.cuda.Cuda;
import io.feedline.gpu.cuda.CudaContext;
import io.feedline.gpu.cuda.CudaException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;

/**
 * The way to GPUs through a stream that only copies: a {@link Copier} reads the loader ahead and
 * fills the {@link CopyRing} of each GPU; the consumer, here, has the GPU copy each batch out of
 * its slot to new tensors, which are ordinary ones of the computing stream.
 *
 * <p>Owns copier, rings, contexts and the memory of the slots. Used by the consumer's thread, which
 * waits for batches to be under way and never for the GPU.
 */
final class CudaFeed implements Feed {

  private final DataLoader<?> loader;
  private final List<NDManager> managers;
  private final TorchAbi torch;
  private final List<CopyRing> rings;
  private final Copier copier;
  private final CopyMeter meter;

  /** What is closed in the end, in this order. */
  private final List<AutoCloseable> owned;

  /** The iterator of the epoch under way; null between two. */
  private Arrivals current;

  /** Where the loader stands behind the last batch that was taken; null before there was one. */
  private LoaderState taken;

  /** Whether CUDA has failed in the consumer's hands, so that what has arrived is not given. */
  private boolean refused;

  private boolean closed;

  private CudaFeed(
      DataLoader<?> loader,
      List<NDManager> managers,
      TorchAbi torch,
      List<CopyRing> rings,
      Copier copier,
      CopyMeter meter,
      List<AutoCloseable> owned) {
    this.loader = loader;
    this.managers = managers;
    this.torch = torch;
    this.rings = rings;
    this.copier = copier;
    this.meter = meter;
    this.owned = owned;
  }

  /**
   * Sets everything up that needs no batch.
   *
   * @param managers one for each GPU, of PyTorch's engine
   * @param columns the tensors to take, or empty for all
   * @param slots of each ring, 1 or more
   * @throws CudaException if a GPU cannot be used in this way
   * @throws UnsatisfiedLinkError if PyTorch's libraries are not as they should be
   */
  static CudaFeed open(
      Cuda cuda, DataLoader<?> loader, List<NDManager> managers, List<String> columns, int slots) {
    TorchAbi torch = TorchAbi.load();
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      List<CopyRing> rings = new ArrayList<>();
      for (NDManager manager : managers) {
        // A CPU has no number; with the tests' driver it is the first GPU.
        int ordinal = Math.max(0, manager.getDevice().getDeviceId());
        CudaContext context = cuda.context(ordinal);
        opened.add(0, context);
        // Not below the caller's manager, which may be closed while a copy is under way.
        NDManager memory = manager.getEngine().newBaseManager(manager.getDevice());
        opened.add(0, memory);
        CopyRing ring = new CopyRing(context, new TorchMemory(memory, torch, ordinal), slots);
        opened.add(0, ring);
        rings.add(ring);
      }
      CopyMeter meter = new CopyMeter();
      Copier copier = new Copier(loader, rings, columns, slots, meter);
      opened.add(0, copier);
      return new CudaFeed(loader, managers, torch, rings, copier, meter, opened);
    } catch (Throwable failure) {
      Closing.afterFailure(failure, opened.toArray(AutoCloseable[]::new));
      throw failure;
    }
  }

  @Override
  public Transfer transfer() {
    return Transfer.STREAM;
  }

  @Override
  public DeviceStats stats() {
    return meter.stats();
  }

  @Override
  public Iterator<List<DeviceBatch>> epoch(BatchIterator batches) {
    throwIfBroken();
    taken = loader.state();
    current = new Arrivals(batches);
    copier.begin(batches);
    return current;
  }

  @Override
  public void stop() {
    Arrivals left = current;
    current = null;
    copier.leave();
    if (left == null) {
      return;
    }
    left.giveBackHead();
    if (copier.broken() == null && isAheadOf(left)) {
      // What the loader does next must not depend on how far this epoch was read ahead.
      loader.resume(taken);
      loader.iterator().close();
    }
  }

  /**
   * Whether the loader has given batches that the consumer has not taken; or has found the end,
   * which the consumer has not, where that makes a difference to the next epoch.
   */
  private boolean isAheadOf(Arrivals left) {
    return !left.batches.remaining().equals(left.remaining)
        || loader.state().past() != taken.past();
  }

  @Override
  public LoaderState state() {
    return taken == null ? loader.state() : taken;
  }

  @Override
  public void resume(LoaderState state) {
    loader.resume(state);
    taken = null;
  }

  /** May be called twice. What was read ahead and not taken is lost to the loader's epoch. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    current = null;
    Throwable broken = copier.broken();
    try {
      Closing.all(owned.toArray(AutoCloseable[]::new));
    } catch (CudaException e) {
      // Once CUDA has failed for good, closing fails in the same way, and there is nothing to add.
      if (broken == null) {
        throw e;
      }
      broken.addSuppressed(e);
    }
  }

  private void throwIfBroken() {
    Throwable broken = copier.broken();
    if (broken != null) {
      throw new IllegalStateException(
          "nothing can be copied to %s any more: %s"
              .formatted(Devices.names(managers), broken.getMessage()),
          broken);
    }
  }

  // ---- the consumer -------------------------------------------------------------------------

  /** The batches of one epoch as they arrive. */
  private final class Arrivals implements Iterator<List<DeviceBatch>> {
    private final BatchIterator batches;

    /** How many batches are to come behind the one that was taken last, where that is known. */
    private OptionalLong remaining;

    /** What has arrived and has not been taken; null if nobody has looked yet. */
    private Arrival head;

    Arrivals(BatchIterator batches) {
      this.batches = batches;
      this.remaining = batches.remaining();
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
      head = null;
      taken = arrival.state();
      remaining = arrival.remaining();
      if (arrival instanceof Arrival.Failed failed) {
        failed.taken().countDown();
        throw rethrown(failed.failure());
      }
      return receive((Arrival.Loaded) arrival);
    }

    private Arrival head() {
      if (current != this) {
        throw new IllegalStateException(
            "this iterator of epoch %d is over: its loader is closed or has turned to another epoch"
                .formatted(batches.epoch()));
      }
      if (refused) {
        throwIfBroken();
      }
      if (head == null) {
        head = await();
        if (head instanceof Arrival.End) {
          taken = head.state();
        }
      }
      return head;
    }

    private Arrival await() {
      Arrival arrival = copier.arrivals().poll();
      if (arrival != null) {
        return arrival;
      }
      throwIfBroken();
      long loadNanos = meter.loadNanos();
      long begin = System.nanoTime();
      try {
        return copier.arrivals().take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw LoaderException.ofInterruptedWait(loader.options().name(), e);
      } finally {
        meter.waited(System.nanoTime() - begin, loadNanos);
      }
    }
  }

  /** Gives back the slots of a batch from a device on. */
  private void giveBack(Arrival.Loaded loaded, int from) {
    for (int device = from; device < loaded.parts().size(); device++) {
      rings.get(device).giveBack(loaded.parts().get(device).slot());
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
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
    CopyRing ring = rings.get(device);
    NDManager owner = null;
    boolean read = false;
    try {
      owner = managers.get(device).newSubManager();
      NDList arrays = new NDList();
      long[] targets = new long[part.columns().size()];
      for (int i = 0; i < targets.length; i++) {
        NDArray array = array(owner, part.columns().get(i));
        arrays.add(array);
        targets[i] = torch.address(array);
      }
      long computing = torch.currentStream(ring.context().ordinal());
      read = true;
      ring.read(part.slot(), computing, targets);
      return new DeviceBatch(loaded.host(), part.rows(), owner, arrays);
    } catch (Throwable failure) {
      if (failure instanceof CudaException) {
        refused = true;
        copier.breakDown(failure);
      }
      if (!read) {
        ring.giveBack(part.slot());
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
