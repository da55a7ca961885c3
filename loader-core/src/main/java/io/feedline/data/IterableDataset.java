package io.feedline.data;

import io.feedline.data.Dataset.StoppingRule;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Lists;
import io.feedline.internal.Stages;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * A collection of samples that can only be read from front to back, like PyTorch's {@code
 * IterableDataset}. It consists of one or more shards; each shard is opened once per epoch,
 * whatever the number of workers, so no sample is delivered twice. The dataset may be endless. For
 * the way in which ranks share it, see {@link
 * io.feedline.DataLoaderBuilder#distributed(io.feedline.sampler.WorldInfo)}.
 *
 * <pre>{@code
 * IterableDataset<Integer> generator =
 *     IterableDataset.from(
 *         () -> SampleStream.of(Stream.iterate(1, i -> 2 * i).limit(3).iterator()));
 * }</pre>
 *
 * <p>Thread-safe; a stream that it opens is used by one thread at a time.
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

  /** Returns the number of samples in all shards; empty if it is unknown, which is the default. */
  default OptionalLong size() {
    return OptionalLong.empty();
  }

  /**
   * Returns the number of samples in a shard; empty if it is unknown. By default the size of the
   * dataset if it has one shard, otherwise empty.
   */
  default OptionalLong shardSize(int shard) {
    return shards() == 1 ? size() : OptionalLong.empty();
  }

  /** Returns a {@link Dataset#fingerprint}: by default the name and the number of shards. */
  default String fingerprint() {
    return name() + ":" + shards();
  }

  /** Returns the texts of the samples' transforms, as {@link Dataset#transforms} does. */
  default List<String> transforms() {
    return List.of();
  }

  /**
   * Returns whether the samples can be read in one epoch only, like the samples of a socket: see
   * {@link #once}. A loader then begins no epoch ahead of time, and refuses a second epoch.
   */
  default boolean readOnce() {
    return false;
  }

  /** Returns where a shard comes from, for errors: its path, for instance. */
  default String describe(int shard) {
    return "shard %d of %s".formatted(shard, name());
  }

  /**
   * Returns where a sample comes from, for errors: file and line, for instance.
   *
   * @param sample the number of the shard's samples before this sample, including failing samples
   */
  default String describe(int shard, long sample) {
    return "sample %d of %s".formatted(sample, describe(shard));
  }

  /** Returns the dataset's name in errors and logs; by default the name of its class. */
  default String name() {
    return ClassNames.of(this);
  }

  /** Returns this dataset with each sample transformed, by all workers at once. */
  default <R> IterableDataset<R> map(Transform<? super T, ? extends R> transform) {
    return new MappedIterableDataset<>(this, Step.of(null, transform));
  }

  /** Returns this dataset with each sample randomly transformed, by all workers. */
  default <R> IterableDataset<R> map(RandomTransform<? super T, ? extends R> transform) {
    return new MappedIterableDataset<>(this, Step.of(null, transform));
  }

  /**
   * Returns this dataset with each sample transformed, in a named stage, as {@link
   * Dataset#map(String, Transform)} does.
   *
   * @throws IllegalArgumentException if the name is blank, or is the name of a stage of the loader
   *     itself
   */
  default <R> IterableDataset<R> map(String stage, Transform<? super T, ? extends R> transform) {
    return new MappedIterableDataset<>(this, Step.of(Stages.checked(stage), transform));
  }

  /** Returns this dataset randomly transformed in a stage: see {@link #map(String, Transform)}. */
  default <R> IterableDataset<R> map(
      String stage, RandomTransform<? super T, ? extends R> transform) {
    return new MappedIterableDataset<>(this, Step.of(Stages.checked(stage), transform));
  }

  /**
   * Returns the samples that a predicate accepts. The predicate needs the finished sample, so the
   * worker that reads the stream also decodes and transforms the sample, while other workers wait.
   * So filter before slow transforms. Random transforms must come after the filter.
   *
   * <p>The result does not know its size. If a sample or the predicate fails, an error takes the
   * sample's place and says where the sample comes from.
   *
   * @param predicate thread-safe, and without randomness
   */
  default IterableDataset<T> filter(Predicate<? super T> predicate) {
    Objects.requireNonNull(predicate, "predicate");
    return new FlatMappedIterableDataset<>(
        this,
        sample ->
            predicate.test(sample) ? Collections.singletonList(sample) : Collections.emptyList(),
        "filter");
  }

  /**
   * Returns a dataset in which each sample of this dataset becomes some samples, or none: the
   * windows of a text, for instance. The worker that reads the stream makes these samples, as for
   * {@link #filter}, and they keep their order. A loader that resumes in the middle of the samples
   * that one source sample became makes the earlier of them again.
   *
   * <pre>{@code
   * IterableDataset<String> sentences = documents.flatMap(text -> List.of(text.split("\. ")));
   * }</pre>
   *
   * @param transform thread-safe, and without randomness; its result is iterated once, and may be
   *     lazy
   */
  default <R> IterableDataset<R> flatMap(
      Transform<? super T, ? extends Iterable<? extends R>> transform) {
    return new FlatMappedIterableDataset<>(this, transform, "flatMap");
  }

  /**
   * Returns the first samples of each epoch; a failing sample counts. The result has one shard,
   * which reads this dataset's shards one after the other. To open several shards at once, or to
   * distribute shards over ranks, select shards instead.
   *
   * @param samples the largest number of samples to return, 0 or more
   * @throws IllegalArgumentException if {@code samples} is negative
   */
  default IterableDataset<T> take(long samples) {
    return new SectionIterableDataset<>(
        this, 0, SectionIterableDataset.checked("take", samples), ".take(" + samples + ")");
  }

  /**
   * Returns all but the first samples of each epoch, the complement of {@link #take}, as one shard.
   * Each epoch reads the skipped samples, but does not decode or transform them.
   *
   * @param samples the number of samples to pass over, including failing samples; 0 or more
   * @throws IllegalArgumentException if {@code samples} is negative
   */
  default IterableDataset<T> skip(long samples) {
    return new SectionIterableDataset<>(
        this,
        SectionIterableDataset.checked("skip", samples),
        Long.MAX_VALUE,
        ".skip(" + samples + ")");
  }

  /**
   * Returns a mixture of datasets, interleaved by weights as by {@link Dataset#mix}: in any stretch
   * of the mixture, the number of a dataset's samples differs from its share by less than two.
   *
   * <p>The mixture has one shard: the shards of each dataset are read one after the other, and a
   * dataset is exhausted when its last shard is exhausted. A dataset without samples causes one
   * error, at its first turn; if an {@link io.feedline.ErrorPolicy} skips the error, {@code rule}
   * applies to the other datasets.
   *
   * @param datasets one or more, of any size, endless datasets included
   * @param weights one for each dataset, in any unit
   * @param seed determines which dataset's turn is first and, with the epoch, the order of each
   *     dataset's shards
   * @throws IllegalArgumentException if there is no dataset, or a weight is missing, not positive,
   *     or less than 1/65536 of the sum of the weights; or, with {@code ALL_EXHAUSTED}, if one of
   *     several datasets can be {@linkplain #readOnce read once} only
   */
  @SuppressWarnings("unchecked") // A dataset only returns samples, so one of a subtype is safe.
  static <T> IterableDataset<T> mix(
      List<? extends IterableDataset<? extends T>> datasets,
      double[] weights,
      long seed,
      StoppingRule rule) {
    return new MixedIterableDataset<>(
        Lists.copyOf("datasets", (List<IterableDataset<T>>) datasets), weights, seed, rule);
  }

  /**
   * Returns the shards of several datasets, one dataset after the other, as one dataset; like
   * PyTorch's {@code ChainDataset}.
   *
   * @throws IllegalArgumentException if no dataset is given
   */
  static <T> IterableDataset<T> chain(List<? extends IterableDataset<? extends T>> datasets) {
    return new ChainedIterableDataset<>(Lists.copyOf("datasets", datasets));
  }

  /**
   * Returns a dataset of one shard from a collection.
   *
   * @param source the collection, iterated once per epoch; an iterator that is {@link Closeable} is
   *     closed. If the collection returns the same iterator again, all epochs but the first are
   *     empty. Each sample must be a new object, since it is still used after the next sample is
   *     read
   */
  static <T> IterableDataset<T> of(Iterable<? extends T> source) {
    Objects.requireNonNull(source, "source");
    return (shard, epoch) -> {
      Iterator<? extends T> iterator = source.iterator();
      return iterator instanceof Closeable closeable
          ? SampleStream.of(iterator, closeable)
          : SampleStream.of(iterator);
    };
  }

  /**
   * Returns a dataset of one shard from a source that can be opened any number of times and has the
   * same samples each time.
   *
   * <pre>{@code
   * IterableDataset<String> lines = IterableDataset.from(() -> {
   *   BufferedReader reader = Files.newBufferedReader(path, ISO_8859_1);
   *   return SampleStream.of(reader.lines().iterator(), reader);
   * });
   * }</pre>
   *
   * @param source opened once per epoch, by a worker. If it returns the same iterator or reader
   *     again, all epochs but the first are empty; use {@link #once} for such a source
   */
  static <T> IterableDataset<T> from(StreamSource<T> source) {
    return new SourceDataset<>(source, false);
  }

  /**
   * Returns a dataset of one shard from a source that can be read only once: a socket, standard
   * input, a consumer of messages. The dataset has one epoch; beginning a second epoch is an error.
   * A loader that resumes reads past the samples that were delivered before, so the source must
   * then begin where it began the first time.
   *
   * @param source opened once in all, by a worker, when the first sample is asked for; closed once,
   *     at its end or with the loader
   */
  static <T> IterableDataset<T> once(StreamSource<T> source) {
    return new SourceDataset<>(source, true);
  }

  /**
   * Returns the lines of text files in UTF-8, each file a shard. A line ends with {@code \n} or
   * {@code \r\n}; the text of the line does not contain its end. The last line may have no end. A
   * byte order mark is left out. A line that is not UTF-8, or longer than 16 MiB, is replaced by an
   * error that names file, line and byte offset. A loader that resumes goes to the byte where it
   * stopped, unless there is a shuffle buffer.
   *
   * <p>With {@code io.feedline:loader-text} on the class path, a file may be compressed by gzip or
   * Zstandard (its first bytes show the compression), and a file of an object store is read ahead.
   * Offsets and places refer to the unpacked text: a loader that resumes unpacks the earlier bytes
   * without making lines of them.
   *
   * @param files files of any file system provider; they must not change while they are used
   * @throws IllegalArgumentException if no file is given
   * @throws IOException if a file does not exist or is not a regular file
   */
  static IterableDataset<String> lines(Path... files) throws IOException {
    return lines(List.of(files));
  }

  /** Returns the lines of text files, as {@link #lines(Path...)} does. */
  static IterableDataset<String> lines(List<Path> files) throws IOException {
    return lines(files, TextLines.DEFAULT_MAX_LINE_BYTES);
  }

  /**
   * Returns the lines of text files, as {@link #lines(Path...)} does.
   *
   * @param maxLineBytes the largest number of bytes of a line without its end, from 1 to
   *     2<sup>30</sup>; bounds the memory that a damaged file can take
   */
  static IterableDataset<String> lines(List<Path> files, int maxLineBytes) throws IOException {
    return TextLines.of(files, maxLineBytes);
  }

  /** An opener of a source of samples: a file, a socket, a queue. */
  @FunctionalInterface
  interface StreamSource<T> {
    /**
     * Opens the source.
     *
     * @return a stream of the source's samples from the first on, for instance {@link
     *     SampleStream#of}; the caller closes the stream
     * @throws IOException if the source cannot be opened
     */
    SampleStream<T> open() throws IOException;
  }
}
