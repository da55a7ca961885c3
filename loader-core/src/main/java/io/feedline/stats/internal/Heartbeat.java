package io.feedline.stats.internal;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer that rings again and again while another thread works: if it rings late, the process
 * stood still.
 *
 * <p>All timers share one daemon thread, which ends a second after the last timer. The thread
 * belongs to the system's group of threads, since some callers, such as JShell, wait for all
 * threads of their own group. Thread-safe.
 */
final class Heartbeat implements MachineLoad.Watch {

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final MachineLoad machine;
  private final long start = System.nanoTime();
  private long due;
  private long late;
  private boolean ended;
  private ScheduledFuture<?> next;

  Heartbeat(MachineLoad machine) {
    this.machine = machine;
    synchronized (this) {
      next(start);
    }
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              ThreadGroup group = Thread.currentThread().getThreadGroup();
              while (group.getParent() != null) {
                group = group.getParent();
              }
              Thread thread = new Thread(group, work, "loader-heartbeat");
              thread.setDaemon(true);
              return thread;
            });
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private void next(long now) {
    long wait = machine.tick(now - start);
    due = now + wait;
    next = TIMER.schedule(this::ring, wait, TimeUnit.NANOSECONDS);
  }

  private synchronized void ring() {
    if (!ended) {
      long now = System.nanoTime();
      late += machine.late(now - due);
      next(now);
    }
  }

  @Override
  public synchronized long end() {
    ended = true;
    next.cancel(false);
    // The timer may be late, and about to ring.
    return late + machine.late(System.nanoTime() - due);
  }
}
