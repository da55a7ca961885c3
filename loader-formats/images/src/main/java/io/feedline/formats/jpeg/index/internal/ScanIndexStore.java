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
 * A store of the scan indexes of a dataset's JPEGs. With an index, a crop is decoded without the
 * data above and beside the crop. A store keeps indexes in memory, where the first epoch puts them
 * for later epochs, or reads them from a {@link ScanIndexFile} of the dataset or of each shard, or
 * keeps no indexes.
 *
 * <p>An index changes only the time of decoding. An index that does not belong to the image's bytes
 * is not used. Thread-safe.
 */
public abstract class ScanIndexStore {

  /**
   * The default budget, an eighth of the heap. An index takes 1 to 4 KB, so a heap of 32 GB is
   * enough for ImageNet's 1.28 million images, and a heap of 2 GB for 100 thousand images.
   */
  public static final long DEFAULT_BYTE_BUDGET = Runtime.getRuntime().maxMemory() / 8;

  private static final ScanIndexStore NONE = new None();

  ScanIndexStore() {}

  public static ScanIndexStore none() {
    return NONE;
  }

  public static ScanIndexStore inMemory() {
    return inMemory(DEFAULT_BYTE_BUDGET);
  }

  /**
   * Returns a store that keeps the indexes made while decoding, in memory, until a budget of heap
   * bytes is used up. Indexes are never dropped, since each epoch reads each image once.
   */
  public static ScanIndexStore inMemory(long byteBudget) {
    if (byteBudget < 0) {
      throw new IllegalArgumentException("the byte budget must be 0 or more, was " + byteBudget);
    }
    return new InMemory(byteBudget);
  }

  /**
   * Returns a dataset's default store. The store is the {@link ScanIndexFile} beside the dataset if
   * the file exists and belongs to the dataset. Without such a file, a dataset of shards on this
   * machine uses the files beside its shards. Any other dataset uses {@link #inMemory()}.
   *
   * @param store the dataset; its fingerprint is computed only if there is a file
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
   * Returns the index of a sample's image; null without an index. An index in a file is not read if
   * it is longer than {@code mostBytes}.
   */
  abstract @Nullable ScanIndex get(long sample, long mostBytes);

  boolean hasRoom(long sample) {
    return false;
  }

  /** Returns whether the indexes were made beforehand and are in files. */
  public boolean isInFiles() {
    return false;
  }

  void put(long sample, ScanIndex index) {}

  void remove(long sample, ScanIndex index) {}

  public final Place place(long sample) {
    return new Place(this, sample);
  }

  public record Place(ScanIndexStore store, long sample) {

    /** The place of an image without a dataset, whose index is not kept. */
    public static final Place NOWHERE = new Place(NONE, 0);

    public @Nullable ScanIndex get(JpegImage image) {
      return store.get(sample, ScanIndex.mostBytes(image.grid()));
    }

    public boolean hasRoom() {
      return store.hasRoom(sample);
    }

    public void put(ScanIndex index) {
      store.put(sample, index);
    }

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
    public String toString() {
      return "no scan indexes";
    }
  }

  private static final class InMemory extends ScanIndexStore {
    /** The heap bytes of an index's object, buffer, array header and entry in the map. */
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
