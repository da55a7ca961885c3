package io.feedline.formats.jpeg.index.internal;

import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import io.feedline.formats.store.internal.shards.ShardedStore;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store of scan indexes in files beside a store's shards. A shard's file is searched when the
 * first image of the shard is decoded. The indexes of shards without a file are kept in memory.
 * Only a bounded number of files is open at once.
 */
final class ShardScanIndexes extends ScanIndexStore {

  private static final Logger LOG = LoggerFactory.getLogger(ShardScanIndexes.class);

  private static final int MOST_OPEN = 64;

  private final ShardedStore store;
  private final Shards numbers;
  private final OpenFiles files = new OpenFiles(MOST_OPEN);

  /** The files by shard; null before the search for a file, empty if the shard has no file. */
  private final @Nullable AtomicReferenceArray<Optional<ScanIndexFile>> found;

  private final ScanIndexStore others = inMemory();
  private final AtomicBoolean warned = new AtomicBoolean();

  ShardScanIndexes(ShardedStore store) {
    this.store = store;
    this.numbers = Shards.of(store.shardSizes());
    this.found = new AtomicReferenceArray<>(numbers.count());
  }

  @Override
  ScanIndex get(long sample, long mostBytes) {
    Optional<ScanIndexFile> file = fileOf(sample);
    return file.isPresent()
        ? file.get().get(numbers.indexIn(numbers.shardOf(sample), sample), mostBytes)
        : others.get(sample, mostBytes);
  }

  @Override
  boolean hasRoom(long sample) {
    return fileOf(sample).isEmpty() && others.hasRoom(sample);
  }

  @Override
  void put(long sample, ScanIndex index) {
    if (fileOf(sample).isEmpty()) {
      others.put(sample, index);
    }
  }

  @Override
  void remove(long sample, ScanIndex index) {
    others.remove(sample, index);
  }

  @Override
  public boolean isInFiles() {
    return fileOf(0).isPresent();
  }

  /** Returns the file of a sample's shard. If two threads open it at once, one result is kept. */
  private Optional<ScanIndexFile> fileOf(long sample) {
    if (sample < 0 || sample >= numbers.samples()) {
      return Optional.empty();
    }
    int shard = numbers.shardOf(sample);
    Optional<ScanIndexFile> known = found.get(shard);
    if (known == null) {
      try {
        known = find(store.shard(shard));
      } catch (InterruptedIOException | ClosedByInterruptException interrupted) {
        // An index is optional, and the shard's next sample looks for the file again.
        LOG.debug("no scan indexes of shard {}", shard, interrupted);
        return Optional.empty();
      } catch (IOException unusable) {
        if (warned.compareAndSet(false, true)) {
          LOG.warn(
              "{}; the images of this shard are decoded without it, and so are those of others like"
                  + " it",
              unusable.getMessage());
        }
        known = Optional.empty();
      }
      found.set(shard, known);
    }
    return known;
  }

  private Optional<ScanIndexFile> find(ShardIdentity shard) throws IOException {
    Path file = ScanIndexFile.pathOf(shard);
    return Presence.exists(file)
        ? Optional.of(ScanIndexFile.open(files, file, shard.fingerprint(), shard.samples()))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "scan indexes beside %s, or %s".formatted(Counts.of(numbers.count(), "shard"), others);
  }
}
