package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MachineLoadTest {

  private final MachineLoad delays = MachineLoad.ofJvm();
  private final AtomicInteger entered = new AtomicInteger();

  @Test
  void shouldLookLessOftenTheLongerOneWaits() {
    MachineLoad delays = MachineLoad.ofJvm();
    assertThat(delays.tick(0)).isEqualTo(10_000_000);
    assertThat(delays.tick(8_000_000_000L)).isEqualTo(1_000_000_000);
    assertThat(MachineLoad.NONE.watch().end()).isZero();
    assertThat(MachineLoad.NONE.tick(8_000_000_000L)).isEqualTo(Long.MAX_VALUE);
  }

  /** The thread that rings is in no group that a caller may wait for, and ends by itself. */
  @Test
  void shouldRingBesideAThreadThatWorks() throws InterruptedException {
    CountDownLatch rung = new CountDownLatch(3);
    AtomicReference<Thread> ringing = new AtomicReference<>();
    MachineLoad counting =
        new MachineLoad() {
          @Override
          public long tick(long waited) {
            return 1_000_000;
          }

          @Override
          public long late(long nanos) {
            ringing.set(Thread.currentThread());
            rung.countDown();
            return 5;
          }
        };
    Heartbeat heartbeat = new Heartbeat(counting);
    rung.await();

    assertThat(ringing.get().getThreadGroup().getParent()).isNull();
    assertThat(ringing.get().isDaemon()).isTrue();
    assertThat(heartbeat.end())
        .as("three or more times, and at the end")
        .isGreaterThanOrEqualTo(20);
  }

  @Test
  void shouldCountTimeOnAProcessorAndNotIdleTime() {
    assertThat(JvmLoad.busyTicks("cpu  100 20 3 9999 888 40 50 6 7 0"))
        .isEqualTo(100 + 20 + 3 + 40 + 50 + 6);
  }

  @Test
  void shouldTellWhoseTheProcessorTimeWas() {
    MachineLoad.Measurement measurement = MachineLoad.ofJvm().begin();
    long before = MachineLoad.ofJvm().cpu();
    while (MachineLoad.ofJvm().cpu() - before < 20_000_000) {
      Thread.onSpinWait();
    }
    long self = Thread.currentThread().getId();

    MachineLoad.Use use = measurement.until(new long[] {self});

    // The system counts in hundredths of a second.
    assertThat(use.process()).isGreaterThanOrEqualTo(10_000_000);
    assertThat(use.workers()).isGreaterThan(20_000_000);
    assertThat(MachineLoad.NONE.begin().until(new long[0]).process()).isNegative();
  }

  private static Thread started(Runnable work, Thread.State until) {
    Thread thread = new Thread(work, "contends");
    thread.start();
    while (thread.getState() != until) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private int contending(Thread... threads) {
    long[] ids = new long[threads.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = threads[i].getId();
    }
    return delays.contending(ids);
  }

  @Test
  void shouldCountThreadsThatWaitForAMonitorOfAnother() throws InterruptedException {
    Object monitor = new Object();
    Thread waits;
    Thread alone = Thread.currentThread();
    synchronized (monitor) {
      waits =
          started(
              () -> {
                synchronized (monitor) {
                  entered.incrementAndGet();
                }
              },
              Thread.State.BLOCKED);
      assertThat(contending(alone, waits)).isEqualTo(1);
      assertThat(contending(waits)).as("the holder is none of them").isZero();
    }
    waits.join();
    assertThat(entered).hasValue(1);
    assertThat(contending(alone, waits)).isZero();
  }

  /** So is a lock that was given back while those who wait for it have not woken up. */
  @Test
  void shouldCountThreadsThatWaitForALockOfAnotherOrWithoutAnOwner() throws InterruptedException {
    ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
    for (Lock held : List.of(new ReentrantLock(), shared.readLock())) {
      Lock wanted = held instanceof ReentrantLock ? held : shared.writeLock();
      Thread waits;
      held.lock();
      try {
        waits =
            started(
                () -> {
                  wanted.lock();
                  try {
                    entered.incrementAndGet();
                  } finally {
                    wanted.unlock();
                  }
                },
                Thread.State.WAITING);
        assertThat(contending(Thread.currentThread(), waits)).isEqualTo(1);
      } finally {
        held.unlock();
      }
      waits.join();
    }
  }

  @Test
  void shouldNotCountThreadsThatWaitForSomethingElse() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    Thread waits =
        started(
            () -> {
              try {
                latch.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            Thread.State.WAITING);
    assertThat(contending(Thread.currentThread(), waits)).isZero();
    latch.countDown();
    waits.join();
  }

  @Test
  void shouldGiveWhatItReadLastOnceItIsClosed() {
    ProcessorQueue queue = new ProcessorQueue();
    long last = queue.getAsLong();

    queue.close();
    queue.close();

    for (int i = 0; i < 100; i++) {
      assertThat(queue.getAsLong()).isEqualTo(last);
    }
  }

  @Test
  void shouldBeClosedByAnotherThreadWhileItIsRead() {
    for (int i = 0; i < 100; i++) {
      try (ProcessorQueue queue = new ProcessorQueue()) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(queue::close);
        while (!closing.isDone()) {
          assertThat(queue.getAsLong()).isNotNegative();
        }
        closing.join();
      }
    }
  }
}
