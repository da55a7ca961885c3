package io.feedline.data;

import io.feedline.batch.Collator;
import io.feedline.batch.Tensor;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Stages;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A finite collection of samples with random access, like PyTorch's map-style {@code Dataset}.
 *
 * <pre>{@code
 * Dataset<Double> squares = Dataset.of(10, i -> (double) i * i);
 * }</pre>
 *
 * <p>Thread-safe: a loader's workers call {@link #get} at once and in any order. A dataset that
 * holds files or mappings open is {@link AutoCloseable} as well; the code that made it closes it,
 * after the loaders that read it.
 *
 * <p>The methods here make datasets of other datasets, their members. Only the cached dataset keeps
 * samples. A composed dataset may read a member's size only once, and describes a sample as the
 * member does. It passes the {@link SampleContext} on to its members, so their random transforms
 * draw by the index that the loader asked for. It does not close its members.
 *
 * @param <T> the samples, which a {@link Collator} can assemble: by default tensors, images,
 *     numbers, arrays, strings, and records, maps and lists of these
 */
public interface Dataset<T> {

  /** Returns the number of samples, constant over the life of the dataset, 0 or more. */
  long size();

  /**
   * Returns the sample at an index. Equal calls give equal samples.
   *
   * @param index from 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if the index is outside that range
   * @throws Exception if the sample cannot be read
   */
  T get(long index) throws Exception;

  /**
   * Returns the sample at an index; loaders call this method. A dataset with random transforms
   * draws from the context; other datasets need not implement this method.
   *
   * @param index from 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if the index is outside that range
   * @throws Exception if the sample cannot be read or transformed
   */
  default T get(long index, SampleContext context) throws Exception {
    return get(index);
  }

  /**
   * Announces the reads that {@link #get(long, SampleContext)} will need for an index, so that the
   * loader may begin them early; see {@link io.feedline.DataLoaderBuilder#readAhead}. By default
   * announces nothing. A dataset that announces a read takes the read's result from the context:
   *
   * <pre>{@code
   * public void readAhead(long index, ReadAhead ahead) {
   *   ahead.add(files, index);
   * }
   *
   * public Picture get(long index, SampleContext context) throws Exception {
   *   return decode(context.read(files, index));
   * }
   * }</pre>
   *
   * <p>Called in the order of the epoch, often before {@code get} of the same index, sometimes
   * without a {@code get}. If there is a cache in front of the files, another thread calls this
   * method for all indices when an epoch begins. Must be quick, and must read nothing itself.
   */
  default void readAhead(long index, ReadAhead ahead) {}

  /**
   * Returns where the sample comes from, in words that help to find it: a path, a key, a record
   * number. By default the index. Used in errors; must not fail and must not read the sample.
   */
  default String describe(long index) {
    return "index " + index;
  }

  /** Returns the dataset's name in errors and logs; by default the name of its class. */
  default String name() {
    return ClassNames.of(this);
  }

  /**
   * Returns a text that changes when the samples or their order change, so that a loader's state is
   * not resumed on another dataset: by default the name and the size.
   */
  default String fingerprint() {
    return name() + ":" + size();
  }

  /**
   * Returns a text for each transform of the samples, in order: its {@code toString} or its class.
   * {@link io.feedline.DataLoader#resume} compares the texts to notice changed transforms. Empty by
   * default.
   */
  default List<String> transforms() {
    return List.of();
  }

  /** Returns this dataset with each sample transformed when the sample is asked for. */
  default <R> Dataset<R> map(Transform<? super T, ? extends R> transform) {
    return new MappedDataset<>(this, Step.of(null, transform));
  }

  /**
   * Returns this dataset with each sample randomly transformed when the sample is asked for. {@link
   * #get(long)} without a context uses seed 0 and epoch 0.
   */
  default <R> Dataset<R> map(RandomTransform<? super T, ? extends R> transform) {
    return new MappedDataset<>(this, Step.of(null, transform));
  }

  /**
   * Returns this dataset with each sample transformed, in a named stage, whose time {@link
   * io.feedline.DataLoader#stats} reports separately.
   *
   * @param stage such as {@code "resize"}; the times of several transforms with one name are added
   * @throws IllegalArgumentException if the name is blank, or is the name of a stage of the loader
   *     itself ({@link io.feedline.stats.LoaderStats.Stage})
   */
  default <R> Dataset<R> map(String stage, Transform<? super T, ? extends R> transform) {
    return new MappedDataset<>(this, Step.of(Stages.checked(stage), transform));
  }

  /** Returns this dataset randomly transformed in a stage: see {@link #map(String, Transform)}. */
  default <R> Dataset<R> map(String stage, RandomTransform<? super T, ? extends R> transform) {
    return new MappedDataset<>(this, Step.of(Stages.checked(stage), transform));
  }

  /**
   * Returns the samples that a predicate accepts, in their order. The thread that first asks for
   * the size or a sample reads the whole dataset once. If the index alone decides, {@link
   * #filterIndices} is cheap. The result keeps the accepted indices, 4 bytes each. If a sample
   * cannot be read in that pass, the thread gets a {@link LoaderException} that names the sample.
   *
   * <p>Map random transforms after the filter. A random transform before the filter is an error,
   * since the predicate would not see the delivered sample.
   *
   * @param predicate called by one thread
   */
  default Dataset<T> filter(Predicate<? super T> predicate) {
    return new FilteredDataset<>(this, predicate);
  }

  /**
   * Returns the samples whose index a predicate accepts, in their order. The predicate is called
   * now, for each index; no sample is read. The result keeps the accepted indices, 4 bytes each (8
   * if this dataset has more than 2^32 samples).
   */
  default Dataset<T> filterIndices(LongPredicate predicate) {
    long size = size();
    IndexList kept = new IndexList(size);
    for (long i = 0; i < size; i++) {
      if (predicate.test(i)) {
        kept.add(i);
      }
    }
    return RoutedDataset.select(this, kept.size(), kept::get, name() + ".filterIndices");
  }

  /**
   * Returns the samples that are not in a quarantine list, in their order, so that samples that
   * failed under an {@link io.feedline.ErrorPolicy} before do not fail again. The list must come
   * from a loader of this same dataset, with the same samples at the same indices.
   *
   * @throws IllegalArgumentException if an index of the list is beyond this dataset, or if this
   *     dataset {@linkplain #describe describes} another sample at the index; the directory of a
   *     path may differ
   */
  default Dataset<T> without(Quarantine quarantine) {
    long[] excluded = quarantine.indices();
    quarantine.requireOf(this);
    return filterIndices(index -> Arrays.binarySearch(excluded, index) < 0);
  }

  /**
   * Returns the samples with these indices, in this order, like PyTorch's {@code Subset}.
   *
   * @param indices copied; an index that occurs twice gives its sample twice
   * @throws IllegalArgumentException if an index is outside 0 .. {@code size() - 1}
   */
  default Dataset<T> subset(long[] indices) {
    return Splits.subset(this, indices, "indices", name() + ".subset");
  }

  /**
   * Returns the samples from one index to another, as in {@link List#subList}.
   *
   * @throws IllegalArgumentException unless {@code 0 <= from <= to <= size()}
   */
  default Dataset<T> subset(long from, long to) {
    if (from < 0 || from > to || to > size()) {
      throw new IllegalArgumentException(
          "a subset of %s needs 0 <= from <= to <= %d, was from %d to %d"
              .formatted(name(), size(), from, to));
    }
    return RoutedDataset.select(
        this, to - from, i -> from + i, name() + ".subset(" + from + ", " + to + ")");
  }

  /**
   * Returns random parts that together are this dataset, like PyTorch's {@code random_split} with
   * fractions: each part has its fraction of the size, rounded down, and the remaining samples are
   * dealt out, one to each part from the first on. The parts keep no indices.
   *
   * @param fractions each from 0 to 1, with the sum 1; a warning is logged if a part becomes empty
   * @param seed equal seeds give equal parts
   * @throws IllegalArgumentException if a fraction is out of range, or the sum is not 1
   */
  default List<? extends Dataset<T>> split(double[] fractions, long seed) {
    return Splits.byFractions(this, fractions, seed);
  }

  /**
   * Returns random parts of given lengths that together are this dataset: consecutive pieces of
   * epoch 0 of {@link io.feedline.sampler.RandomSampler#of RandomSampler.of(size(), seed)}.
   *
   * @param lengths each 0 or more, with the sum {@link #size}
   * @throws IllegalArgumentException if a length is negative, or the sum is not the size
   */
  default List<? extends Dataset<T>> split(long[] lengths, long seed) {
    return Splits.byLengths(this, lengths, seed);
  }

  /**
   * Returns the parts with the given indices, which together are this dataset: for a split that was
   * made elsewhere, for example by {@link io.feedline.sampler.TorchRandom#randomSplit(long,
   * long[])}, or the {@code indices} of the subsets of Python's {@code random_split}.
   *
   * @param indices the indices of each part; copied
   * @throws IllegalArgumentException if an index is out of range, given twice or missing
   */
  default List<? extends Dataset<T>> split(long[][] indices) {
    return Splits.byIndices(this, indices);
  }

  /**
   * Returns random parts that together are this dataset and have the same share of each class, as
   * near as whole samples allow: like scikit-learn's {@code train_test_split} with {@code
   * stratify}, for any number of parts. A part has its fraction of each class, rounded up or down;
   * over all classes, the rounding favors no part. The samples of a part are in random order. The
   * parts keep their indices, 4 bytes each.
   *
   * @param fractions each from 0 to 1, with the sum 1. A warning is logged if a class has too few
   *     samples for a part
   * @param labels the class of each sample by index, any numbers
   * @throws IllegalArgumentException if a fraction is out of range, the sum is not 1, or there are
   *     more or fewer labels than samples
   */
  default List<? extends Dataset<T>> splitStratified(double[] fractions, int[] labels, long seed) {
    return Splits.stratified(this, fractions, labels, seed);
  }

  /**
   * Returns the rounds of a cross-validation, like scikit-learn's {@code KFold} with {@code
   * shuffle}: the samples are dealt out to parts at random, and each fold validates with one part
   * and trains with the other parts. The parts' sizes differ by 1 at most. No indices are kept.
   *
   * @param count the number of folds, from 2 to {@link #size}
   * @param seed equal seeds give equal folds
   * @throws IllegalArgumentException if {@code count} is out of range
   */
  default List<? extends Fold<? extends Dataset<T>>> folds(int count, long seed) {
    return Splits.folds(this, count, seed);
  }

  /**
   * Returns the rounds of a cross-validation whose parts have the same share of each class, like
   * scikit-learn's {@code StratifiedKFold} with {@code shuffle}; see {@link #folds} and {@link
   * #splitStratified}. All folds together keep 4 bytes per sample.
   *
   * @param count from 2 to {@link #size}. A warning is logged if a class has too few samples
   * @param labels the class of each sample by index, any numbers
   * @throws IllegalArgumentException if {@code count} is out of range, or there are more or fewer
   *     labels than samples
   */
  default List<? extends Fold<? extends Dataset<T>>> foldsStratified(
      int count, int[] labels, long seed) {
    return Splits.foldsStratified(this, count, labels, seed);
  }

  /**
   * Returns this dataset several times, one after the other, for a longer epoch. Random transforms
   * draw anew each time.
   *
   * @param times 1 or more
   * @throws IllegalArgumentException if {@code times} is below 1
   * @throws ArithmeticException if there would be 2^63 samples or more
   */
  default Dataset<T> repeat(long times) {
    if (times < 1) {
      throw new IllegalArgumentException("times must be 1 or more, was " + times);
    }
    long size = size();
    return RoutedDataset.select(
        this, Math.multiplyExact(size, times), i -> i % size, name() + ".repeat(" + times + ")");
  }

  /**
   * Returns pairs: this dataset's sample and the other dataset's sample at the same index, named
   * {@code first} and {@code second} in a batch. Random transforms of the two sides draw different
   * numbers; map a transform that both sides share (a crop of image and mask) after the zip.
   *
   * @throws IllegalArgumentException if the sizes differ
   */
  default <B> Dataset<Pair<T, B>> zip(Dataset<B> other) {
    return zip(other, Pair::new);
  }

  /**
   * Returns this dataset's sample and the other dataset's sample at the same index, combined into
   * one sample.
   *
   * @throws IllegalArgumentException if the sizes differ
   */
  default <B, R> Dataset<R> zip(
      Dataset<B> other, Combiner<? super T, ? super B, ? extends R> combiner) {
    return new ZippedDataset<>(this, other, combiner);
  }

  /**
   * Returns this dataset with a cache, by {@link CachedDataset#of}: once a sample has been read, it
   * is kept in memory outside the heap. The caller closes the cache.
   */
  default CachedDataset<T> cached(long byteBudget) {
    return CachedDataset.of(this, byteBudget);
  }

  /**
   * Returns the datasets one after the other as one dataset, like PyTorch's {@code ConcatDataset}.
   *
   * @throws IllegalArgumentException if no dataset is given
   */
  static <T> Dataset<T> concat(List<? extends Dataset<? extends T>> datasets) {
    return ConcatRoute.concat(datasets);
  }

  /** Returns the datasets one after the other as one dataset, as {@link #concat(List)} does. */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  static <T> Dataset<T> concat(Dataset<? extends T>... datasets) {
    return ConcatRoute.concat(Arrays.asList(datasets));
  }

  /**
   * Returns datasets of one size as one dataset, like PyTorch's {@code StackDataset}: the sample at
   * an index is a map with each dataset's sample at that index.
   *
   * @param datasets the datasets by the names of their entries. The entries are in the order of
   *     this map if it has an order ({@link java.util.LinkedHashMap}, {@link java.util.SortedMap}),
   *     otherwise sorted
   * @throws IllegalArgumentException if the map is empty, or the sizes differ
   */
  static Dataset<Map<String, Object>> stack(Map<String, ? extends Dataset<?>> datasets) {
    return new StackedDataset(datasets);
  }

  /**
   * Returns one dataset that interleaves datasets by weights. Nothing is random: the sample at an
   * index is fixed, each dataset's samples keep their order, and the number of a dataset's samples
   * among the first n differs from its weight's share by less than one. A loader that shuffles
   * mixes the datasets at random.
   *
   * @param datasets the datasets, none of which is empty
   * @param weights one for each dataset, in any unit; the shares are exact if some block of at most
   *     65536 samples can be divided in this ratio, otherwise rounded to 1/65536
   * @throws IllegalArgumentException if there is no dataset, if a dataset is empty, or if a weight
   *     is not positive, not finite, or less than 1/65536 of the sum of the weights
   */
  static <T> Dataset<T> mix(
      List<? extends Dataset<? extends T>> datasets, double[] weights, StoppingRule rule) {
    return MixRoute.mix(datasets, weights, rule);
  }

  /**
   * Returns a dataset of the elements of a list. The list is copied. All workers share the
   * elements, so the elements must not change.
   *
   * <p>The {@link #fingerprint} depends on the values of strings, numbers, booleans, enum constants
   * and paths; of other elements only on their number.
   *
   * @param samples without null
   */
  static <T> Dataset<T> of(List<? extends T> samples) {
    return new ListDataset<>(samples);
  }

  /**
   * Returns a dataset of rows, like PyTorch's {@code TensorDataset}: sample {@code i} is a map with
   * the i-th row of each tensor, a view and no copy.
   *
   * <pre>{@code
   * Dataset<Map<String, Tensor>> points =
   *     Dataset.ofTensors(
   *         Map.of("x", Tensor.of(features, 1000, 4), "label", Tensor.of(labels)));
   * }</pre>
   *
   * @param tensors the tensors by the names of their entries, with first axes of one length. They
   *     must not change, so copy tensors of a batch first. The entries are in the order of this map
   *     if it has an order ({@link java.util.LinkedHashMap}, {@link java.util.SortedMap}),
   *     otherwise sorted
   * @throws IllegalArgumentException if no tensor is given, if a tensor is a scalar, or if the
   *     lengths of the first axes differ
   */
  static Dataset<Map<String, Tensor>> ofTensors(Map<String, Tensor> tensors) {
    return new TensorDataset(tensors);
  }

  /**
   * Returns a dataset from a function.
   *
   * @param size the number of samples
   * @param getter the function from an index to its sample; thread-safe
   * @throws IllegalArgumentException if {@code size} is negative
   */
  static <T> Dataset<T> of(long size, Getter<? extends T> getter) {
    if (size < 0) {
      throw new IllegalArgumentException("size must be 0 or more, was " + size);
    }
    Objects.requireNonNull(getter, "getter");
    return new Dataset<>() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public T get(long index) throws Exception {
        return getter.get(Objects.checkIndex(index, size));
      }

      @Override
      public String name() {
        return "Dataset.of(" + size + ")";
      }

      @Override
      public String toString() {
        return name();
      }
    };
  }

  /** A function that returns the sample at an index. */
  @FunctionalInterface
  interface Getter<T> {
    /**
     * Returns the sample at an index.
     *
     * @param index from 0 to {@code size() - 1}
     * @throws Exception if the sample cannot be read
     */
    T get(long index) throws Exception;
  }

  /** A function that combines two parts into one sample. Called by many workers at once. */
  @FunctionalInterface
  interface Combiner<A, B, R> {
    /**
     * Combines the parts.
     *
     * @throws Exception if the parts do not fit together
     */
    R combine(A first, B second) throws Exception;
  }

  /** The rule by which a mixture of datasets ends; see {@link Dataset#mix}. */
  enum StoppingRule {
    /**
     * The mixture ends when it is the turn of a dataset that has no more samples. No sample occurs
     * twice; some samples of the other datasets do not occur.
     */
    FIRST_EXHAUSTED,

    /**
     * The mixture ends when each dataset has been read to its end. No sample is left out; a dataset
     * that ends earlier begins again from its first sample.
     */
    ALL_EXHAUSTED
  }

  /**
   * One round of a cross-validation: the samples to train with and the samples to validate with,
   * together the whole dataset. {@link Dataset#folds} and {@link Dataset#foldsStratified} return
   * folds.
   *
   * @param validation the samples to validate with; no other fold validates with these samples
   * @param <D> the type of the dataset that was divided
   */
  record Fold<D extends Dataset<?>>(D train, D validation) {

    public Fold {
      Objects.requireNonNull(train, "train");
      Objects.requireNonNull(validation, "validation");
    }
  }

  /** A receiver of the reads that a sample will need; see {@link Dataset#readAhead}. */
  interface ReadAhead {

    /**
     * Announces a read that the sample will need. The loader may begin the read at once, later or
     * not at all; the sample gets the result by {@link SampleContext#read}.
     *
     * @param reader the reader that the sample passes to {@link SampleContext#read}, or an equal
     *     reader
     */
    void add(SampleReader<?> reader, long index);
  }

  /** The parts of a sample of {@link #zip(Dataset)}. */
  record Pair<A, B>(A first, B second) {}
}
