package io.feedline;

import io.feedline.internal.Cancellation;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one rank from a stream that each rank reads as a whole. After {@code offset} used
 * samples, sample {@code i} of the rest belongs to rank {@code i % ranks}.
 *
 * <p>A round consists of one sample for each rank. If {@code evenly}, a last round that is
 * incomplete is left out: a sample is returned only after the whole round was read.
 */
final class DealtStream<T> implements EpochStream<T> {

  private final EpochStream<T> source;
  private final int rank;
  private final int ranks;

  private final long offset;

  private final boolean evenly;

  /** The number of samples read from the source, including the samples of other ranks. */
  private long read;

  private long rounds;

  private @Nullable StreamedSample<T> mine;

  /**
   * A serious failure of another rank's sample in the current round, such as an {@link Error}. A
   * failure that is not serious is reported by the other rank alone.
   */
  private @Nullable Throwable error;

  private boolean ended;

  DealtStream(EpochStream<T> source, int rank, int ranks, long offset, boolean evenly) {
    this.source = source;
    this.rank = rank;
    this.ranks = ranks;
    this.offset = offset;
    this.evenly = evenly;
  }

  @Override
  public StreamedSample<T> next() throws InterruptedException {
    long position = offset + rounds * ranks + rank;
    long end = evenly ? offset + (rounds + 1) * ranks : position + 1;
    while (!ended && read < end) {
      StreamedSample<T> drawn = source.next();
      if (drawn == null) {
        ended = true;
      } else if (read++ == position) {
        mine = drawn;
      } else if (drawn.serious()) {
        error = drawn.failure();
      }
      if (read < end) {
        Cancellation.check();
      }
    }
    if (ended) {
      return null;
    }
    StreamedSample<T> result =
        error == null || mine.failure() != null
            ? mine
            : new StreamedSample<>(null, error, mine.shard(), mine.ordinal());
    rounds++;
    mine = null;
    error = null;
    return result;
  }

  @Override
  public long goTo(long position, List<Long> mark) throws Exception {
    rounds = position;
    read = offset + position * ranks;
    long reached = source.goTo(read, mark);
    return Counts.ceilDiv(Math.max(0, reached - offset), ranks);
  }

  @Override
  public List<Long> mark() {
    return source.mark();
  }

  @Override
  public String describe(int shard, long ordinal) {
    return source.describe(shard, ordinal);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
