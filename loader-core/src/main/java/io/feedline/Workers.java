package io.feedline;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a loader, until it ends: daemons, named {@code feedline-NAME-NUMBER}. */
final class Workers {

  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  /** The time for which closing waits for unfinished samples, before and after an interrupt. */
  static final Duration GRACE = Duration.ofMillis(2500);

  private final String name;
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  Workers(String name) {
    this.name = name;
  }

  int count() {
    return threads.size();
  }

  long[] ids() {
    return threads.stream().mapToLong(Thread::getId).toArray();
  }

  /** Starts workers until {@code count} have been started; called by one thread at a time. */
  void start(int count, IntConsumer work) {
    while (threads.size() < count) {
      int number = threads.size();
      Thread thread =
          new Worker(this, () -> work.accept(number), "feedline-" + name + "-" + number);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  boolean include(Thread thread) {
    return thread instanceof Worker worker && worker.owner == this;
  }

  private static final class Worker extends Thread {
    private final Workers owner;

    Worker(Workers owner, Runnable work, String name) {
      super(work, name);
      this.owner = owner;
    }
  }

  /**
   * Waits until all of these workers have ended; after {@code polite}, interrupts all of them. Logs
   * a warning for each worker that is busy even then. Does not wait for the calling thread.
   *
   * @param polite the time to wait for all of them before the interrupts
   * @param insisting the time to wait after the interrupts
   */
  static void join(Duration polite, Duration insisting, Workers... all) {
    List<Thread> busy = new ArrayList<>();
    for (Workers each : all) {
      busy.addAll(each.threads);
    }
    busy.remove(Thread.currentThread());
    boolean interrupted = false;
    for (boolean insist : new boolean[] {false, true}) {
      busy.removeIf(thread -> !thread.isAlive());
      if (insist) {
        busy.forEach(Thread::interrupt);
      }
      long deadline = System.nanoTime() + (insist ? insisting : polite).toNanos();
      for (Thread thread : busy) {
        try {
          TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    for (Thread thread : busy) {
      if (thread.isAlive()) {
        StackTraceElement[] stack = thread.getStackTrace();
        LOG.warn(
            "{} is still making a sample after {} and an interrupt; it is in {}",
            thread.getName(),
            Durations.words(polite.plus(insisting)),
            stack.length == 0 ? "no frame" : stack[0]);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
