package io.feedline.data;

import io.feedline.internal.Cancellation;
import io.feedline.internal.ClassNames;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open shard of an {@link IterableDataset}, or several read as one, whose samples are read one
 * by one.
 *
 * <p>Used by one thread at a time, not always the same. Its owner closes it; {@code close()} may be
 * called twice.
 */
public interface SampleStream<T> extends Closeable {
  /**
   * Reads on to the next sample. Workers wait for each other here, so an implementation only reads
   * bytes and leaves further work to {@link PendingSample#get}.
   *
   * @return the next sample, or null at the end, and whenever it is asked again after that
   * @throws Exception if the sample cannot be read. The exception takes the sample's place; the
   *     following call gives the sample behind it, or returns null if that is impossible. An {@link
   *     InterruptedException} takes no place: the following call gives the sample
   */
  @Nullable PendingSample<T> next() throws Exception;

  /**
   * Leaves out samples, as when an epoch is resumed. This implementation reads the samples without
   * making them; a format that can seek does better.
   *
   * @param samples the number of samples, including failing samples
   * @return how many there were to be left out: fewer at the end
   */
  default long skip(long samples) throws Exception {
    for (long skipped = 0; skipped < samples; skipped++) {
      Cancellation.check();
      try {
        if (next() == null) {
          return skipped;
        }
      } catch (InterruptedException | InterruptedIOException | ClosedByInterruptException e) {
        throw e;
      } catch (Exception failure) {
        if (StoreException.isBehind(failure)) {
          throw failure;
        }
        // The failure took a sample's place when the epoch was first read, and was delivered then.
      }
    }
    return samples;
  }

  /**
   * Returns the place of the next sample, for {@link #goTo}; a loader's state keeps it. A stream
   * that passes on another stream's samples passes on its mark, too.
   *
   * @return some numbers of the stream's own, each 0 or more, such as a byte offset; empty, the
   *     default, where this stream cannot go to a place: a resumed epoch is then read once more
   *     from its beginning
   */
  default List<Long> mark() {
    return List.of();
  }

  /**
   * Goes to a place that an earlier stream of the same shard and epoch had in {@link #mark}. Called
   * before the first {@link #next}.
   *
   * @param samples the number of samples before it, including failing samples
   * @throws Exception if the place cannot be reached
   */
  default void goTo(long samples, List<Long> mark) throws Exception {
    throw new IOException(
        "%s is not a position in %s, which gives none".formatted(mark, ClassNames.of(this)));
  }

  /**
   * Returns the samples of an iterator.
   *
   * @param samples may throw {@link UncheckedIOException} for an {@link IOException}, which then is
   *     the failure; null is not a sample. Each sample must be a new object: it is used after the
   *     next sample is read
   * @param resources closed once with the stream, from the first to the last, even if one of them
   *     throws
   */
  static <T> SampleStream<T> of(Iterator<? extends T> samples, Closeable... resources) {
    return new IteratorStream<>(samples, List.of(resources));
  }

  /**
   * A sample that has been read from a stream but not yet made: making it is for the worker that
   * took it, in parallel with others.
   */
  @FunctionalInterface
  interface PendingSample<T> {
    /**
     * Makes the sample; called once.
     *
     * @throws Exception if it cannot be made
     */
    T get(SampleContext context) throws Exception;

    /** Returns a sample that has been made already. */
    static <T> PendingSample<T> of(T sample) {
      return context -> sample;
    }
  }
}
