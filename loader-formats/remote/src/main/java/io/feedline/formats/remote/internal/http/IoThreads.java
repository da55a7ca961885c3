package io.feedline.formats.remote.internal.http;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that wait for the network: virtual threads from JDK 21 on. */
final class IoThreads {

  private static final int FIRST_WITH_VIRTUAL = 21;
  private static final int IDLE_SECONDS = 30;

  private IoThreads() {}

  /** Returns an executor with a daemon thread for each task; the caller shuts it down. */
  static ExecutorService named(String prefix) {
    return Runtime.version().feature() < FIRST_WITH_VIRTUAL ? pool(prefix) : virtual(prefix);
  }

  /** Returns a pool that prefers the thread that worked last, so that superfluous threads end. */
  private static ExecutorService pool(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, prefix + number.getAndIncrement());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Returns an executor of virtual threads, by reflection: they exist from JDK 21 on. */
  private static ExecutorService virtual(String prefix) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      Object named = type.getMethod("name", String.class, long.class).invoke(builder, prefix, 0L);
      Object factory = type.getMethod("factory").invoke(named);
      Method executor = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) executor.invoke(null, factory);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a JDK from 21 on has no virtual threads", impossible);
    }
  }
}
