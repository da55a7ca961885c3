package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
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

public final class ShardTasks {

  private static final int MAX_THREADS = 8;

  /** The number of threads for shards that are far away, where threads mostly wait. */
  private static final int MAX_THREADS_FAR = 32;

  private ShardTasks() {}

  /** A task for each shard; several threads call it. */
  @FunctionalInterface
  public interface Task<R> {
    R of(Path shard) throws IOException;
  }

  /** Returns the results in the shards' order, or throws the first failing shard's failure. */
  public static <R> List<R> all(List<Path> shards, OpenFiles files, Task<R> task)
      throws IOException {
    if (shards.size() < 2) {
      return shards.isEmpty() ? List.of() : List.of(task.of(shards.get(0)));
    }
    int most = files.isFar(shards.get(0)) ? MAX_THREADS_FAR : MAX_THREADS;
    AtomicInteger threads = new AtomicInteger();
    ExecutorService workers =
        Executors.newFixedThreadPool(
            Math.min(most, shards.size()),
            work -> {
              Thread thread = new Thread(work, "feedline-scan-" + threads.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<R>> begun = new ArrayList<>();
      for (Path shard : shards) {
        begun.add(workers.submit(() -> task.of(shard)));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> each : begun) {
        results.add(result(each));
      }
      return results;
    } finally {
      workers.shutdownNow();
    }
  }

  private static <R> R result(Future<R> work) throws IOException {
    try {
      return work.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof FormatException damaged) {
        throw damaged;
      }
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw new IOException(failed.getCause().getMessage(), failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the shards were indexed");
    }
  }
}
