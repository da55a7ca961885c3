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
 * An open shard of an {@link IterableDataset}, or several shards read as one. The samples are read
 * one by one.
 *
 * <p>Used by one thread at a time, not always the same thread. Its owner closes it; {@code close()}
 * may be called twice.
 */
public interface SampleStream<T> extends Closeable {
  /**
   * Reads on to the next sample. Workers wait for each other here, so an implementation only reads
   * bytes and leaves further work to {@link PendingSample#get}.
   *
   * @return the next sample; null at the end, and at each call after the end
   * @throws Exception if the sample cannot be read. The exception takes the sample's place; the
   *     following call returns the sample after it, or null if the stream cannot continue. An
   *     {@link InterruptedException} takes no sample's place: the following call returns the sample
   */
  @Nullable PendingSample<T> next() throws Exception;

  /**
   * Skips samples, for instance to resume an epoch. This implementation reads the samples without
   * decoding them; a format that can seek overrides it.
   *
   * @param samples the number of samples, including failing samples
   * @return the number of skipped samples, smaller than {@code samples} at the end
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
   * that passes on another stream's samples passes on that stream's mark, too.
   *
   * @return numbers that this kind of stream defines, each 0 or more, such as a byte offset. Empty,
   *     the default, if the stream cannot go to a place: a resumed epoch is then read again from
   *     its beginning
   */
  default List<Long> mark() {
    return List.of();
  }

  /**
   * Goes to a place that {@link #mark} of an earlier stream of the same shard and epoch returned.
   * Called before the first {@link #next}.
   *
   * @param samples the number of samples before the place, including failing samples
   * @throws Exception if the place cannot be reached
   */
  default void goTo(long samples, List<Long> mark) throws Exception {
    throw new IOException(
        "%s is not a position in %s, which gives none".formatted(mark, ClassNames.of(this)));
  }

  /**
   * Returns a stream of the samples of an iterator.
   *
   * @param samples the iterator. It may throw {@link UncheckedIOException} for an {@link
   *     IOException}, which is then the failure; null is not a sample. Each sample must be a new
   *     object, since it is still used after the next sample is read
   * @param resources closed once with the stream, from the first to the last, even if a resource
   *     throws
   */
  static <T> SampleStream<T> of(Iterator<? extends T> samples, Closeable... resources) {
    return new IteratorStream<>(samples, List.of(resources));
  }

  /** A sample whose bytes have been read; workers decode and transform samples in parallel. */
  @FunctionalInterface
  interface PendingSample<T> {
    /**
     * Makes the sample; called once.
     *
     * @throws Exception if the sample cannot be made
     */
    T get(SampleContext context) throws Exception;

    /** Returns a sample that has been made already. */
    static <T> PendingSample<T> of(T sample) {
      return context -> sample;
    }
  }
}
