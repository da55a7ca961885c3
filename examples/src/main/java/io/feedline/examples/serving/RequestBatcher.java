package io.feedline.examples.serving;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A batcher of requests from many threads. A batch is answered when it is full, or when its first
 * request has waited for some time. One thread answers batch after batch.
 *
 * <p>Thread-safe. The caller closes it; unanswered requests then fail.
 *
 * @param <I> a request
 * @param <O> its answer
 */
final class RequestBatcher<I, O> implements AutoCloseable {

  /** Answers a batch; the answers are in the order of the requests. */
  @FunctionalInterface
  interface Answers<I, O> {
    List<O> to(List<I> batch) throws Exception;
  }

  private record Pending<I, O>(I input, CompletableFuture<O> answer) {}

  private final Answers<I, O> answers;
  private final int most;
  private final long waitNanos;
  private final BlockingQueue<Pending<I, O>> queue = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "batches");
  private volatile boolean closed;

  /**
   * Creates a batcher, and starts its thread.
   *
   * @param most the largest number of requests in a batch
   * @param wait the time for which the first request of a batch waits for further requests
   */
  RequestBatcher(int most, Duration wait, Answers<I, O> answers) {
    this.most = most;
    this.waitNanos = wait.toNanos();
    this.answers = answers;
    thread.setDaemon(true);
    thread.start();
  }

  /** Adds a request; returns its future answer. */
  CompletableFuture<O> submit(I input) {
    Pending<I, O> pending = new Pending<>(input, new CompletableFuture<>());
    queue.add(pending);
    if (closed) {
      // The thread may already have read the queue for the last time.
      refuse(pending);
    }
    return pending.answer();
  }

  private void run() {
    try {
      while (!closed) {
        answer(next());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.forEach(RequestBatcher::refuse);
    }
  }

  private List<Pending<I, O>> next() throws InterruptedException {
    List<Pending<I, O>> batch = new ArrayList<>();
    batch.add(queue.take());
    long end = System.nanoTime() + waitNanos;
    while (batch.size() < most) {
      Pending<I, O> more = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (more == null) {
        break;
      }
      batch.add(more);
    }
    return batch;
  }

  private void answer(List<Pending<I, O>> batch) {
    try {
      List<O> all = answers.to(batch.stream().map(Pending::input).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(all.get(i));
      }
    } catch (Throwable failure) {
      batch.forEach(pending -> pending.answer().completeExceptionally(failure));
    }
  }

  private static <I, O> void refuse(Pending<I, O> pending) {
    pending.answer().completeExceptionally(new RejectedExecutionException("the service has ended"));
  }

  /** Ends the thread when it has answered its current batch. May be called twice. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
