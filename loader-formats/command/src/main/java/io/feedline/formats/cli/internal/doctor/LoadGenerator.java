package io.feedline.formats.cli.internal.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do the same work over and over for a while, and how much they got done. */
final class LoadGenerator {

  private LoadGenerator() {}

  /** A piece of work; the number is another one each time, from 0 on. */
  @FunctionalInterface
  interface Task {
    void run(int number) throws Exception;
  }

  /**
   * The work that was done.
   *
   * @param count pieces of work
   * @param perSecond pieces of work, of all threads together
   * @param cpuSeconds of a processor for each
   * @param waitSeconds that a thread waited in each, but not for a processor
   */
  record Done(long count, double perSecond, double cpuSeconds, double waitSeconds) {}

  /** One thread's part. */
  private record Share(long count, ThreadTimes times) {}

  /**
   * Does the work in several threads at once, at least two pieces in each.
   *
   * @throws InterruptedException if the calling thread is interrupted
   * @throws Exception what a piece of work throws, for the first thread that failed
   */
  static Done work(int threads, Duration time, Task task) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Callable<Share> part = () -> share(time, task, next);
    AtomicInteger number = new AtomicInteger();
    ExecutorService executor =
        Executors.newFixedThreadPool(
            threads,
            runnable -> new Thread(runnable, "feedline-probe-" + number.getAndIncrement()));
    try {
      List<Future<Share>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        parts.add(executor.submit(part));
      }
      double perSecond = 0;
      long count = 0;
      ThreadTimes times = new ThreadTimes(0, 0, 0);
      for (Future<Share> each : parts) {
        Share share = result(each);
        perSecond += share.count() * 1e9 / share.times().wallNanos();
        count += share.count();
        times = times.plus(share.times());
      }
      return new Done(count, perSecond, times.cpuSeconds(count), times.waitSeconds(count));
    } finally {
      executor.shutdownNow();
    }
  }

  private static Share share(Duration time, Task task, AtomicInteger next) throws Exception {
    // A piece that does not count, with which a new thread makes its buffers.
    task.run(next.getAndIncrement());
    ThreadTimes start = ThreadTimes.now();
    long end = start.wallNanos() + time.toNanos();
    long count = 0;
    do {
      task.run(next.getAndIncrement() & Integer.MAX_VALUE);
      count++;
    } while (System.nanoTime() - end < 0);
    return new Share(count, ThreadTimes.now().since(start));
  }

  private static Share result(Future<Share> part) throws Exception {
    try {
      return part.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw failed;
    }
  }
}
