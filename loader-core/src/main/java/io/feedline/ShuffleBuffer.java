package io.feedline;

import io.feedline.internal.Cancellation;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream that is shuffled through a buffer: it fills the buffer, then returns a random sample of
 * the buffer and reads the next sample into its place, as tf.data's {@code shuffle} and webdataset
 * do. The choice is a function of seed, epoch, rank and position.
 *
 * <p>The buffer contains samples before they are made: bytes, not images. A sample is returned at
 * most {@code size - 1} positions before its position in the source, or any number of positions
 * after it. The stream has no positions to seek to: a resumed epoch is read again from its start.
 */
final class ShuffleBuffer<T> implements EpochStream<T> {

  private final EpochStream<T> source;
  private final int size;
  private final SampleRandom random;
  private final List<StreamedSample<T>> buffer = new ArrayList<>();
  private boolean ended;

  ShuffleBuffer(EpochStream<T> source, int size, long seed, long epoch, int rank) {
    this.source = source;
    this.size = size;
    // No sample of a stream has this index.
    this.random = new SampleRandom(seed, epoch, Long.MIN_VALUE + rank, 0);
  }

  @Override
  public StreamedSample<T> next() throws InterruptedException {
    while (!ended && buffer.size() < size) {
      StreamedSample<T> drawn = source.next();
      if (drawn == null) {
        ended = true;
      } else {
        buffer.add(drawn);
      }
      if (buffer.size() < size) {
        Cancellation.check();
      }
    }
    if (buffer.isEmpty()) {
      return null;
    }
    int chosen = random.nextInt(buffer.size());
    StreamedSample<T> result = buffer.get(chosen);
    StreamedSample<T> last = buffer.remove(buffer.size() - 1);
    if (chosen < buffer.size()) {
      buffer.set(chosen, last);
    }
    return result;
  }

  @Override
  public String describe(int shard, long ordinal) {
    return source.describe(shard, ordinal);
  }

  @Override
  public void close() throws IOException {
    buffer.clear();
    ended = true;
    source.close();
  }
}
