package io.feedline.formats.tfrecord;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of all shards of a dataset: those that are kept are read, the others are made,
 * several at a time, since most of that is waiting for the storage.
 */
final class ShardIndexes {

  private static final Logger LOG = LoggerFactory.getLogger(ShardIndexes.class);

  private static final int MAX_THREADS = 8;

  private final TfRecordFiles files;
  private final AtomicReference<IOException> unwritable = new AtomicReference<>();
  private final AtomicInteger made = new AtomicInteger();

  private ShardIndexes(TfRecordFiles files) {
    this.files = files;
  }

  static ShardIndex[] of(TfRecordFiles files) throws IOException {
    return new ShardIndexes(files).all();
  }

  private ShardIndex[] all() throws IOException {
    List<Path> shards = files.files();
    ShardIndex[] indexes = new ShardIndex[shards.size()];
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = kept(shards.get(i));
      if (indexes[i] == null) {
        missing.add(i);
      }
    }
    make(missing, indexes);
    IOException failure = unwritable.get();
    if (failure != null) {
      LOG.info(
          "the index of {} stays in memory and is made again next time, as it cannot be kept: {}."
              + " indexDirectory(...) names a place for it",
          files.name(),
          failure.toString());
    }
    LOG.debug("{}: {} indexes made of {}", files.name(), made, indexes.length);
    return indexes;
  }

  private ShardIndex kept(Path shard) throws IOException {
    return files.keepIndex() ? ShardIndex.load(files.indexOf(shard), FileStamp.of(shard)) : null;
  }

  private void make(List<Integer> missing, ShardIndex[] indexes) throws IOException {
    if (missing.size() <= 1) {
      for (int shard : missing) {
        indexes[shard] = make(files.files().get(shard));
      }
      return;
    }
    AtomicInteger threads = new AtomicInteger();
    ExecutorService scanners =
        Executors.newFixedThreadPool(
            Math.min(MAX_THREADS, missing.size()),
            task -> new Thread(task, "feedline-tfrecord-scan-" + threads.getAndIncrement()));
    try {
      List<Future<ShardIndex>> results = new ArrayList<>();
      for (int shard : missing) {
        results.add(scanners.submit(() -> make(files.files().get(shard))));
      }
      for (int i = 0; i < results.size(); i++) {
        indexes[missing.get(i)] = result(results.get(i));
      }
    } finally {
      scanners.shutdownNow();
    }
  }

  private static ShardIndex result(Future<ShardIndex> scan) throws IOException {
    try {
      return scan.get();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof TfRecordException damaged) {
        throw new TfRecordException(damaged.getMessage(), damaged);
      }
      throw new IOException(cause.getMessage(), cause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the shards were indexed");
    }
  }

  private ShardIndex make(Path shard) throws IOException {
    ShardIndex index = ShardIndex.scan(shard);
    made.incrementAndGet();
    if (!files.keepIndex() || unwritable.get() != null) {
      return index;
    }
    try {
      index.save(files.indexOf(shard));
    } catch (IOException e) {
      unwritable.compareAndSet(null, e);
    }
    return index;
  }
}
