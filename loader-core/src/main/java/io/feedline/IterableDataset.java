package io.feedline;

import io.feedline.internal.ClassNames;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A collection of samples that can only be read from front to back, like PyTorch's {@code
 * IterableDataset}. It consists of one or more shards; each is opened once an epoch, whatever the
 * number of workers, so nothing is delivered twice.
 *
 * <p>Thread-safe; a stream that it opens is used by one thread at a time.
 *
 * @param <T> a sample
 */
public interface IterableDataset<T> {

  /** Returns the number of shards, 1 or more. */
  default int shards() {
    return 1;
  }

  /**
   * Opens a shard for reading from its beginning.
   *
   * @param shard from 0 to {@code shards() - 1}
   * @param epoch 0 or more, for datasets whose order changes by the epoch
   * @return a new stream, owned by the caller, who closes it
   * @throws Exception if the shard cannot be opened
   */
  SampleStream<T> open(int shard, long epoch) throws Exception;

  /** Returns the number of samples in all shards, where it is known. */
  default OptionalLong size() {
    return OptionalLong.empty();
  }

  /** Returns the number of samples in a shard, where it is known. */
  default OptionalLong shardSize(int shard) {
    return shards() == 1 ? size() : OptionalLong.empty();
  }

  /**
   * Returns something that changes when the samples or their order do, so that a loader's state is
   * not resumed on another dataset: by default the name and the number of shards.
   */
  default String fingerprint() {
    return name() + ":" + shards();
  }

  /** Returns what the dataset is called in errors and logs. */
  default String name() {
    return ClassNames.of(this);
  }

  /**
   * Returns this dataset with each sample transformed; the workers do so at once, though the stream
   * is read by one at a time.
   *
   * @param <R> the transformed sample
   */
  default <R> IterableDataset<R> map(Transform<? super T, ? extends R> transform) {
    Objects.requireNonNull(transform, "transform");
    return new MappedIterableDataset<>(this, (sample, context) -> transform.apply(sample));
  }

  /**
   * Returns this dataset with each sample randomly transformed; the workers do so at once, though
   * the stream is read by one at a time.
   *
   * @param <R> the transformed sample
   */
  default <R> IterableDataset<R> map(RandomTransform<? super T, ? extends R> transform) {
    Objects.requireNonNull(transform, "transform");
    return new MappedIterableDataset<>(
        this, (sample, context) -> transform.apply(sample, context.nextRandom()));
  }

  /**
   * Returns the shards of several datasets as those of one.
   *
   * @param <T> a sample
   * @throws IllegalArgumentException if there are none
   */
  static <T> IterableDataset<T> chain(List<? extends IterableDataset<? extends T>> datasets) {
    return new ChainedIterableDataset<>(List.copyOf(datasets));
  }

  /**
   * Returns a dataset of one shard from a collection.
   *
   * @param source iterated once an epoch; an iterator that is {@link Closeable} is closed
   * @param <T> a sample
   */
  static <T> IterableDataset<T> of(Iterable<? extends T> source) {
    Objects.requireNonNull(source, "source");
    return (shard, epoch) -> {
      Iterator<? extends T> iterator = source.iterator();
      return new SampleStream<>() {
        @Override
        public PendingSample<T> next() {
          return iterator.hasNext() ? PendingSample.of(iterator.next()) : null;
        }

        @Override
        public void close() throws IOException {
          if (iterator instanceof Closeable closeable) {
            closeable.close();
          }
        }
      };
    };
  }
}
