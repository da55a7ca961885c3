package io.feedline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public final class Together {

  private Together() {}

  /** A task of the thread of a number. */
  public interface Task<R> {
    R run(int thread) throws Exception;
  }

  /** Returns what eight threads return, which begin at once. */
  public static <R> List<R> inEightThreads(Task<R> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(8);
    List<Callable<R>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int thread = i;
      tasks.add(
          () -> {
            start.await();
            return task.run(thread);
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<R> results = new ArrayList<>();
      for (Future<R> result : threads.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
