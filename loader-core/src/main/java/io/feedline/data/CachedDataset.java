package io.feedline.data;

import io.feedline.batch.SampleCodec;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.ClassNames;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dataset whose samples are kept in memory once they have been read, outside the heap and within
 * a budget. All workers share it.
 *
 * <pre>{@code
 * try (CachedDataset<Sample> cache = dataset.map(decode).cached(8L << 30)) {
 *   DataLoader.builder(cache.map(randomCrop)) ...
 * }
 * }</pre>
 *
 * <p>The cache keeps the first samples until the budget is full; from then on it adds no sample and
 * evicts none. An epoch uses each sample once. So a cache that evicts the least recently used
 * sample would always miss; a cache that keeps any half of the samples hits half of the time.
 *
 * <p>Map random transforms after the cache. Before the cache, their first results would be frozen;
 * so a source that draws random numbers is an error.
 *
 * <p>The delivered samples do not depend on the content of the cache. While the cache may still add
 * a sample, two threads never read that sample at once: the second waits for the first. A sample
 * from the cache must not be changed: by default its tensors are read-only views of the cache's
 * memory. {@link SampleCodec} defines the samples that can be kept.
 *
 * <p>Memory: the budget, taken in slabs of at most 16 MiB as the cache fills (a larger sample gets
 * a slab of its own), and 8 bytes of heap for each sample of the dataset. The budget counts against
 * {@code -XX:MaxDirectMemorySize}, which is the heap's maximum by default; beyond that the JVM
 * throws an {@link OutOfMemoryError} that says so.
 *
 * <p>Thread-safe. The code that made the cache closes it, after the loaders that read it. The
 * source stays open.
 */
public final class CachedDataset<T> implements Dataset<T>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CachedDataset.class);

  private final Dataset<T> source;
  private final SampleCodec<T> codec;
  private final long byteBudget;
  private final SlabStore store;

  /** For each index, 1 + the place of its sample in the store; 0 if the sample is not stored. */
  private final AtomicLongArray places;

  /** The indices that are being read, each with a latch that opens when its read ends. */
  private final ConcurrentMap<Long, CountDownLatch> reading = new ConcurrentHashMap<>();

  private volatile boolean full;
  private final AtomicLong samples = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private CachedDataset(Builder<T> builder) {
    this.source = builder.source;
    this.codec = builder.codec;
    this.byteBudget = builder.byteBudget;
    this.store = new SlabStore(byteBudget, builder.slabBytes);
    this.places = new AtomicLongArray((int) source.size());
  }

  /**
   * Returns a cache of a dataset with the {@linkplain SampleCodec#defaults default codec}.
   *
   * @param byteBudget the largest number of bytes of memory that the cache may take, 1 or more
   * @throws IllegalArgumentException if the budget is below 1, or there are more than 2^31 samples
   */
  public static <T> CachedDataset<T> of(Dataset<T> source, long byteBudget) {
    return builder(source).byteBudget(byteBudget).build();
  }

  public static <T> Builder<T> builder(Dataset<T> source) {
    return new Builder<>(source);
  }

  @Override
  public long size() {
    return places.length();
  }

  @Override
  public T get(long index) throws Exception {
    return get(index, new SampleContext(0, 0, index));
  }

  /**
   * Returns the sample at an index: from the cache, or read from the source.
   *
   * @throws IndexOutOfBoundsException if the index is not from 0 to {@code size() - 1}
   * @throws Exception if the source cannot read the sample, or the codec cannot keep it
   * @throws IllegalStateException if the cache is closed, or the source draws random numbers
   */
  @Override
  public T get(long index, SampleContext context) throws Exception {
    Objects.checkIndex(index, size());
    store.checkOpen();
    while (true) {
      long place = places.get((int) index);
      if (place != 0) {
        hits.increment();
        return decode(place - 1);
      }
      if (full) {
        misses.increment();
        return source.get(index, context);
      }
      CountDownLatch mine = new CountDownLatch(1);
      CountDownLatch others = reading.putIfAbsent(index, mine);
      if (others != null) {
        // If the other thread's read fails, this thread tries next.
        others.await();
        continue;
      }
      try {
        if (places.get((int) index) == 0) {
          misses.increment();
          return read(index, context);
        }
      } finally {
        reading.remove(index);
        mine.countDown();
      }
    }
  }

  private T read(long index, SampleContext context) throws Exception {
    int before = context.randomTransforms();
    T sample = Objects.requireNonNull(source.get(index, context), "the sample is null");
    if (context.randomTransforms() != before) {
      throw new IllegalStateException(
          "%s transforms its samples at random, and a cache would freeze what was drawn first:"
                  .formatted(source.name())
              + " cache first, then map the random transforms");
    }
    long bytes = codec.byteSize(sample);
    long place = store.reserve(bytes);
    if (place < 0) {
      noteFull();
      return sample;
    }
    ByteBuffer target = store.at(place);
    codec.encode(sample, target);
    if (target.hasRemaining()) {
      throw new IllegalStateException(
          "the codec %s announced %d bytes and wrote %d"
              .formatted(ClassNames.of(codec), bytes, target.position()));
    }
    places.set((int) index, place + 1);
    samples.incrementAndGet();
    // The first reader gets a decoded sample, as all later readers do.
    return decode(place);
  }

  private T decode(long place) {
    return codec.decode(store.at(place).asReadOnlyBuffer().order(ByteOrder.nativeOrder()));
  }

  private synchronized void noteFull() {
    if (!full) {
      full = true;
      LOG.info(
          "{}: the cache is full with {} of {} samples in {} bytes; the others are read each time",
          name(),
          samples,
          size(),
          store.bytes());
    }
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    if (places.get((int) index) == 0) {
      source.readAhead(index, ahead);
    }
  }

  @Override
  public String describe(long index) {
    return source.describe(index);
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return source.fingerprint();
  }

  @Override
  public String name() {
    return source.name();
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns the cache's hits, misses and size so far. */
  public Stats stats() {
    return new Stats(hits.sum(), misses.sum(), samples.get(), store.bytes(), byteBudget, full);
  }

  /**
   * Frees the memory as soon as no sample in use has a view of it. May be called twice; afterwards
   * {@link #get} throws {@link IllegalStateException}.
   */
  @Override
  public void close() {
    store.close();
  }

  /**
   * The hits, misses and size of a cache.
   *
   * @param hits the number of samples delivered from the cache
   * @param misses the number of reads from the source, including failed reads
   * @param samples the number of samples that the cache holds
   * @param bytes the bytes of memory that the cache takes
   * @param byteBudget the largest number of bytes of memory that the cache may take
   * @param full true once a sample did not fit; from then on no sample is added
   */
  public record Stats(
      long hits, long misses, long samples, long bytes, long byteBudget, boolean full) {}

  /** The options of a cache. Not thread-safe. */
  public static final class Builder<T> {
    private final Dataset<T> source;
    private SampleCodec<T> codec = SampleCodec.defaults();
    private long byteBudget;
    private int slabBytes = SlabStore.SLAB_BYTES;

    private Builder(Dataset<T> source) {
      this.source = Objects.requireNonNull(source, "source");
    }

    /** Sets the largest number of bytes that the cache may take, 1 or more; has no default. */
    public Builder<T> byteBudget(long bytes) {
      byteBudget = bytes;
      return this;
    }

    /** Sets the codec that encodes and decodes samples. Default {@link SampleCodec#defaults}. */
    public Builder<T> codec(SampleCodec<T> newCodec) {
      codec = Objects.requireNonNull(newCodec, "codec");
      return this;
    }

    /** Sets the bytes of a slab; for tests, which would fill larger slabs too slowly. */
    Builder<T> slabBytes(int bytes) {
      slabBytes = bytes;
      return this;
    }

    /**
     * Returns the cache, still empty.
     *
     * @throws IllegalArgumentException if the budget is below 1, or there are more than 2^31
     *     samples
     */
    public CachedDataset<T> build() {
      if (byteBudget < 1) {
        throw new IllegalArgumentException("byteBudget must be 1 or more, was " + byteBudget);
      }
      if (source.size() > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "%s has %d samples; a cache takes at most %d, so cache a subset"
                .formatted(source.name(), source.size(), Integer.MAX_VALUE - 8));
      }
      return new CachedDataset<>(this);
    }
  }
}
