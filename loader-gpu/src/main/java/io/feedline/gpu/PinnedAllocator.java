package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.HostAllocator;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.PinnedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
 * <h2>Memory that came back is given again</h2>
 *
 * <p>To lock and to unlock pages takes the driver some tenths of a millisecond for each megabyte,
 * in which other calls may have to wait; and a loader whose batches vary asks for a new block
 * whenever one is larger than its slot. So blocks have sizes that waste less than an eighth, or a
 * page, and one that comes back is {@linkplain #cachedBytes kept} for whoever asks for its size
 * next. That is PyTorch's {@code CachingHostAllocator}, with three differences:
 *
 * <ul>
 *   <li>Sizes are not powers of two, of which nearly half may be waste.
 *   <li>What is kept has a limit: it counts against the budget, and all that is locked is at most
 *       twice what was ever in use at once. What goes beyond is unlocked, the block first that was
 *       unused longest, before more is locked. And all of it is, before anything falls back to
 *       ordinary memory because the driver refuses.
 *   <li>No event tells when a copy out of a block is done, since none is under way: a loader gives
 *       memory back when its batch is closed, and whoever copies out of a batch closes it after
 *       that, as {@link DeviceLoader} does. To write to the next batch in the same slot has the
 *       same condition, so nothing is asked for that a loader does not ask for anyway.
 * </ul>
 *
 * <p>Thread-safe. Nobody waits for the driver who does not need it: it is called without the lock,
 * and to give memory back does not call it until the allocator is closed.
 */
public final class PinnedAllocator implements HostAllocator, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedAllocator.class);

  private final Device device;
  private final long budget;

  /** Null where there is no driver; closed with the last memory once the allocator is closed. */
  private final CudaContext context;

  /** Guards what follows; {@code unlocked} is signalled when {@link #leavingBytes} sink. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition unlocked = lock.newCondition();

  /** What nobody uses. */
  private final PinnedBlocks cache = new PinnedBlocks();

  /** What is in use, and what somebody is about to lock. */
  private long pinnedBytes;

  /** What is neither in use nor in the cache any more, but not yet unlocked. */
  private long leavingBytes;

  private long mostPinnedBytes;
  private long pageableBytes;
  private String fallback;
  private boolean toldOfRest;
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

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the allocator is closed, or is closed meanwhile
   */
  @Override
  public HostMemory allocate(int bytes) {
    PinnedMemory block = block(bytes);
    return block == null ? new Pageable(bytes) : new Pinned(block, bytes);
  }

  // ---- blocks -------------------------------------------------------------------------------

  /** A block for so many bytes, now in use; null if it is to be ordinary memory. */
  private PinnedMemory block(int bytes) {
    int size;
    lock.lock();
    try {
      requireOpen();
      if (context == null) {
        return null;
      }
      PinnedMemory kept = cache.take(bytes);
      if (kept != null) {
        pinnedBytes += kept.bytes();
        mostPinnedBytes = Math.max(mostPinnedBytes, pinnedBytes);
        return kept;
      }
      size = sizeWithinBudget(bytes);
      pinnedBytes += size;
    } finally {
      lock.unlock();
    }
    return size == 0 ? null : newBlock(size);
  }

  /** How much to lock: what fits no more in the size that blocks have may fit in its own. */
  private int sizeWithinBudget(int bytes) {
    long left = budget - pinnedBytes;
    int size = PinnedBlocks.sizeFor(bytes);
    if (size <= left) {
      return size;
    }
    if (bytes <= left) {
      return bytes;
    }
    fallBack(
        "%d bytes more would exceed the budget of %d, of which %d are in use"
            .formatted(bytes, budget, pinnedBytes));
    return 0;
  }

  /** Locks a block that counts as in use already; null if the driver refuses. */
  private PinnedMemory newBlock(int size) {
    PinnedMemory block = null;
    try {
      makeRoom();
      block = lockPages(size);
    } catch (CudaException e) {
      fallBack(e.getMessage());
      return null;
    } finally {
      if (block == null) {
        forget(size);
      }
    }
    try {
      checkIn();
    } catch (IllegalStateException closedMeanwhile) {
      giveBack(block);
      throw closedMeanwhile;
    }
    return block;
  }

  /** The driver's memory; where it has no more, all that is kept goes back to it first. */
  private PinnedMemory lockPages(int size) {
    try {
      return context.allocatePinned(size);
    } catch (CudaException refused) {
      if (refused.sticky() || !emptyCache()) {
        throw refused;
      }
    }
    return context.allocatePinned(size);
  }

  /** A block that was reckoned with is there. */
  private void checkIn() {
    lock.lock();
    try {
      requireOpen();
      mostPinnedBytes = Math.max(mostPinnedBytes, pinnedBytes);
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the pinned memory's allocator is closed");
    }
  }

  /** A block that was reckoned with will not come. */
  private void forget(int size) {
    lock.lock();
    try {
      pinnedBytes -= size;
    } finally {
      lock.unlock();
    }
    releaseIfUnused();
  }

  /** A block's user needs it no more. */
  private void giveBack(PinnedMemory block) {
    lock.lock();
    try {
      pinnedBytes -= block.bytes();
      if (!closed) {
        cache.put(block);
        return;
      }
      leavingBytes += block.bytes();
    } finally {
      lock.unlock();
    }
    unlock(List.of(block));
  }

  // ---- what is kept -------------------------------------------------------------------------

  /** Unlocks what was unused longest, until all that is counted may be locked at once. */
  private void makeRoom() {
    while (true) {
      List<PinnedMemory> leaving;
      lock.lock();
      try {
        long most = Math.min(budget, 2 * Math.max(mostPinnedBytes, pinnedBytes));
        leaving = takeFromCache(pinnedBytes + cache.bytes() - most);
        if (leaving.isEmpty()) {
          if (pinnedBytes + cache.bytes() + leavingBytes <= most) {
            return;
          }
          unlocked.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
      unlock(leaving);
    }
  }

  /** Unlocks all that is kept; whether there was any, in this thread's hands or in others'. */
  private boolean emptyCache() {
    List<PinnedMemory> leaving;
    lock.lock();
    try {
      leaving = takeFromCache(Long.MAX_VALUE);
      if (leaving.isEmpty() && leavingBytes == 0) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    unlock(leaving);
    awaitUnlocked();
    return true;
  }

  private void awaitUnlocked() {
    lock.lock();
    try {
      while (leavingBytes > 0) {
        unlocked.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The oldest blocks; to be {@linkplain #unlock unlocked} without the lock. */
  private List<PinnedMemory> takeFromCache(long atLeast) {
    List<PinnedMemory> taken = cache.takeOldest(atLeast);
    leavingBytes += sum(taken);
    return taken;
  }

  private void unlock(List<PinnedMemory> leaving) {
    if (leaving.isEmpty()) {
      return;
    }
    try {
      leaving.forEach(block -> free(block::close));
    } finally {
      lock.lock();
      try {
        leavingBytes -= sum(leaving);
        unlocked.signalAll();
      } finally {
        lock.unlock();
      }
    }
    releaseIfUnused();
  }

  private static long sum(List<PinnedMemory> blocks) {
    return blocks.stream().mapToLong(PinnedMemory::bytes).sum();
  }

  /** Who comes here last lets go of the driver; two who come at once do no harm. */
  private void releaseIfUnused() {
    lock.lock();
    try {
      if (!closed || context == null || pinnedBytes + cache.bytes() + leavingBytes > 0) {
        return;
      }
    } finally {
      lock.unlock();
    }
    free(context::close);
  }

  /** The loader gives memory back amid its own work, which a broken GPU must not upset. */
  private void free(Runnable resource) {
    try {
      resource.run();
    } catch (CudaException e) {
      tellOfRest(e.getMessage());
    }
  }

  private void tellOfRest(String reason) {
    lock.lock();
    try {
      if (!toldOfRest) {
        toldOfRest = true;
        LOG.warn("what was locked for {} stays so until the process ends: {}", device, reason);
      }
    } finally {
      lock.unlock();
    }
  }

  private void fallBack(String reason) {
    lock.lock();
    try {
      if (fallback == null) {
        fallback = reason;
        LOG.warn("batches for {} go to pageable memory, which is slower: {}", device, reason);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- what it is like ----------------------------------------------------------------------

  /** Whether everything that was asked for is page-locked so far. */
  public boolean pinned() {
    return fallback().isEmpty();
  }

  /** Why not everything is page-locked; empty if everything is. */
  public Optional<String> fallback() {
    return locked(() -> Optional.ofNullable(fallback));
  }

  /** The bytes of page-locked memory in use: those of whole blocks, as they are locked. */
  public long pinnedBytes() {
    return locked(() -> pinnedBytes);
  }

  /** The bytes of page-locked memory that nobody uses, kept to be given again. */
  public long cachedBytes() {
    return locked(cache::bytes);
  }

  /** The bytes of ordinary memory in use. */
  public long pageableBytes() {
    return locked(() -> pageableBytes);
  }

  private <R> R locked(Supplier<R> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** The most bytes that are page-locked at a time, in use or kept. */
  public long budget() {
    return budget;
  }

  /**
   * Gives no more memory, unlocks what is kept, and lets go of the driver when what it gave has
   * come back. Does not fail: after an error of CUDA that stays, what cannot be freed is the
   * process's until its end, and a warning says so. May be called twice.
   */
  @Override
  public void close() {
    List<PinnedMemory> leaving;
    lock.lock();
    try {
      closed = true;
      leaving = takeFromCache(Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
    unlock(leaving);
    releaseIfUnused();
  }

  /** For example {@code PinnedAllocator(gpu(0), 231211008 bytes pinned, 77070336 cached)}. */
  @Override
  public String toString() {
    lock.lock();
    try {
      return "PinnedAllocator(%s, %d bytes pinned%s%s)"
          .formatted(
              device,
              pinnedBytes,
              unlessZero(cache.bytes(), "cached"),
              unlessZero(pageableBytes, "pageable"));
    } finally {
      lock.unlock();
    }
  }

  private static String unlessZero(long bytes, String what) {
    return bytes == 0 ? "" : ", " + bytes + " " + what;
  }

  /** The beginning of a block. */
  private final class Pinned implements HostMemory {
    private final PinnedMemory block;
    private final ByteBuffer buffer;
    private final AtomicBoolean given = new AtomicBoolean();

    Pinned(PinnedMemory block, int bytes) {
      this.block = block;
      this.buffer = block.buffer().slice(0, bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer buffer() {
      if (given.get()) {
        throw new IllegalStateException("this page-locked memory has been given back");
      }
      return buffer;
    }

    @Override
    public void close() {
      if (given.compareAndSet(false, true)) {
        giveBack(block);
      }
    }
  }

  private final class Pageable implements HostMemory {
    private final HostMemory memory;
    private final int bytes;
    private final AtomicBoolean given = new AtomicBoolean();

    Pageable(int bytes) {
      this.memory = HostAllocator.direct().allocate(bytes);
      this.bytes = bytes;
      count(bytes);
    }

    private void count(int more) {
      lock.lock();
      try {
        pageableBytes += more;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void close() {
      if (given.compareAndSet(false, true)) {
        count(-bytes);
        memory.close();
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
     * The most bytes that are page-locked at a time, in use or kept; what goes beyond is ordinary
     * memory. Default: no limit but the system's.
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
