package io.feedline;

import io.feedline.batch.Batch;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The consumer's place in an epoch, from which another loader can continue. */
final class EpochCursor<T> {

  private final Engine<T> engine;
  private final EpochSource<T> source;
  private final EpochPlace from;

  /** The number of the first batch that has not been delivered. */
  private long frontier;

  /** The position of a stream at the frontier, or before it; empty if unknown. */
  private List<Long> mark;

  /** The delivered batches after the frontier, by number, with the stream position after each. */
  private final TreeMap<Long, List<Long>> ahead = new TreeMap<>();

  private long passed;

  EpochCursor(Engine<T> engine, EpochSource<T> source, EpochPlace from) {
    this.engine = engine;
    this.source = source;
    this.from = from;
    this.frontier = source.firstBatch();
    this.mark = from.mark();
    from.ahead().forEach(number -> ahead.put(number, List.of()));
  }

  long epoch() {
    return source.epoch();
  }

  String dataset() {
    return source.datasetName();
  }

  OptionalLong remaining() {
    OptionalLong batches = source.batches();
    return batches.isPresent() ? OptionalLong.of(batches.getAsLong() - passed) : batches;
  }

  boolean finished() {
    OptionalLong left = remaining();
    return left.isPresent() && left.getAsLong() == 0;
  }

  boolean hasNext() {
    boolean allComeThrough =
        source.evenSteps() || engine.options().errorPolicy().action() != ErrorPolicy.Action.SKIP;
    if (allComeThrough && source.batches().isPresent()) {
      return remaining().getAsLong() > 0;
    }
    return engine.awaitNext(source, timeoutNanos(), this::pass);
  }

  Batch next() {
    BatchTask<T> task = take();
    if (task == null) {
      throw new NoSuchElementException("epoch %d has no more batches".formatted(epoch()));
    }
    pass(task);
    return task.deliver();
  }

  private @Nullable BatchTask<T> take() {
    while (true) {
      BatchTask<T> task = engine.take(source, timeoutNanos());
      if (task == null || !task.assembly().empty()) {
        return task;
      }
      pass(task);
      task.giveBack();
    }
  }

  private void pass(BatchTask<T> task) {
    passed++;
    if (ahead.isEmpty() && task.number() == frontier) {
      moveBehind(task.mark());
      return;
    }
    ahead.put(task.number(), task.mark());
    while (ahead.containsKey(frontier)) {
      moveBehind(ahead.remove(frontier));
    }
  }

  private void moveBehind(List<Long> itsMark) {
    frontier++;
    // A batch without a mark (place) keeps the earlier mark: the stream can be read on from it.
    mark = itsMark.isEmpty() ? mark : itsMark;
  }

  private long timeoutNanos() {
    return engine.options().timeout().map(Duration::toNanos).orElse(0L);
  }

  /**
   * Returns the place after the batches that have been delivered.
   *
   * @param batchSize the samples of a batch; 1 with a batch sampler, whose batches are counted
   */
  EpochPlace place(int batchSize) {
    return new EpochPlace(
        from.position() + (frontier - source.firstBatch()) * batchSize,
        from.offset(),
        from.rounding(),
        List.copyOf(ahead.keySet()),
        mark);
  }
}
