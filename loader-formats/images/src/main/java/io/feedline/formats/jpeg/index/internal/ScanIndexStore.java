package io.feedline.formats.jpeg.index.internal;

import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.shards.ShardedStore;
import io.feedline.internal.Counts;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The place of the scan indexes of a dataset's JPEGs, by which a crop is decoded without the data
 * above and beside it: in memory, where the first epoch makes them for later epochs; in a {@link
 * ScanIndexFile} of the dataset or of each shard; or nowhere.
 *
 * <p>An index changes only the time of decoding: an index that does not belong to the image's bytes
 * is not used. Thread-safe.
 */
public abstract class ScanIndexStore {

  /**
   * The default budget: an eighth of the heap, which at 1 to 4 KB an image is enough for ImageNet's
   * 1.28 million images with a heap of 32 GB, and for 100 thousand images with 2 GB.
   */
  public static final long DEFAULT_BYTE_BUDGET = Runtime.getRuntime().maxMemory() / 8;

  private static final ScanIndexStore NONE = new None();

  /** Only this package has subclasses. */
  ScanIndexStore() {}

  /** Returns a store without indexes: every image is decoded as if for the first time. */
  public static ScanIndexStore none() {
    return NONE;
  }

  /**
   * Returns a store that keeps indexes made while decoding in memory, up to {@link
   * #DEFAULT_BYTE_BUDGET}.
   */
  public static ScanIndexStore inMemory() {
    return inMemory(DEFAULT_BYTE_BUDGET);
  }

  /**
   * Returns a store that keeps indexes made while decoding in memory, until the budget is used up;
   * indexes are never dropped. Since each epoch reads each image once, no other choice would serve
   * more.
   *
   * @param byteBudget of heap memory, 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  public static ScanIndexStore inMemory(long byteBudget) {
    if (byteBudget < 0) {
      throw new IllegalArgumentException("the byte budget must be 0 or more, was " + byteBudget);
    }
    return new InMemory(byteBudget);
  }

  /**
   * Returns a dataset's default store: the {@link ScanIndexFile} beside it if it exists and belongs
   * to the dataset; or the files beside its shards, if the dataset is on this machine and has
   * shards; else {@link #inMemory()}.
   *
   * @param store of the dataset; asked for its fingerprint only where there is a file
   */
  public static ScanIndexStore beside(ImageStore store) {
    Optional<ShardedStore> shards =
        LocalFiles.include(store.path()) ? ShardedStore.of(store) : Optional.empty();
    return ScanIndexFile.find(store, shards)
        .<ScanIndexStore>map(file -> file)
        .or(() -> shards.map(ShardScanIndexes::new))
        .orElseGet(ScanIndexStore::inMemory);
  }

  /**
   * The index of a sample's image, or null.
   *
   * @param mostBytes the most that an index of that image can have
   */
  abstract @Nullable ScanIndex get(long sample, long mostBytes);

  /** Tests whether {@link #put} would keep an index of a sample. */
  abstract boolean hasRoom(long sample);

  /** Tests whether the indexes were made once, and are in files. */
  public boolean isInFiles() {
    return false;
  }

  /** Keeps an index that was made on the way, if there is room. */
  abstract void put(long sample, ScanIndex index);

  /** Forgets an index that does not belong to the sample's bytes. */
  abstract void remove(long sample, ScanIndex index);

  /** The place of one sample. */
  public final Place place(long sample) {
    return new Place(this, sample);
  }

  /**
   * The place of one image's index.
   *
   * @param store of its dataset
   * @param sample its index in the dataset
   */
  public record Place(ScanIndexStore store, long sample) {

    /** The place for an image without a dataset. */
    public static final Place NOWHERE = new Place(NONE, 0);

    /** The index that is kept for the image, or null. */
    public @Nullable ScanIndex get(JpegImage image) {
      return store.get(sample, ScanIndex.mostBytes(image.grid()));
    }

    /** Tests whether {@link #put} would keep an index. */
    public boolean hasRoom() {
      return store.hasRoom(sample);
    }

    /** Keeps an index that was made on the way, if there is room. */
    public void put(ScanIndex index) {
      store.put(sample, index);
    }

    /** Forgets an index that does not belong to the image's bytes. */
    public void remove(ScanIndex index) {
      store.remove(sample, index);
    }
  }

  private static final class None extends ScanIndexStore {
    @Override
    ScanIndex get(long sample, long mostBytes) {
      return null;
    }

    @Override
    boolean hasRoom(long sample) {
      return false;
    }

    @Override
    void put(long sample, ScanIndex index) {}

    @Override
    void remove(long sample, ScanIndex index) {}

    @Override
    public String toString() {
      return "no scan indexes";
    }
  }

  private static final class InMemory extends ScanIndexStore {
    /** The index itself, its buffer, its array's header, and its entry in the map. */
    private static final long OVERHEAD_BYTES = 256;

    private final ConcurrentHashMap<Long, ScanIndex> indexes = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final long budget;

    InMemory(long budget) {
      this.budget = budget;
    }

    @Override
    ScanIndex get(long sample, long mostBytes) {
      return indexes.get(sample);
    }

    @Override
    boolean hasRoom(long sample) {
      return bytes.get() < budget;
    }

    @Override
    void put(long sample, ScanIndex index) {
      long size = OVERHEAD_BYTES + index.byteSize();
      if (bytes.addAndGet(size) > budget || indexes.putIfAbsent(sample, index) != null) {
        bytes.addAndGet(-size);
      }
    }

    @Override
    void remove(long sample, ScanIndex index) {
      if (indexes.remove(sample, index)) {
        bytes.addAndGet(-(OVERHEAD_BYTES + index.byteSize()));
      }
    }

    @Override
    public String toString() {
      return "%s in memory, %d bytes of %d"
          .formatted(Counts.of(indexes.size(), "scan index"), bytes.get(), budget);
    }
  }
}
