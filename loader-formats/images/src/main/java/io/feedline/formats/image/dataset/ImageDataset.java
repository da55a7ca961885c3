package io.feedline.formats.image.dataset;

import io.feedline.data.CachedDataset;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.Fold;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.ImageDecoders;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.internal.Closing;
import io.feedline.internal.Counts;
import io.feedline.internal.ReadMeter;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A dataset of images with classes, in any storage: a folder, a database, shards.
 *
 * <pre>{@code
 * List<ImageDataset> parts = images.split(new double[] {0.8, 0.2}, 0);
 * ImageDataset train =
 *     parts
 *         .get(0)
 *         .withTransform(
 *             RandomResizedCrop.of(64)
 *                 .andThen(RandomHorizontalFlip.of())
 *                 .andThen(Normalize.imagenet()));
 * }</pre>
 *
 * <p>{@link #get(long)} reads a sample's bytes and parses its header; the image is decoded when it
 * is written into a batch. If the sample is stored as JPEG coefficients or raw pixels in an LMDB
 * database or a WebDataset shard, only its header is read, and the image is decoded in place while
 * the dataset is open. {@link #encoded} returns the stored bytes, {@link #labels} the labels.
 *
 * <p>Subsets, splits, folds, filtered and concatenated datasets are views: they share their stores
 * with the original dataset, keep its transforms, and know the origin of each sample. Add random
 * transforms last: a filter must not see random samples.
 *
 * <p>Immutable and thread-safe. The caller closes the dataset or one of its views; either closes
 * the stores and scan-index files of the dataset and of all its views. Closing twice is allowed;
 * reading afterwards throws {@link IllegalStateException}.
 */
public final class ImageDataset implements Dataset<LabeledImage>, Closeable {

  private final Dataset<LabeledImage> samples;

  /** The store of each sample, and the sample's index in the store. */
  private final Dataset<Origin> origins;

  private final List<StoreSource> sources;

  /** The function that makes this dataset again over changed sources, such as cached stores. */
  private final Function<UnaryOperator<StoreSource>, ImageDataset> rebuild;

  private ImageDataset(
      Dataset<LabeledImage> samples,
      Dataset<Origin> origins,
      List<StoreSource> sources,
      Function<UnaryOperator<StoreSource>, ImageDataset> rebuild) {
    this.samples = samples;
    this.origins = origins;
    this.sources = sources;
    this.rebuild = rebuild;
  }

  record Origin(ImageStore store, long index) {}

  /**
   * Opens the dataset at a path and detects its format; see {@link #open(Path, StoreOptions)}.
   *
   * @throws IOException if the path does not exist, has no known format, or cannot be read
   * @throws IllegalStateException if the format's library does not load; the message names it
   */
  public static ImageDataset open(Path path) throws IOException {
    return open(path, StoreOptions.NONE);
  }

  /**
   * Opens the dataset at a path with options of its format.
   *
   * @param path a folder of classes, a database, a shard or a directory of shards, in any file
   *     system. The file system must stay open as long as the dataset. LMDB needs the default file
   *     system
   * @param options see {@link StoreFormat#openOptions}; and {@link StoreOptions#MODE}
   * @throws IllegalArgumentException if the format lacks one of the options, or refuses its value
   * @throws IOException if the path does not exist, has no known format, or cannot be read
   * @throws IllegalStateException if the format's library does not load; the message names it
   */
  public static ImageDataset open(Path path, StoreOptions options) throws IOException {
    return open(StoreFormat.of(path), path, options);
  }

  /**
   * Opens the dataset at a path in a given format; see {@link #open(Path, StoreOptions)}.
   *
   * @throws IllegalArgumentException if the format lacks one of the options, or refuses its value
   * @throws IOException if the path does not exist, has another format, or cannot be read
   * @throws IllegalStateException if the format's library does not load; the message names it
   */
  public static ImageDataset open(StoreFormat format, Path path, StoreOptions options)
      throws IOException {
    // The mode is checked before the store is opened, which would have to be closed on an error.
    ImageMode mode = options.text(StoreOptions.MODE).map(ImageMode::named).orElse(ImageMode.RGB);
    ImageDataset images = of(format.open(path, options.without(StoreOptions.MODE)));
    return mode == ImageMode.RGB
        ? images
        : images.withDecodeOptions(DecodeOptions.DEFAULT.withMode(mode));
  }

  /**
   * Returns the images of a store. Uses the scan indexes of JPEGs in a file beside the store if the
   * file exists.
   *
   * @param store closed with the dataset
   */
  public static ImageDataset of(ImageStore store) {
    return of(new StoreSource(store, DecodeOptions.DEFAULT, ScanIndexStore.beside(store)));
  }

  private static ImageDataset of(StoreSource source) {
    return new ImageDataset(
        source,
        Dataset.of(source.size(), index -> new Origin(source.store(), index)),
        List.of(source),
        change -> of(change.apply(source)));
  }

  /** Returns the same samples, decoded with other options. */
  public ImageDataset withDecodeOptions(DecodeOptions options) {
    Objects.requireNonNull(options, "options");
    if (options.backend() == DecodeOptions.Backend.OPENCV) {
      // Reports a missing library at once, instead of with the first image.
      ImageDecoders.requireOpenCv();
    }
    return rebuild.apply(source -> new StoreSource(source.store(), options, source.indexes()));
  }

  /**
   * Returns the same samples with scan indexes of JPEGs that are made while decoding and kept in
   * memory, instead of indexes in a file beside the data. With a scan index a decoder skips most of
   * the compressed data outside of a crop.
   *
   * @param budgetBytes the limit of the scan indexes' heap memory; 0 for no scan indexes
   * @throws IllegalArgumentException if the budget is negative, or if it is not 0 and the samples
   *     come from several stores
   */
  public ImageDataset withScanIndexBytes(long budgetBytes) {
    ScanIndexStore indexes =
        budgetBytes == 0 ? ScanIndexStore.none() : ScanIndexStore.inMemory(budgetBytes);
    if (sources.size() > 1 && budgetBytes != 0) {
      throw new IllegalArgumentException(
          "%s has the samples of %d stores, but scan indexes are those of one"
              .formatted(name(), sources.size()));
    }
    return rebuild.apply(source -> new StoreSource(source.store(), source.options(), indexes));
  }

  /**
   * Returns the same samples with a cache of their encoded bytes in memory outside the heap, for
   * storage that is slower than memory. The cache keeps the images that are read first, until the
   * budget is full, and never removes an image. Images are decoded at each read, so random crops
   * cost no more than before. {@link #cached} keeps decoded images.
   *
   * <pre>{@code
   * ImageDataset train =
   *     ImageDataset.open(path).withCacheBytes(8L << 30).withTransform(augment);
   * }</pre>
   *
   * @param budgetBytes the memory for the encoded bytes, besides 8 bytes of heap for each sample;
   *     it counts against {@code -XX:MaxDirectMemorySize}. 0 for no cache
   * @throws IllegalArgumentException if the budget is negative, there are more than 2^31 samples,
   *     or they come from several stores: set a budget for each dataset before {@link #concat}
   * @see io.feedline.data.CachedDataset
   */
  public ImageDataset withCacheBytes(long budgetBytes) {
    if (budgetBytes < 0) {
      throw new IllegalArgumentException("budgetBytes must be 0 or more, was " + budgetBytes);
    }
    if (sources.size() > 1) {
      throw new IllegalArgumentException(
          "%s has the samples of %d stores; give each its own cache, and concatenate them then"
              .formatted(name(), sources.size()));
    }
    StoreSource source = sources.get(0);
    ImageStore plain =
        source.store() instanceof CachedStore cached ? cached.store() : source.store();
    // All views share one cache.
    StoreSource changed =
        new StoreSource(
            budgetBytes == 0 ? plain : new CachedStore(plain, budgetBytes),
            source.options(),
            source.indexes());
    return rebuild.apply(same -> changed);
  }

  /**
   * Returns these samples with their images decoded once and kept in memory, outside the heap, as
   * 8-bit pixels: the results of the transforms so far. Add random transforms, normalization and
   * changes of dtype after the cache:
   *
   * <pre>{@code
   * try (CachedDataset<LabeledImage> small =
   *     images.withTransform(Resize.of(256)).cached(16L << 30)) {
   *   Dataset<LabeledImage> train =
   *       small.map((sample, random) -> sample.withImage(crop.apply(sample.image(), random)));
   *   ...
   * }
   * }</pre>
   *
   * <p>An image takes three bytes a pixel, 192 KiB for 256 x 256 pixels: two to ten times as much
   * as its JPEG, which {@link #withCacheBytes} keeps. Reading an image throws {@link
   * IllegalStateException} if a transform before the cache is random, and {@link
   * IllegalArgumentException} if a transform before the cache normalizes.
   *
   * @param byteBudget the memory that the cache may take, 1 or more
   * @throws IllegalArgumentException if the budget is below 1, or there are more than 2^31 samples
   */
  @Override
  public CachedDataset<LabeledImage> cached(long byteBudget) {
    return CachedDataset.builder(this).byteBudget(byteBudget).codec(new PixelCodec()).build();
  }

  /** Returns these samples with their images transformed and their labels kept. */
  public ImageDataset withTransform(Transform<? super Image, Image> transform) {
    Objects.requireNonNull(transform, "transform");
    return new ImageDataset(
        samples.map(new OfImages(transform)),
        origins,
        sources,
        change -> rebuild.apply(change).withTransform(transform));
  }

  /** Returns these samples with their images randomly transformed and their labels kept. */
  public ImageDataset withTransform(RandomTransform<? super Image, Image> transform) {
    Objects.requireNonNull(transform, "transform");
    return new ImageDataset(
        samples.map(new OfImagesRandomly(transform)),
        origins,
        sources,
        change -> rebuild.apply(change).withTransform(transform));
  }

  private record OfImages(Transform<? super Image, Image> transform)
      implements Transform<LabeledImage, LabeledImage> {
    @Override
    public LabeledImage apply(LabeledImage sample) throws Exception {
      int before = ReadMeter.transform(transform);
      Image transformed = transform.apply(sample.image());
      ReadMeter.transformed(before);
      return sample.withImage(transformed);
    }

    @Override
    public String toString() {
      return transform.toString();
    }
  }

  private record OfImagesRandomly(RandomTransform<? super Image, Image> transform)
      implements RandomTransform<LabeledImage, LabeledImage> {
    @Override
    public LabeledImage apply(LabeledImage sample, RandomGenerator random) throws Exception {
      int before = ReadMeter.transform(transform);
      Image transformed = transform.apply(sample.image(), random);
      ReadMeter.transformed(before);
      return sample.withImage(transformed);
    }

    @Override
    public String toString() {
      return transform.toString();
    }
  }

  @Override
  public List<String> transforms() {
    return samples.transforms();
  }

  @Override
  public long size() {
    return samples.size();
  }

  /**
   * Reads an image's bytes and its header; nothing is decoded.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if the bytes are not an image
   * @throws IOException if the sample cannot be read
   * @throws IllegalStateException if the dataset is closed
   * @throws RuntimeException if a transform throws a RuntimeException; any other exception of a
   *     transform becomes the cause of an {@link IOException}
   */
  @Override
  public LabeledImage get(long index) throws IOException {
    return SampleReads.get(samples, index, this::describe);
  }

  @Override
  public LabeledImage get(long index, SampleContext context) throws Exception {
    return samples.get(index, context);
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    samples.readAhead(index, ahead);
  }

  /**
   * Returns a sample's stored bytes with key and label, before any transform.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if the image cannot be read; the message names its place and the reason
   * @throws IllegalStateException if the dataset is closed
   */
  public EncodedImage encoded(long index) throws IOException {
    Origin origin = origin(index);
    return origin.store().read(origin.index());
  }

  /**
   * Returns the stored bytes of all samples, with keys and labels. Errors name this dataset and the
   * place of the sample.
   */
  public Dataset<EncodedImage> encoded() {
    return new OtherForm.OfEncoded(this);
  }

  /**
   * Returns these samples with names instead of labels, for inference: the names identify the
   * results.
   *
   * <pre>{@code
   * ImageDataset images = ImageFiles.of(directory).withTransform(transform);
   * try (DataLoader<NamedImage> loader =
   *     DataLoader.builder(images.named()).batchSize(32).build()) {
   *   for (Batch batch : loader) {
   *     try (batch) {
   *       report(batch.values("name"), predict(batch.tensor("image")));
   *     }
   *   }
   * }
   * }</pre>
   */
  public Dataset<NamedImage> named() {
    return new OtherForm.OfNamed(this);
  }

  /**
   * Returns the label of a sample. Some formats have to read the sample for its label; see {@link
   * ImageStore#label}.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if the sample has to be read and cannot be read
   */
  public int label(long index) throws IOException {
    Origin origin = origin(index);
    return origin.store().label(origin.index());
  }

  /**
   * Returns the labels of all samples by index, in a new array: torchvision's {@code targets}. No
   * image is decoded; see {@link ImageStore#label}.
   *
   * @throws IOException if a sample has to be read and cannot be read
   * @throws ArithmeticException if there are 2^31 samples or more
   */
  public int[] labels() throws IOException {
    int[] labels = new int[Math.toIntExact(size())];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = label(i);
    }
    return labels;
  }

  /**
   * Returns the names of the classes, by label; empty if the store has no names. Unmodifiable. All
   * stores of a dataset have the same classes.
   */
  public List<String> classes() {
    return store().classes();
  }

  /** Returns the label of each class, in the order of {@link #classes}; unmodifiable. */
  public Map<String, Integer> classToIndex() {
    return store().classToIndex();
  }

  /** Returns the decode options; for several stores, the options of the first store. */
  public DecodeOptions decodeOptions() {
    return sources.get(0).options();
  }

  /**
   * Returns a description of the place of the JPEGs' scan indexes, such as a file or memory; for
   * several stores, of the first store's indexes.
   */
  public String scanIndexes() {
    return scanIndexStore().toString();
  }

  /**
   * Returns whether the scan indexes of the JPEGs are in files; for several stores, whether the
   * first store's are.
   */
  public boolean hasScanIndexFiles() {
    return scanIndexStore().isInFiles();
  }

  ScanIndexStore scanIndexStore() {
    return sources.get(0).indexes();
  }

  /** Returns the store, or the first of several stores; this dataset's {@code close} closes it. */
  public ImageStore store() {
    return sources.get(0).store();
  }

  /**
   * Returns the path of the store, a file or a directory; for several stores, of the first store.
   */
  public Path path() {
    return store().path();
  }

  /**
   * Returns the file of a sample: its own file in a folder, otherwise the file that contains its
   * bytes.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   */
  public Path path(long index) {
    Origin origin = origin(index);
    return origin.store().path(origin.index());
  }

  Origin origin(long index) {
    Objects.checkIndex(index, size());
    try {
      return origins.get(index);
    } catch (Exception impossible) {
      throw new IllegalStateException("sample " + index + " has no origin", impossible);
    }
  }

  @Override
  public String describe(long index) {
    return samples.describe(index);
  }

  @Override
  public String name() {
    return samples.name();
  }

  @Override
  public String fingerprint() {
    return samples.fingerprint();
  }

  /** Returns name and counts, for example {@code ImageDataset(flowers: 3670 images, 5 classes)}. */
  @Override
  public String toString() {
    return "ImageDataset(%s: %s, %s)"
        .formatted(name(), Counts.of(size(), "image"), Counts.of(classes().size(), "class"));
  }

  /**
   * Returns a view with the samples that a function selects. The function is applied to {@link
   * #samples}, to {@link #origins} and to rebuilt datasets, and must select the same from each.
   */
  private ImageDataset view(Function<Dataset<?>, Dataset<?>> selection) {
    return view(selection.apply(samples), selection.apply(origins), selection);
  }

  @SuppressWarnings("unchecked")
  private ImageDataset view(
      Dataset<?> selected, Dataset<?> from, Function<Dataset<?>, Dataset<?>> selection) {
    return new ImageDataset(
        (Dataset<LabeledImage>) selected,
        (Dataset<Origin>) from,
        sources,
        change -> (ImageDataset) selection.apply(rebuild.apply(change)));
  }

  @Override
  public ImageDataset subset(long[] indices) {
    long[] kept = indices.clone();
    return view(whole -> whole.subset(kept));
  }

  @Override
  public ImageDataset subset(long from, long to) {
    return view(whole -> whole.subset(from, to));
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.feedline.data.LoaderException if a sample cannot be read, or the predicate fails
   * @throws IllegalStateException if there is a random transform
   */
  @Override
  public ImageDataset filter(Predicate<? super LabeledImage> predicate) {
    Objects.requireNonNull(predicate, "predicate");
    LongStream.Builder kept = LongStream.builder();
    Dataset<Boolean> accepted =
        samples
            .zip(
                Dataset.of(size(), index -> index),
                (sample, index) -> {
                  boolean accepts = predicate.test(sample);
                  if (accepts) {
                    kept.add(index);
                  }
                  return accepts;
                })
            .filter(accepts -> accepts);
    long size = accepted.size();
    long[] indices = kept.build().limit(size).toArray();
    return subset(indices);
  }

  @Override
  public ImageDataset filterIndices(LongPredicate predicate) {
    return subset(LongStream.range(0, size()).filter(predicate).toArray());
  }

  @Override
  public ImageDataset without(Quarantine quarantine) {
    // {@code without} refuses a quarantine of another dataset.
    Dataset<LabeledImage> left = samples.without(quarantine);
    long[] excluded = quarantine.indices();
    return view(
        left,
        origins.filterIndices(index -> Arrays.binarySearch(excluded, index) < 0),
        whole -> whole.without(quarantine));
  }

  @Override
  public List<ImageDataset> split(double[] fractions, long seed) {
    return parts(whole -> whole.split(fractions, seed));
  }

  @Override
  public List<ImageDataset> split(long[] lengths, long seed) {
    return parts(whole -> whole.split(lengths, seed));
  }

  @Override
  public List<ImageDataset> split(long[][] indices) {
    return parts(whole -> whole.split(indices));
  }

  @Override
  public List<ImageDataset> splitStratified(double[] fractions, int[] labels, long seed) {
    double[] shares = fractions.clone();
    int[] strata = labels.clone();
    return parts(whole -> whole.splitStratified(shares, strata, seed));
  }

  /**
   * Returns random parts of this dataset that have the same share of each class and together have
   * all samples; see {@link Dataset#splitStratified}.
   *
   * @param fractions each from 0 to 1, with the sum 1
   * @param seed equal seeds give equal parts
   * @throws IllegalArgumentException if a fraction is out of range, the sum is not 1, or the images
   *     have no labels
   * @throws IOException if a label has to be read and cannot be read, see {@link #labels}
   */
  public List<ImageDataset> splitStratified(double[] fractions, long seed) throws IOException {
    return splitStratified(fractions, strata(), seed);
  }

  @Override
  public List<Fold<ImageDataset>> folds(int count, long seed) {
    return folds(whole -> whole.folds(count, seed));
  }

  @Override
  public List<Fold<ImageDataset>> foldsStratified(int count, int[] labels, long seed) {
    int[] strata = labels.clone();
    return folds(whole -> whole.foldsStratified(count, strata, seed));
  }

  /**
   * Returns the rounds of a cross-validation whose parts have the same share of each class; see
   * {@link Dataset#foldsStratified}.
   *
   * @param count the number of folds, from 2 to {@link #size}
   * @param seed equal seeds give equal folds
   * @throws IllegalArgumentException if {@code count} is out of range, or the images have no labels
   * @throws IOException if a label has to be read and cannot be read, see {@link #labels}
   */
  public List<Fold<ImageDataset>> foldsStratified(int count, long seed) throws IOException {
    return foldsStratified(count, strata(), seed);
  }

  private int[] strata() throws IOException {
    int[] labels = labels();
    if (labels.length > 0 && Arrays.stream(labels).allMatch(l -> l == EncodedImage.NO_LABEL)) {
      throw new IllegalArgumentException(
          "the images of %s have no labels; give an array with the class of each"
              .formatted(name()));
    }
    return labels;
  }

  private List<Fold<ImageDataset>> folds(Function<Dataset<?>, List<? extends Fold<?>>> cut) {
    List<? extends Fold<?>> selected = cut.apply(samples);
    List<? extends Fold<?>> from = cut.apply(origins);
    return IntStream.range(0, selected.size())
        .mapToObj(
            i ->
                new Fold<>(
                    view(
                        selected.get(i).train(),
                        from.get(i).train(),
                        whole -> cut.apply(whole).get(i).train()),
                    view(
                        selected.get(i).validation(),
                        from.get(i).validation(),
                        whole -> cut.apply(whole).get(i).validation())))
        .toList();
  }

  private List<ImageDataset> parts(Function<Dataset<?>, List<? extends Dataset<?>>> split) {
    List<? extends Dataset<?>> selected = split.apply(samples);
    List<? extends Dataset<?>> from = split.apply(origins);
    return IntStream.range(0, selected.size())
        .mapToObj(i -> view(selected.get(i), from.get(i), whole -> split.apply(whole).get(i)))
        .toList();
  }

  /**
   * Returns the samples of several datasets, one after the other. The transforms of each dataset
   * stay.
   *
   * @param datasets one or more, of the same classes
   * @throws IllegalArgumentException if the list is empty, or the datasets have different classes
   */
  public static ImageDataset concat(List<ImageDataset> datasets) {
    List<ImageDataset> members = List.copyOf(datasets);
    List<StoreSource> sources = new ArrayList<>();
    for (ImageDataset each : members) {
      if (!each.classes().equals(members.get(0).classes())) {
        throw new IllegalArgumentException(
            "%s has the classes %s, but %s has %s: labels would mean different things"
                .formatted(
                    each.name(), each.classes(), members.get(0).name(), members.get(0).classes()));
      }
      for (StoreSource source : each.sources) {
        if (!sources.contains(source)) {
          sources.add(source);
        }
      }
    }
    return new ImageDataset(
        Dataset.concat(members.stream().map(each -> each.samples).toList()),
        Dataset.concat(members.stream().map(each -> each.origins).toList()),
        List.copyOf(sources),
        change -> concat(members.stream().map(member -> member.rebuild.apply(change)).toList()));
  }

  /**
   * Returns the samples of several datasets, one after the other; see {@link #concat(List)}.
   *
   * @throws IllegalArgumentException if no dataset is given, or the datasets have different classes
   */
  public static ImageDataset concat(ImageDataset... datasets) {
    return concat(List.of(datasets));
  }

  /**
   * Closes the stores and the scan-index files that were opened with them.
   *
   * @throws IOException if a store or file cannot be closed; all others are closed nevertheless
   */
  @Override
  public void close() throws IOException {
    List<Closeable> opened = new ArrayList<>();
    for (StoreSource source : sources) {
      opened.add(source.store());
      if (source.indexes() instanceof Closeable file) {
        opened.add(file);
      }
    }
    Closing.each(opened);
  }

  /**
   * An image and its name, without a label: a sample of {@link ImageDataset#named}. In a batch the
   * images become the tensor {@code image}, the names become the values {@code name}. Immutable and
   * thread-safe.
   *
   * @param image the image, not yet decoded
   * @param name the path of the image's file; in packed data the file, and the image's key or
   *     position in the file
   */
  public record NamedImage(Image image, String name) {

    public NamedImage {
      Objects.requireNonNull(image, "image");
      Objects.requireNonNull(name, "name");
    }
  }
}
