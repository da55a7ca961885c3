package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.stats.Stalls;
import java.time.Duration;
import java.util.Arrays;

/**
 * A loader whose slow work moves a {@link FakeClock}, when the consumer has come to wait for it: so
 * each stall lasts as long as it is meant to, however busy the machine is.
 */
public abstract class StallHarness {

  public static final int BATCH = 4;

  public final FakeClock clock = new FakeClock();
  final Thread consumer = Thread.currentThread();

  /** The one whose stalls are looked at. */
  public DataLoader<?> loader;

  /** A loader by that clock, of batches of four, for which 5 ms are a stall. */
  public final <T> DataLoaderBuilder<T> builder(Dataset<T> dataset, int workers) {
    return Samples.loader(dataset, BATCH, workers)
        .prefetchNextEpoch(false)
        .stallThreshold(Duration.ofMillis(5))
        .clock(clock);
  }

  /** Work of a worker that the consumer waits for. */
  public final void work(long micros) {
    if (Thread.currentThread() != consumer) {
      awaitWaitingConsumer();
    }
    clock.passMicros(micros);
  }

  /** Waits until the consumer waits for a batch that is not ready. */
  final void awaitWaitingConsumer() {
    Threads.spinWhile(() -> !loader.engine().consumerWaits());
  }

  private static boolean isIn(Thread thread, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  /** Waits until a thread is in a method. */
  static void awaitIn(Thread thread, String method) {
    Threads.spinWhile(() -> !isIn(thread, method));
  }

  /** Waits until a batch is ready and the workers have no room for another. */
  public final void awaitIdleWorkers() {
    awaitIdleWorkers(loader);
  }

  /** Waits until a batch is ready and all workers wait. */
  static void awaitIdleWorkers(DataLoader<?> of) {
    Threads.spinWhile(() -> of.stats().batchesReady() < 1);
    Threads.named("feedline-" + of.options().name())
        .forEach(worker -> awaitIn(worker, "awaitUninterruptibly"));
  }

  /** Takes an epoch. */
  public final Stalls consume(DataLoader<?> of) {
    loader = of;
    loader.forEach(Batch::close);
    return loader.stats().stalls();
  }
}
