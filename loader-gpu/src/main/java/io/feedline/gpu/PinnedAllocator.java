package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.batch.HostAllocator;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.PinnedMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An allocator of page-locked (pinned) memory for a loader's batches. Workers decode into this
 * memory, and a GPU copies directly from it, without a copy by the driver in between. Like
 * PyTorch's {@code pin_memory=True}, but without the copy into pinned memory.
 *
 * <pre>{@code
 * try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
 *     DataLoader<LabeledImage> host = DataLoader.builder(dataset).allocator(pinned).build();
 *     DeviceLoader loader = DeviceLoader.of(host, Device.gpu(0))) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Other programs of the machine cannot use page-locked memory, so there is a {@linkplain
 * Builder#budget budget}. The allocator returns ordinary direct memory, which works but is slower,
 * if the system refuses page-locked memory, the budget is used up, or there is no driver. A warning
 * and {@link #fallback} then name the reason; {@link #pinnedBytes} and {@link #pageableBytes} count
 * the bytes in use.
 *
 * <p>All GPUs can copy from the memory, not only the GPU that the allocator was made for. The
 * caller that made the allocator closes it, before or after the loader: memory in use stays valid
 * until the loader returns it.
 *
 * <p>Returned memory is unlocked and freed at once. So a read of a closed batch's view may crash
 * the process, whereas ordinary memory would show another batch's content. The driver needs some
 * tenths of a millisecond per megabyte to lock or unlock pages. A loader allocates when a slot (the
 * memory of a batch) is first used, and when a batch is larger than all earlier batches in the
 * slot. The slot then grows by at least half, so this happens only a few times for each slot.
 *
 * <p>Thread-safe. The driver is called without the lock, so a thread waits for its own memory only.
 */
public final class PinnedAllocator implements HostAllocator, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedAllocator.class);

  private final Device device;
  private final long budget;

  /**
   * The GPU's context; null without a driver. Closed when the allocator is closed and all memory
   * has been returned.
   */
  private final CudaContext context;

  // Guarded by this.

  /** The bytes that are locked, or that a thread is about to lock or unlock. */
  private long pinnedBytes;

  private long pageableBytes;
  private String fallback;
  private boolean unlockingFailed;
  private boolean closed;

  private PinnedAllocator(Builder builder) {
    this.device = builder.device;
    this.budget = builder.budget;
    this.context = context(builder.driver);
  }

  private CudaContext context(Supplier<Cuda> driver) {
    if (!device.isGpu()) {
      fallBack(device + " is not a GPU");
      return null;
    }
    try {
      return driver.get().context(device.getDeviceId());
    } catch (CudaException | LinkageError e) {
      fallBack(e.getMessage());
      return null;
    }
  }

  /** Returns an allocator for a GPU, without a budget. Never fails: see {@link #fallback}. */
  public static PinnedAllocator of(Device device) {
    return builder(device).build();
  }

  /**
   * Returns a builder of allocators.
   *
   * @param device the GPU whose driver locks the pages; if it is not a GPU, all memory is ordinary
   *     memory
   */
  public static Builder builder(Device device) {
    return new Builder(device);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the allocator is closed, before or during the call
   */
  @Override
  public HostMemory allocate(int bytes) {
    PinnedMemory block = reserve(bytes) ? lockPages(bytes) : null;
    return block == null ? pageable(bytes) : new Lent(block::buffer, () -> unlock(block));
  }

  private HostMemory pageable(int bytes) {
    HostMemory memory = HostAllocator.direct().allocate(bytes);
    countPageable(bytes);
    return new Lent(
        memory::buffer,
        () -> {
          countPageable(-bytes);
          memory.close();
        });
  }

  /** Counts memory that is about to be locked; returns false if ordinary memory must be used. */
  private synchronized boolean reserve(int bytes) {
    requireOpen();
    if (context == null) {
      return false;
    }
    if (bytes > budget - pinnedBytes) {
      fallBack(
          "%d bytes more would exceed the budget of %d, of which %d are in use"
              .formatted(bytes, budget, pinnedBytes));
      return false;
    }
    pinnedBytes += bytes;
    return true;
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the pinned memory's allocator is closed");
    }
  }

  /** Allocates page-locked memory that {@link #reserve} has counted; null if the driver refuses. */
  private @Nullable PinnedMemory lockPages(int bytes) {
    PinnedMemory block = null;
    try {
      block = context.allocatePinned(bytes);
    } catch (CudaException e) {
      fallBack(e.getMessage());
      return null;
    } finally {
      if (block == null) {
        unreserve(bytes);
      }
    }
    try {
      requireOpen();
    } catch (IllegalStateException closedMeanwhile) {
      unlock(block);
      throw closedMeanwhile;
    }
    return block;
  }

  private void unlock(PinnedMemory block) {
    free(block::close);
    unreserve(block.bytes());
  }

  private void unreserve(int bytes) {
    synchronized (this) {
      pinnedBytes -= bytes;
    }
    closeContextIfUnused();
  }

  /** Closes the context if the allocator is closed and no memory is locked. Thread-safe. */
  private void closeContextIfUnused() {
    synchronized (this) {
      if (!closed || context == null || pinnedBytes > 0) {
        return;
      }
    }
    free(context::close);
  }

  /** Frees a resource; logs an error of CUDA, because the calling loader must not fail. */
  private void free(Runnable resource) {
    try {
      resource.run();
    } catch (CudaException e) {
      warnOfWhatStaysLocked(e.getMessage());
    }
  }

  private synchronized void warnOfWhatStaysLocked(String reason) {
    if (!unlockingFailed) {
      unlockingFailed = true;
      LOG.warn("what was locked for {} stays so until the process ends: {}", device, reason);
    }
  }

  private synchronized void fallBack(String reason) {
    if (fallback == null) {
      fallback = reason;
      LOG.warn("batches for {} go to pageable memory, which is slower: {}", device, reason);
    }
  }

  /** Returns whether all memory allocated so far was page-locked. */
  public boolean pinned() {
    return fallback().isEmpty();
  }

  /** Returns the reason why some memory was not page-locked; empty if all was page-locked. */
  public synchronized Optional<String> fallback() {
    return Optional.ofNullable(fallback);
  }

  /** Returns the bytes of page-locked memory in use. */
  public synchronized long pinnedBytes() {
    return pinnedBytes;
  }

  /** Returns the bytes of ordinary memory in use. */
  public synchronized long pageableBytes() {
    return pageableBytes;
  }

  private synchronized void countPageable(int bytes) {
    pageableBytes += bytes;
  }

  /** Returns the largest number of bytes that are page-locked at a time. */
  @Override
  public long budget() {
    return budget;
  }

  /**
   * Ends the allocation, and releases the driver when all memory has been returned. Never fails:
   * memory that cannot be freed after an error of CUDA is freed when the process ends, and a
   * warning is logged. May be called twice; {@link #allocate} afterwards throws {@link
   * IllegalStateException}.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    closeContextIfUnused();
  }

  @Override
  public synchronized String toString() {
    return "PinnedAllocator(%s, %d bytes pinned%s)"
        .formatted(
            device,
            pinnedBytes,
            pageableBytes == 0 ? "" : ", %d pageable".formatted(pageableBytes));
  }

  /** A block of page-locked or ordinary memory, which is freed once. */
  private static final class Lent implements HostMemory {
    private final Supplier<ByteBuffer> buffer;
    private final Runnable release;
    private final AtomicBoolean given = new AtomicBoolean();

    Lent(Supplier<ByteBuffer> buffer, Runnable release) {
      this.buffer = buffer;
      this.release = release;
    }

    @Override
    public ByteBuffer buffer() {
      return buffer.get();
    }

    @Override
    public void close() {
      if (!given.getAndSet(true)) {
        release.run();
      }
    }
  }

  /** The options of an allocator. Not thread-safe. */
  public static final class Builder {
    private final Device device;
    private long budget = Long.MAX_VALUE;
    private Supplier<Cuda> driver = Cuda::load;

    private Builder(Device device) {
      this.device = Objects.requireNonNull(device, "device");
    }

    /**
     * Sets the largest number of bytes that are page-locked at a time; memory beyond the budget is
     * ordinary memory. A slot whose batches vary in size takes up to 1.5 times the size of its
     * largest batch. Default: only the system's limit.
     *
     * @throws IllegalArgumentException if the budget is less than 1
     */
    public Builder budget(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("budget must be 1 byte or more, was " + bytes);
      }
      this.budget = bytes;
      return this;
    }

    Builder driver(Supplier<Cuda> driver) {
      this.driver = driver;
      return this;
    }

    /** Builds the allocator. Without a driver or GPU, it will return ordinary memory. */
    public PinnedAllocator build() {
      return new PinnedAllocator(this);
    }
  }
}
