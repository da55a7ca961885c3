package io.feedline.spark;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.transform.Transform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The batches of the rows of a partition, for {@link RowReader}.
 *
 * <p>Three kinds of threads use this class. Spark's operators must run in the task's thread, so
 * this thread pulls the rows, and waits for a batch or for room in the queue. Workers take rows
 * from the queue and make samples. A fetcher thread waits for the loader's next batch. Since it
 * waits instead of the task's thread, the task's thread can meanwhile pull the rows that this batch
 * still needs.
 *
 * <p>The object's monitor guards the fields that are not final.
 */
final class RowBatches<T> implements AutoCloseable {

  private final TaskContext task;
  private final Iterator<Row> rows;
  private final DataLoader<T> loader;
  private final Thread fetcher;

  /** The largest number of rows in the queue, from which workers take rows. */
  private final int most;

  /** The rows of samples that were made, by sample number, until {@link #rowsOf} returns them. */
  private final Map<Long, Row> underway = new ConcurrentHashMap<>();

  private final Deque<Row> waiting = new ArrayDeque<>();
  private boolean noMoreRows;
  private Batch ready;
  private boolean noMoreBatches;
  private Throwable failure;
  private boolean closed;

  RowBatches(
      TaskContext task,
      Iterator<Row> rows,
      Transform<Row, T> samples,
      UnaryOperator<DataLoaderBuilder<T>> options) {
    this.task = task;
    this.rows = rows;
    // The caller has one open batch; another batch is prefetched.
    this.loader =
        options
            .apply(
                DataLoader.builder(new Rows(samples))
                    .numWorkers(Math.max(1, task.cpus()))
                    // Partitions must not draw the same random numbers.
                    .seed(task.partitionId()))
            .maxOpenBatches(2)
            .build();
    this.most = Math.max(2, loader.options().batchSize().orElse(1));
    this.fetcher = new Thread(this::fetch, "feedline-fetcher-" + task.partitionId());
    fetcher.setDaemon(true);
    fetcher.start();
  }

  /** The rows as a stream that can be read once. */
  private final class Rows implements IterableDataset<T> {
    private final Transform<Row, T> samples;

    Rows(Transform<Row, T> samples) {
      this.samples = samples;
    }

    @Override
    public SampleStream<T> open(int shard, long epoch) {
      return new RowStream<>(RowBatches.this, samples);
    }

    @Override
    public boolean readOnce() {
      return true;
    }

    @Override
    public String name() {
      return "rows of partition " + task.partitionId();
    }

    @Override
    public String describe(int shard) {
      return name();
    }
  }

  private static final class RowStream<T> implements SampleStream<T> {
    private final RowBatches<T> batches;
    private final Transform<Row, T> samples;

    RowStream(RowBatches<T> batches, Transform<Row, T> samples) {
      this.batches = batches;
      this.samples = samples;
    }

    @Override
    public PendingSample<T> next() throws InterruptedException {
      Row row = batches.take();
      if (row == null) {
        return null;
      }
      return context -> {
        T sample = samples.apply(row);
        batches.underway.put(context.index(), row);
        return sample;
      };
    }

    @Override
    public void close() {
      // Spark closes the rows at the end of the task.
    }
  }

  /** Takes the next row from the queue; null at the end. Called by workers. */
  private synchronized @Nullable Row take() throws InterruptedException {
    while (waiting.isEmpty() && !noMoreRows && !closed) {
      wait();
    }
    notifyAll();
    return closed ? null : waiting.poll();
  }

  /** Fetches a batch each time that the consumer has taken the batch before it. */
  private void fetch() {
    try (BatchIterator batches = loader.iterator()) {
      while (isWanted() && batches.hasNext()) {
        hand(batches.next());
      }
      end(null);
    } catch (Throwable e) {
      end(e);
    }
  }

  private synchronized boolean isWanted() throws InterruptedException {
    while (ready != null && !closed) {
      wait();
    }
    return !closed;
  }

  private synchronized void hand(Batch batch) {
    if (closed) {
      batch.close();
    } else {
      ready = batch;
      notifyAll();
    }
  }

  private synchronized void end(Throwable cause) {
    noMoreBatches = true;
    failure = cause;
    notifyAll();
  }

  /**
   * Returns the next batch, which the caller closes before the next call; null at the end.
   *
   * @throws RuntimeException the loader's exception, if a sample fails
   * @throws org.apache.spark.TaskKilledException if the task is killed
   */
  @Nullable Batch next() {
    try {
      while (true) {
        task.killTaskIfInterrupted();
        pull();
        synchronized (this) {
          while (ready == null && !noMoreBatches && !closed && !wantsRows()) {
            wait();
          }
          if (closed) {
            throw new IllegalStateException("the batches of " + task.partitionId() + " are closed");
          }
          if (ready != null) {
            Batch batch = ready;
            ready = null;
            notifyAll();
            return batch;
          }
          if (noMoreBatches) {
            rethrow();
            return null;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.killTaskIfInterrupted();
      throw new IllegalStateException(
          "interrupted while waiting for a batch of partition " + task.partitionId(), e);
    }
  }

  private void rethrow() {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private synchronized boolean wantsRows() {
    return !noMoreRows && waiting.size() < most;
  }

  private void pull() {
    while (wantsRows()) {
      Row row = rows.hasNext() ? rows.next() : null;
      synchronized (this) {
        if (row == null) {
          noMoreRows = true;
        } else {
          waiting.add(row);
        }
        notifyAll();
      }
    }
  }

  /** Returns the rows of a batch, in the batch's order, and removes them. */
  List<Row> rowsOf(Batch batch) {
    long[] numbers = batch.indices();
    List<Row> its = new ArrayList<>(numbers.length);
    for (long number : numbers) {
      its.add(underway.get(number));
    }
    for (long number : numbers) {
      underway.remove(number);
    }
    return its;
  }

  @Override
  public void close() {
    Batch left;
    synchronized (this) {
      closed = true;
      left = ready;
      ready = null;
      notifyAll();
    }
    try (left) {
      loader.close();
    }
    boolean interrupted = false;
    while (fetcher.isAlive()) {
      try {
        fetcher.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
