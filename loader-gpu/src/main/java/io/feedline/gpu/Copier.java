package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.data.LoaderException;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.internal.Closing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The copying thread of a {@link CudaFeed}: takes batches from the loader, copies them into the
 * {@link CopyRing} of each GPU, and hands them to the consumer as {@link Arrival}s.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>One thread</b> serves all GPUs: a batch needs a dozen calls of the driver, which do not
 * wait for the GPU.
 *
 * <p><b>Host memory.</b> A batch returns to the loader when its copies are done. The thread waits
 * for these copies only after it has put the next batch's copies into the stream, so that the
 * stream always has work. It waits at once if the loader allows only one open batch. Otherwise the
 * last batch stays open while the thread waits for the loader or for a slot.
 *
 * <p><b>Leaving an epoch.</b> {@link #leave} interrupts the thread, which may be waiting for a
 * batch, a slot or the consumer. A loader without workers loads in this thread. The thread then
 * finishes its batch and is not interrupted, since an interrupt would close the dataset's files.
 *
 * <p><b>Failures.</b> The failure of a batch arrives in the batch's place, and the epoch continues
 * when the consumer has received the failure. A failure of CUDA ends all copying, because the
 * results of the streams can no longer be trusted. The loader's timeout applies to the consumer
 * only; the copying thread ignores a timeout.
 *
 * <p>{@link #begin}, {@link #leave} and {@link #close} are called by the consumer's thread.
 */
final class Copier implements AutoCloseable {

  private final DataLoader<?> loader;
  private final List<CopyRing> rings;
  private final List<String> columns;
  private final CopyMeter meter;
  private final BlockingQueue<Arrival> arrivals;
  private final BlockingQueue<Pass> passes = new ArrayBlockingQueue<>(1);
  private final Thread thread;

  /** The current epoch; null between two epochs. */
  private @Nullable Pass current;

  private volatile Throwable broken;
  private volatile boolean closing;

  // Used by the copying thread only.
  private Arrival.Loaded underWay;

  /**
   * @param rings one for each GPU; the caller closes them
   * @param columns the tensors to copy, or empty for all
   * @param slots the number of slots of each ring
   */
  Copier(
      DataLoader<?> loader,
      List<CopyRing> rings,
      List<String> columns,
      int slots,
      CopyMeter meter) {
    this.loader = loader;
    this.rings = rings;
    this.columns = columns;
    this.meter = meter;
    // Each queued batch has a slot; one more element is for a failure or the end.
    this.arrivals = new ArrayBlockingQueue<>(slots + 1);
    this.thread = new Thread(this::run, "feedline-%s-copy".formatted(loader.options().name()));
    thread.setDaemon(true);
    thread.start();
  }

  BlockingQueue<Arrival> arrivals() {
    return arrivals;
  }

  /** Returns the failure that ended all copying; null if there was none. */
  @Nullable Throwable broken() {
    return broken;
  }

  void breakDown(Throwable failure) {
    broken = failure;
  }

  /** Begins an epoch; the caller must have ended the earlier epoch by {@link #leave}. */
  void begin(BatchIterator batches) {
    current = new Pass(batches);
    passes.add(current);
  }

  /**
   * Ends the current epoch, if any, and drops the batches that have arrived. When this method
   * returns, the copying thread no longer uses the loader.
   */
  void leave() {
    if (current != null) {
      current.cancel();
      current = null;
      for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
        if (arrival instanceof Arrival.Loaded loaded) {
          giveBack(loaded.parts());
        }
      }
    }
  }

  /** Ends the copying thread, so that the rings may be closed. May be called twice. */
  @Override
  public void close() {
    leave();
    closing = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the copying thread -------------------------------------------------------------------

  private void run() {
    while (!closing) {
      try {
        run(passes.take());
      } catch (InterruptedException e) {
        // The copier is closed, and the loop ends. Any other interrupt is ignored.
      }
    }
  }

  private void run(Pass pass) {
    pass.start();
    meter.began(rings.size());
    try {
      copy(pass);
    } finally {
      meter.ended();
      pass.finish();
    }
  }

  private void copy(Pass pass) {
    try {
      boolean more = true;
      while (more && broken == null) {
        more = copyNext(pass);
      }
    } catch (InterruptedException e) {
      if (!pass.cancelled()) {
        fail(pass, new IllegalStateException("the copying thread was interrupted from outside", e));
      } else if (e.getSuppressed().length > 0) {
        fail(pass, e.getSuppressed()[0]);
      }
    } catch (Throwable failure) {
      fail(pass, failure);
    } finally {
      try {
        settle();
      } catch (Throwable failure) {
        fail(pass, failure);
      }
    }
  }

  private void fail(Pass pass, Throwable failure) {
    if (broken == null) {
      broken = failure;
      arrivals.add(new Arrival.Failed(failure, pass.state(), true, new CountDownLatch(1)));
    }
  }

  /** Copies the next batch, if any; returns false at the end of the epoch. */
  private boolean copyNext(Pass pass) throws InterruptedException {
    if (loader.options().maxOpenBatches() == 1) {
      settle();
    }
    Arrival.Loaded loaded = null;
    try {
      Batch host = pass.next();
      if (host != null) {
        loaded = put(pass, host);
      }
    } catch (CudaException failure) {
      throw failure;
    } catch (RuntimeException | Error failure) {
      settle();
      CountDownLatch told = new CountDownLatch(1);
      arrivals.add(new Arrival.Failed(failure, pass.state(), false, told));
      told.await();
      return true;
    }
    if (loaded == null) {
      settle();
      arrivals.add(new Arrival.End(pass.state()));
      return false;
    }
    arrivals.add(loaded);
    Arrival.Loaded previous = underWay;
    underWay = loaded;
    if (previous != null) {
      settle(previous);
    }
    return true;
  }

  /** Puts a batch's copies into the streams; closes the batch if that fails. */
  private Arrival.Loaded put(Pass pass, Batch host) throws InterruptedException {
    List<Arrival.Part> parts = new ArrayList<>();
    try {
      List<DeviceRows> shares = DeviceRows.share(host.size(), rings.size());
      for (int device = 0; device < shares.size(); device++) {
        CopyRing ring = rings.get(device);
        DeviceRows rows = shares.get(device);
        List<Arrival.Column> taken = columns(host, rows);
        List<CopyRing.Source> sources = sources(host, rows, taken);
        DeviceSlot slot = take(ring);
        parts.add(new Arrival.Part(rows, taken, slot, ring.pinnedBytes(sources)));
        long begin = meter.nanoTime();
        slot.copyBegun = begin;
        ring.copy(slot, sources);
        slot.copyingNanos = meter.nanoTime() - begin;
        meter.heldUp(slot.copyingNanos, meter.expectedNanos(slot.bytes()));
      }
      return new Arrival.Loaded(host, parts, pass.state());
    } catch (Throwable failure) {
      if (!parts.isEmpty()) {
        drain(failure);
      }
      giveBack(parts);
      host.close();
      throw failure;
    }
  }

  /** Takes a free slot of a ring, and waits until the slot's last copy is done. */
  private DeviceSlot take(CopyRing ring) throws InterruptedException {
    DeviceSlot slot = ring.take();
    if (underWay != null && uses(underWay, slot)) {
      settle();
    }
    return slot;
  }

  private static boolean uses(Arrival.Loaded batch, DeviceSlot slot) {
    return batch.parts().stream().anyMatch(part -> part.slot() == slot);
  }

  private List<Arrival.Column> columns(Batch host, DeviceRows rows) {
    List<Arrival.Column> taken = new ArrayList<>();
    for (String name : columns.isEmpty() ? host.tensors().keySet() : columns) {
      Tensor tensor = host.tensor(name);
      taken.add(new Arrival.Column(name, tensor.dtype(), rows.shape(tensor, host, name)));
    }
    return taken;
  }

  private static List<CopyRing.Source> sources(
      Batch host, DeviceRows rows, List<Arrival.Column> taken) {
    List<CopyRing.Source> sources = new ArrayList<>();
    for (Arrival.Column column : taken) {
      ByteBuffer bytes = rows.bytes(host.tensor(column.name()), host);
      sources.add(new CopyRing.Source(CudaContext.address(bytes), bytes.capacity()));
    }
    return sources;
  }

  private void giveBack(List<Arrival.Part> parts) {
    for (int device = 0; device < parts.size(); device++) {
      rings.get(device).giveBack(parts.get(device).slot());
    }
  }

  /** Waits until the copies under way are done, and closes the batch that they read. */
  private void settle() {
    Arrival.Loaded batch = underWay;
    underWay = null;
    if (batch != null) {
      settle(batch);
    }
  }

  private void settle(Arrival.Loaded batch) {
    try {
      for (int device = 0; device < batch.parts().size(); device++) {
        Arrival.Part part = batch.parts().get(device);
        long begin = meter.nanoTime();
        float millis = rings.get(device).awaitCopied(part.slot());
        meter.heldUp(meter.nanoTime() - begin, (long) (millis * 1e6));
        meter.copied(part.slot().bytes(), part.pinnedBytes(), millis);
        record(rings.get(device), batch.host(), part.slot(), (long) (millis * 1e6));
      }
    } catch (Throwable failure) {
      drain(failure);
      throw failure;
    } finally {
      batch.host().close();
    }
  }

  private void record(CopyRing ring, Batch batch, DeviceSlot slot, long took) {
    String device = Device.gpu(ring.context().ordinal()).toString();
    CopyEvents.copied(loader.options().name(), device, batch, slot.bytes(), slot.copyBegun, took);
  }

  /** Waits for all copies, because the batches that they read are about to return to the loader. */
  private void drain(Throwable failure) {
    rings.forEach(ring -> Closing.afterFailure(failure, ring::drain));
  }

  // ---- an epoch -----------------------------------------------------------------------------

  /** An epoch in the copying thread. The consumer interrupts the thread only to end the epoch. */
  private final class Pass {

    private enum Stage {
      AHEAD,
      LOADING,
      COPYING,
      OVER
    }

    private final BatchIterator batches;
    private final boolean loadsHere = loader.options().numWorkers() == 0;
    private Stage stage = Stage.AHEAD;
    private boolean cancelled;

    Pass(BatchIterator batches) {
      this.batches = batches;
    }

    LoaderState state() {
      return batches.state();
    }

    /**
     * Marks the copying thread as busy with this pass. If the pass is cancelled already, {@link
     * #next} throws.
     */
    synchronized void start() {
      stage = Stage.COPYING;
    }

    /** Returns the loader's next batch; null at the end of the epoch. */
    @Nullable Batch next() throws InterruptedException {
      begin();
      meter.loading();
      try {
        return read();
      } catch (RuntimeException | Error failure) {
        if (cancelled()) {
          throw new InterruptedException("the epoch was left");
        }
        throw failure;
      } finally {
        meter.loaded();
        end();
      }
    }

    private Batch read() {
      while (true) {
        try {
          if (batches.hasNext()) {
            return batches.next();
          }
          if (batches.remaining().orElse(0) > 0) {
            throw new IllegalStateException(
                "epoch %d of %s is over: the loader has begun another, or is closed"
                    .formatted(batches.epoch(), loader));
          }
          return null;
        } catch (LoaderException e) {
          if (e.stage() != LoaderException.Stage.WAIT || cancelled()) {
            throw e;
          }
          // The thread ignores timeouts, and an interrupt that a sample's code left set.
          Thread.interrupted();
        }
      }
    }

    private synchronized void begin() throws InterruptedException {
      if (cancelled) {
        throw new InterruptedException("the epoch was left");
      }
      stage = Stage.LOADING;
    }

    private synchronized void end() {
      stage = Stage.COPYING;
      if (cancelled) {
        // The interrupt ends any other wait of the thread.
        thread.interrupt();
      } else {
        // Code of a sample may have left an interrupt set, which this thread ignores.
        Thread.interrupted();
      }
    }

    private synchronized boolean cancelled() {
      return cancelled;
    }

    /** Marks this pass as over, with no batch open, and clears the copying thread's interrupt. */
    synchronized void finish() {
      stage = Stage.OVER;
      Thread.interrupted();
      notifyAll();
    }

    /**
     * Cancels this pass, and waits until the copying thread has left it. Called by the consumer.
     */
    synchronized void cancel() {
      cancelled = true;
      if (stage == Stage.COPYING || (stage == Stage.LOADING && !loadsHere)) {
        thread.interrupt();
      }
      boolean interrupted = false;
      while (stage != Stage.OVER) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
