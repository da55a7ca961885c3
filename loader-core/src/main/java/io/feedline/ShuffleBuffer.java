package io.feedline;

import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Shuffles a stream through a buffer: fills it, then gives a random one of its samples and reads
 * the next into its place, as tf.data's {@code shuffle} and webdataset do. Which one is a function
 * of seed, epoch and position.
 *
 * <p>The buffer holds what was read, not what is made of it: bytes, not images. A sample comes at
 * most {@code size - 1} positions before its turn, and may come any number of positions after it.
 */
final class ShuffleBuffer<T> implements SampleStream<T> {

  private final SampleStream<T> source;
  private final int size;
  private final SampleRandom random;
  private final List<Drawn<T>> buffer = new ArrayList<>();
  private boolean ended;

  /** A sample, or the exception that stands for one. */
  private record Drawn<T>(PendingSample<T> sample, Exception failure) {}

  ShuffleBuffer(SampleStream<T> source, int size, long seed, long epoch) {
    this.source = source;
    this.size = size;
    // No sample of a stream has this index.
    this.random = new SampleRandom(seed, epoch, Long.MIN_VALUE, 0);
  }

  @Override
  public PendingSample<T> next() throws Exception {
    while (!ended && buffer.size() < size) {
      Drawn<T> drawn = draw();
      if (drawn == null) {
        ended = true;
      } else {
        buffer.add(drawn);
      }
    }
    if (buffer.isEmpty()) {
      return null;
    }
    int chosen = random.nextInt(buffer.size());
    Drawn<T> result = buffer.get(chosen);
    Drawn<T> last = buffer.remove(buffer.size() - 1);
    if (chosen < buffer.size()) {
      buffer.set(chosen, last);
    }
    if (result.failure() != null) {
      throw result.failure();
    }
    return result.sample();
  }

  private Drawn<T> draw() {
    try {
      PendingSample<T> sample = source.next();
      return sample == null ? null : new Drawn<>(sample, null);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Drawn<>(null, e);
    }
  }

  @Override
  public void close() throws IOException {
    buffer.clear();
    ended = true;
    source.close();
  }
}
