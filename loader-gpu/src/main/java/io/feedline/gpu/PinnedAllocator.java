package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.HostAllocator;
import io.feedline.gpu.cuda.Cuda;
import io.feedline.gpu.cuda.CudaContext;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.cuda.PinnedMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Page-locked memory for a loader's batches: workers decode into it, and a GPU copies out of it by
 * itself, without the driver's copy in between. PyTorch's {@code pin_memory=True}, but that nothing
 * is moved to pin it.
 *
 * <pre>{@code
 * try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
 *     DataLoader<LabeledImage> host = DataLoader.builder(dataset).allocator(pinned).build();
 *     DeviceLoader loader = DeviceLoader.of(host, Device.gpu(0))) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Page-locked memory is taken from all other programs of the machine, so there is a {@linkplain
 * Builder#budget budget}. Where the system gives none, or the budget is used up, or there is no
 * driver, the allocator gives ordinary direct memory instead: everything works, slower. It says so
 * once in a warning, and in {@link #fallback}; {@link #pinnedBytes} and {@link #pageableBytes} tell
 * what is in use.
 *
 * <p>The memory is good for all GPUs, whichever this was made for. Closed by its maker, in any
 * order with the loader: memory that is still in use then lives until the loader gives it back.
 *
 * <p>Thread-safe.
 */
public final class PinnedAllocator implements HostAllocator, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedAllocator.class);

  private final Device device;
  private final long budget;

  /** Null where there is no driver; closed with the last memory once the allocator is closed. */
  private CudaContext context;

  private long pinnedBytes;
  private long pageableBytes;
  private String fallback;
  private boolean toldOfRest;
  private boolean closed;

  private PinnedAllocator(Builder builder) {
    this.device = builder.device;
    this.budget = builder.budget;
    try {
      if (!device.isGpu()) {
        throw new IllegalArgumentException(device + " is not a GPU");
      }
      context = builder.driver.get().context(device.getDeviceId());
    } catch (CudaException | IllegalArgumentException e) {
      fallBack(e.getMessage());
    }
  }

  /** An allocator for a GPU, without a budget. Never fails: see {@link #fallback}. */
  public static PinnedAllocator of(Device device) {
    return builder(device).build();
  }

  /**
   * A builder of allocators.
   *
   * @param device the GPU whose driver locks the pages; with another device there is only ordinary
   *     memory
   */
  public static Builder builder(Device device) {
    return new Builder(device);
  }

  @Override
  public synchronized HostMemory allocate(int bytes) {
    if (closed) {
      throw new IllegalStateException("the pinned memory's allocator is closed");
    }
    if (context != null) {
      if (pinnedBytes + bytes > budget) {
        fallBack(
            "%d bytes more would exceed the budget of %d, of which %d are in use"
                .formatted(bytes, budget, pinnedBytes));
      } else {
        try {
          PinnedMemory memory = context.allocatePinned(bytes);
          pinnedBytes += bytes;
          return new Pinned(memory, bytes);
        } catch (CudaException e) {
          fallBack(e.getMessage());
        }
      }
    }
    HostMemory memory = HostAllocator.direct().allocate(bytes);
    pageableBytes += bytes;
    return new Pageable(memory, bytes);
  }

  private void fallBack(String reason) {
    if (fallback == null) {
      fallback = reason;
      LOG.warn("batches for {} go to pageable memory, which is slower: {}", device, reason);
    }
  }

  /** Whether everything that was asked for is page-locked so far. */
  public synchronized boolean pinned() {
    return fallback == null;
  }

  /** Why not everything is page-locked; empty if everything is. */
  public synchronized Optional<String> fallback() {
    return Optional.ofNullable(fallback);
  }

  /** The bytes of page-locked memory in use. */
  public synchronized long pinnedBytes() {
    return pinnedBytes;
  }

  /** The bytes of ordinary memory in use. */
  public synchronized long pageableBytes() {
    return pageableBytes;
  }

  /** The most bytes that are page-locked at a time. */
  public long budget() {
    return budget;
  }

  /**
   * Gives no more memory, and lets go of the driver when what it gave has come back. Does not fail:
   * after an error of CUDA that stays, what cannot be freed is the process's until its end, and a
   * warning says so. May be called twice.
   */
  @Override
  public synchronized void close() {
    closed = true;
    releaseIfUnused();
  }

  private void releaseIfUnused() {
    if (closed && pinnedBytes == 0 && context != null) {
      free(context::close);
      context = null;
    }
  }

  /** The loader gives memory back amid its own work, which a broken GPU must not upset. */
  private void free(Runnable resource) {
    try {
      resource.run();
    } catch (CudaException e) {
      if (!toldOfRest) {
        toldOfRest = true;
        LOG.warn(
            "what was locked for {} stays so until the process ends: {}", device, e.getMessage());
      }
    }
  }

  /** For example {@code PinnedAllocator(gpu(0), 231211008 bytes pinned)}. */
  @Override
  public synchronized String toString() {
    return "PinnedAllocator(%s, %d bytes pinned%s)"
        .formatted(
            device, pinnedBytes, pageableBytes == 0 ? "" : ", " + pageableBytes + " pageable");
  }

  private final class Pinned implements HostMemory {
    private final PinnedMemory memory;
    private final int bytes;
    private boolean freed;

    Pinned(PinnedMemory memory, int bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void close() {
      synchronized (PinnedAllocator.this) {
        if (!freed) {
          freed = true;
          pinnedBytes -= bytes;
          free(memory::close);
          releaseIfUnused();
        }
      }
    }
  }

  private final class Pageable implements HostMemory {
    private final HostMemory memory;
    private final int bytes;
    private boolean freed;

    Pageable(HostMemory memory, int bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void close() {
      synchronized (PinnedAllocator.this) {
        if (!freed) {
          freed = true;
          pageableBytes -= bytes;
          memory.close();
        }
      }
    }
  }

  /** The options of an allocator. */
  public static final class Builder {
    private final Device device;
    private long budget = Long.MAX_VALUE;
    private Supplier<Cuda> driver = Cuda::load;

    private Builder(Device device) {
      this.device = Objects.requireNonNull(device, "device");
    }

    /**
     * The most bytes that are page-locked at a time; what goes beyond is ordinary memory. Default:
     * no limit but the system's.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder budget(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("budget must be 1 byte or more, was " + bytes);
      }
      this.budget = bytes;
      return this;
    }

    /** The driver, for tests. */
    Builder driver(Supplier<Cuda> driver) {
      this.driver = driver;
      return this;
    }

    /** The allocator. Never fails where there is no driver or GPU: it falls back. */
    public PinnedAllocator build() {
      return new PinnedAllocator(this);
    }
  }
}
