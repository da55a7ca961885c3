package io.feedline.formats.webdataset;

import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.RecordFilesBuilder;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardIndex;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the samples of WebDataset shards, with random access, which Python's webdataset does
 * not have. The shards' headers are read once, and the offsets of the samples are kept beside the
 * shards.
 *
 * <pre>{@code
 * try (WebDataset data = WebDataset.of("/data/train-{000000..000146}.tar")) {
 *   WebSample sample = data.get(0);
 *   int label = sample.cls();
 * }
 * }</pre>
 *
 * <p>Shards must be plain tar archives; compressed shards are for {@link Builder#stream}. A damaged
 * shard has the samples before the damage, and one more sample, whose {@code get} fails with the
 * reason.
 *
 * <p>Thread-safe. A sample takes four bytes of memory; a limited number of shards is open. The
 * caller closes the dataset. {@code close()} may be called twice; {@code get} after {@code close()}
 * throws {@link IllegalStateException}.
 */
public final class WebDataset implements ReadAheadDataset<WebSample>, Closeable {

  static final String COMPRESSED =
      "this is compressed, so there is no random access: unpack it to a .tar, or read it from"
          + " front to back: WebDataset.builder(...).stream()";

  private final ShardIndexes indexes;
  private final Predicate<String> fields;
  private final long maxSampleBytes;

  private WebDataset(Builder builder, ShardIndexes indexes) {
    this.indexes = indexes;
    this.fields = builder.fields;
    this.maxSampleBytes = builder.maxSampleBytes();
  }

  /**
   * Returns the samples of shards, with the defaults of {@link #builder(String)}.
   *
   * @throws IOException if a shard cannot be read
   */
  public static WebDataset of(String pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Returns a builder for the samples of shards.
   *
   * @param pattern the paths in the default file system: a shard; a directory, for all its shards
   *     ({@code .tar}, {@code .tgz}, {@code .tar.gz}, {@code .tar.zst}, {@code .tar.bz2}) sorted by
   *     name, or for those of its list {@code shards.json}; or a pattern. Braces stand for each
   *     name, in order: {@code train-{000000..000146}.tar}, several braces, braces in braces, steps
   *     ({@code {0..10..2}}), lists ({@code {train,val}.tar}). The wildcards {@code *}, {@code ?}
   *     and {@code [...]} in the last name stand for the files that are there, sorted by name
   * @throws IllegalArgumentException if the braces do not match
   */
  public static Builder builder(String pattern) {
    return builder(Braces.paths(pattern));
  }

  /**
   * Returns a builder for the samples of shards, in this order. A path is a shard, a directory or a
   * pattern with wildcards, as in {@link #builder(String)}, but without braces. If the only path is
   * a directory with {@code shards.json}, the shards are those of the list.
   */
  public static Builder builder(List<Path> shards) {
    return new Builder(shards);
  }

  /**
   * Returns a builder for the {@linkplain Builder#images images} of shards.
   *
   * @param pattern as in {@link #builder(String)}
   * @throws IllegalArgumentException if the braces do not match
   */
  public static ImagesBuilder images(String pattern) {
    return builder(pattern).images();
  }

  /**
   * Returns a builder for a writer of any samples. {@link StoreFormat#create} writes datasets of
   * images.
   *
   * <pre>{@code
   * try (StoreWriter<WebSample> writer = WebDataset.writer(out, "train-%06d.tar").open()) {
   *   byte[] text = "a cat".getBytes(StandardCharsets.UTF_8);
   *   byte[] array = Files.readAllBytes(Path.of("0001.npy"));
   *   writer.write(new WebSample("0001", Map.of("txt", text, "npy", array)));
   *   writer.commit();
   * }
   * }</pre>
   *
   * <p>A sample needs at least one field. Its key has no dot after the last slash, and differs from
   * the key of the sample before. Suffixes are in lower case, without a slash or a leading dot, and
   * not empty. Fields are sorted by their suffix. The shards' bytes depend on the samples and the
   * options alone, so the same input gives the same files, even if the run was interrupted.
   *
   * @param directory the directory of the shards; must be absent or empty
   * @param pattern the shards' names, with one {@code %d}, for example {@code train-%06d.tar}
   * @throws IllegalArgumentException if the pattern does not give each shard a name of its own
   */
  public static WriterBuilder writer(Path directory, String pattern) {
    return new WriterBuilder(new ShardNames(directory, pattern));
  }

  @Override
  public long size() {
    return indexes.numbers().samples();
  }

  /**
   * Reads a sample.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if a suffix occurs twice in the sample, the sample is larger than
   *     allowed, or its shard is damaged there
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public WebSample get(long index) throws IOException {
    return read(index, fields);
  }

  WebSample read(long index, Predicate<String> wanted) throws IOException {
    return readLocated(index, wanted).sample();
  }

  /** Reads the wanted fields of a sample at once, in one request of a remote shard. */
  Located readLocated(long index, Predicate<String> wanted) throws IOException {
    return read(index, wanted, TarInput::of);
  }

  /** A sample with the fields that were read, and the places of all its fields by suffix. */
  record Located(WebSample sample, Map<String, FileRange> places) {}

  /** Reads the wanted fields of a sample, and finds the places of all its fields. */
  Located find(long index, Predicate<String> wanted) throws IOException {
    return read(index, wanted, TarInput::ofHeaders);
  }

  private interface Opener {
    TarInput open(OpenFiles files, Path shard, long from, long end) throws IOException;
  }

  private Located read(long index, Predicate<String> wanted, Opener opener) throws IOException {
    int shard = indexes.numbers().shardOf(index);
    int sample = indexes.numbers().indexIn(shard, index);
    ShardIndex starts = indexes.get(shard);
    Path path = indexes.path(index);
    if (starts.isDamage(sample)) {
      // The message begins with the path.
      throw new FormatException(starts.damage());
    }
    long start = starts.start(sample);
    TarInput part = opener.open(indexes.files(), path, start, starts.end(sample));
    try (TarSampleReader reader =
        new TarSampleReader(new TarReader(part, path), path, wanted, maxSampleBytes)) {
      WebSample found = reader.next();
      if (found == null) {
        throw FormatException.in(
            path, "there are no entries; has the shard changed since it was opened?");
      }
      return new Located(found, Map.copyOf(reader.places()));
    } catch (FormatException broken) {
      throw broken.at("sample %d, which begins at offset %d".formatted(index, start));
    }
  }

  /** Returns the image in a field, not read yet; empty if the field is larger than allowed. */
  Optional<StoredImage> view(Located sample, String suffix, int label) {
    FileRange place = sample.places().get(suffix);
    return place.length() > Math.min(maxSampleBytes, Integer.MAX_VALUE - 8)
        ? Optional.empty()
        : Optional.of(new FileImage(indexes.files(), place, label));
  }

  /** Tests whether a sample's shard is remote, so that one read is faster than several. */
  boolean isFar(long index) throws IOException {
    return indexes.files().isFar(indexes.path(index));
  }

  /**
   * Returns the place of a sample's entries in its shard; empty for a damaged sample, and before
   * the first read of a shard that {@code shards.json} lists.
   */
  @Override
  public Optional<FileRange> range(long index) {
    return indexes.range(index);
  }

  @Override
  public List<FileRange> parts(long index) {
    return indexes.parts(index);
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return indexes.files().openRange(range);
  }

  @Override
  public Path anyFile() {
    return indexes.chosen().path();
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    Shards numbers = indexes.numbers();
    return "%s, sample %d%s"
        .formatted(
            indexes.path(index),
            numbers.indexIn(numbers.shardOf(index), index),
            indexes.start(index).map(start -> " at offset " + start).orElse(""));
  }

  @Override
  public String name() {
    return "WebDataset(%s)".formatted(words(indexes.chosen()));
  }

  static String words(ChosenShards chosen) {
    int count = chosen.shards().size();
    return chosen.isListed() || count == 1
        ? chosen.path().toString()
        : chosen.path() + ", ... " + count + " shards";
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns a checksum of the shards' file names, numbers of samples and last samples' ends. */
  @Override
  public String fingerprint() {
    if (indexes.chosen().isListed()) {
      return indexes.chosen().list().fingerprint("WebDataset");
    }
    return "WebDataset:"
        + size()
        + ":"
        + indexes.digest((file, index) -> file + ":" + index.samples() + ":" + index.end());
  }

  ShardIndexes indexes() {
    return indexes;
  }

  /**
   * Returns the numbers of samples by shard, in a new array; for orders that keep shards together.
   */
  public long[] shardSizes() {
    return indexes.numbers().sizes();
  }

  static void require(ChosenShards chosen, long maxSampleBytes) throws IOException {
    if (maxSampleBytes < 1) {
      throw new IllegalArgumentException("maxSampleBytes must be 1 or more, was " + maxSampleBytes);
    }
    if (chosen.isListed()) {
      return;
    }
    for (Path shard : chosen.shards()) {
      if (!Presence.isFile(shard)) {
        throw new FileNotFoundException(shard + ": there is no such shard");
      }
    }
  }

  static boolean isCompressed(Path shard) {
    String name = shard.toString().toLowerCase(Locale.ROOT);
    return name.matches("(?s).*\\.(gz|tgz|zst|bz2)");
  }

  @Override
  public void close() throws IOException {
    indexes.close();
  }

  /** Options; see {@link WebDataset#builder(String)}. Not thread-safe. */
  public static final class Builder extends RecordFilesBuilder<Builder> {
    private final List<Path> shards;
    private Predicate<String> fields = suffix -> true;
    private boolean countSamples;
    private long @Nullable [] shardSizes;

    private Builder(List<Path> shards) {
      this.shards = List.copyOf(shards);
    }

    /**
     * Sets which fields are read, by their suffix in lower case; all by default. Of other fields
     * only the headers are read.
     */
    public Builder fields(Predicate<String> fields) {
      this.fields = Objects.requireNonNull(fields, "fields");
      return this;
    }

    /**
     * Sets whether a {@link #stream} counts the samples of each shard when it is built; false by
     * default. A loader that distributes shards over ranks needs these numbers, so that all ranks
     * make the same number of steps. The numbers are read from the index of random access, which is
     * made if it is missing; compressed shards are unpacked once. Not allowed together with {@link
     * #shardSizes}.
     */
    public Builder countSamples(boolean countSamples) {
      this.countSamples = countSamples;
      return this;
    }

    /** Sets the number of samples in each shard of a {@link #stream}, if known; not checked. */
    public Builder shardSizes(long... shardSizes) {
      this.shardSizes = shardSizes.clone();
      return this;
    }

    /**
     * Builds the dataset; opens the shards, and scans shards without an index. Shards that are
     * listed in {@code shards.json} are opened, and scanned, when they are first read.
     *
     * @throws IllegalArgumentException if an option has an impossible value or is for streams only,
     *     or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard, or the list of shards, cannot be read
     */
    public WebDataset build() throws IOException {
      return build(chosen());
    }

    /**
     * Builds a dataset of the samples in their order, each shard read from front to back, as
     * Python's webdataset reads them. It scans shards beforehand only to {@linkplain #countSamples
     * count} their samples. Shards may be compressed by gzip, Zstandard or bzip2, under any name.
     *
     * <p>A shard of the dataset is a shard of the loader. The loader shuffles the order of the
     * shards, reads several shards in turn, shuffles samples through a buffer and distributes
     * shards over ranks. To distribute shards, the loader must know how many samples they have;
     * otherwise each rank reads all shards.
     *
     * <pre>{@code
     * DataLoader.builder(WebDataset.builder("/data/train-{000000..000146}.tar").stream())
     *     .shuffleShards(true).shuffleBuffer(5000).interleave(4)
     * }</pre>
     *
     * <p>A damaged sample is an exception in its place. If a shard is damaged, the exception takes
     * the place of the next sample, and the shard ends. {@link #maxSampleBytes} bounds what a
     * compressed shard can make a reader unpack into memory.
     *
     * @return a dataset that is immutable and thread-safe, and keeps nothing open
     * @throws IllegalArgumentException if an option has an impossible value, options contradict
     *     each other, or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard cannot be read to be counted
     */
    public IterableDataset<WebSample> stream() throws IOException {
      ChosenShards chosen = chosen();
      require(chosen, maxSampleBytes());
      return new WebDatasetStream(chosen, fields, maxSampleBytes(), sizes(chosen));
    }

    /**
     * Returns a builder for the images of the shards and their classes, with random access; ignores
     * {@link #fields}.
     *
     * <p>The names of the classes are read from {@code shards.json} if that lists the shards, or
     * from {@code classes.json} beside the first shard, if there is one: {@code
     * {"classes":["cat","dog"]}}, as {@link #writer} writes it.
     *
     * <p>After a coefficient record or a raw record of 64 KiB or more was read from local shards,
     * reading a sample reads only the header of such a record. A crop then reads the rows that it
     * needs, for which the dataset must still be open.
     *
     * <p>{@link StoreFormat#named} returns the format for the name {@code webdataset}. The format
     * opens a shard, a directory of shards, a directory or file with a list of shards in the form
     * of {@code wids}, or a pattern in brace notation. The option {@code image-field} lists the
     * suffixes of images, separated by commas; {@code label-field} is the suffix of the class,
     * empty for images without a class. The format writes a directory with {@code data-000000.tar}
     * and so on, and {@code classes.json}. Dots behind the last slash of a key become underscores,
     * since a reader would cut the key at the first dot.
     */
    public ImagesBuilder images() {
      return new ImagesBuilder(this);
    }

    private long @Nullable [] sizes(ChosenShards chosen) throws IOException {
      if (shardSizes == null) {
        long[] listed = chosen.isListed() ? chosen.list().sizes() : null;
        return countSamples && listed == null ? WebDatasetStream.count(chosen.shards()) : listed;
      }
      if (countSamples) {
        throw new IllegalArgumentException("give shardSizes or countSamples(true), not both");
      }
      int shards = chosen.shards().size();
      if (shardSizes.length != shards || Arrays.stream(shardSizes).min().orElse(0) < 0) {
        throw new IllegalArgumentException(
            "shardSizes must be %s, 0 or more, was %s"
                .formatted(Counts.of(shards, "number"), Arrays.toString(shardSizes)));
      }
      return shardSizes;
    }

    ChosenShards chosen() throws IOException {
      if (shards.isEmpty()) {
        throw new IllegalArgumentException("there must be at least one shard");
      }
      List<Path> found = new ArrayList<>();
      for (Path shard : shards) {
        List<Path> matching =
            isPattern(shard) && !Presence.exists(shard) ? ShardSet.matching(shard) : List.of();
        for (Path each : matching.isEmpty() ? List.of(shard) : matching) {
          found.addAll(WebDatasetFormat.inDirectory(each));
        }
      }
      return ChosenShards.at(found, WebDatasetFormat.NAME);
    }

    private static boolean isPattern(Path shard) {
      return shard.toString().matches(".*[*?\\[].*");
    }

    WebDataset build(ChosenShards chosen) throws IOException {
      if (countSamples || shardSizes != null) {
        throw new IllegalArgumentException(
            "countSamples and shardSizes are for stream(): a dataset with random access knows its"
                + " samples");
      }
      for (Path shard : chosen.shards()) {
        if (isCompressed(shard)) {
          throw new IllegalArgumentException(shard + ": " + COMPRESSED);
        }
      }
      require(chosen, maxSampleBytes());
      return new WebDataset(this, TarScan.open(chosen, openFiles(), keepIndex()));
    }
  }

  /** Options; see {@link Builder#images}. Not thread-safe. */
  public static final class ImagesBuilder {
    private final Builder samples;

    /** Null: the fields that the list of shards names, or else the defaults. */
    private ImageFields fields;

    private ImagesBuilder(Builder samples) {
      this.samples = samples;
    }

    /**
     * Sets the fields of the image and its class; by default the fields that a list of shards
     * names, or else {@link ImageFields#DEFAULT}.
     */
    public ImagesBuilder fields(ImageFields fields) {
      this.fields = Objects.requireNonNull(fields, "fields");
      return this;
    }

    /**
     * Builds the dataset, which the caller closes; opens the shards, and scans shards without an
     * index.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard or the names of the classes cannot be read
     */
    public ImageDataset build() throws IOException {
      return ImageDataset.of(store(StoreOptions.NONE));
    }

    WebDatasetStore store(StoreOptions options) throws IOException {
      return store(samples.chosen(), options);
    }

    WebDatasetStore store(ChosenShards chosen, StoreOptions options) throws IOException {
      ImageFields effective = fields;
      if (fields == null) {
        StoreOptions listed =
            chosen.isListed() ? StoreOptions.of(chosen.list().options()) : StoreOptions.NONE;
        listed.requireKnown(chosen.path() + ", " + ShardList.NAME, WebDatasetFormat.OPTIONS);
        effective = with(options, with(listed, ImageFields.DEFAULT));
      }
      if (effective.classes().isEmpty()) {
        effective = effective.withClasses(classes(chosen));
      }
      return new WebDatasetStore(samples.build(chosen), effective);
    }

    private static ClassList classes(ChosenShards chosen) throws IOException {
      if (!chosen.isListed()) {
        return ClassList.readIfPresent(chosen.path().resolveSibling(ClassList.FILE_NAME));
      }
      return new ClassList(chosen.list().classes(), 0);
    }

    private static ImageFields with(StoreOptions options, ImageFields fields) {
      ImageFields changed = fields;
      Optional<String> image = options.text(StoreOptions.IMAGE_FIELD);
      if (image.isPresent()) {
        changed = changed.withSuffixes(image.get().split(",", -1));
      }
      Optional<String> label = options.text(StoreOptions.LABEL_FIELD);
      if (label.isPresent()) {
        changed = label.get().isEmpty() ? changed.withoutLabels() : changed.withLabel(label.get());
      }
      return changed;
    }
  }

  /** Options; see {@link WebDataset#writer}. Not thread-safe. */
  public static final class WriterBuilder {

    /** The default of {@link #maxSamples}, as in Python's webdataset: 100 000. */
    public static final long DEFAULT_MAX_SAMPLES = 100_000;

    /** The default of {@link #shardBytes}, as in Python's webdataset: 3 GB (10^9 bytes). */
    public static final long DEFAULT_SHARD_BYTES = 3_000_000_000L;

    final ShardNames names;
    long maxSamples = DEFAULT_MAX_SAMPLES;
    long shardBytes = DEFAULT_SHARD_BYTES;
    UnaryOperator<String> keys = UnaryOperator.identity();
    List<String> classes = List.of();

    private WriterBuilder(ShardNames names) {
      this.names = names;
    }

    /**
     * Sets how many samples a shard has at most, 1 or more; {@link #DEFAULT_MAX_SAMPLES} by
     * default.
     */
    public WriterBuilder maxSamples(long maxSamples) {
      this.maxSamples = maxSamples;
      return this;
    }

    /**
     * Sets the largest size of a shard in bytes, 1 or more; {@link #DEFAULT_SHARD_BYTES} by
     * default. A shard with a single sample may be larger.
     */
    public WriterBuilder shardBytes(long shardBytes) {
      this.shardBytes = shardBytes;
      return this;
    }

    /** Sets how keys are changed before they are written; unchanged by default. */
    public WriterBuilder keys(UnaryOperator<String> keys) {
      this.keys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Sets the names of the classes, by index: written as {@code classes.json} beside the shards.
     */
    public WriterBuilder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of samples, which the caller closes; it does not keep the samples' arrays,
     *     and ignores {@link WebSample#shard}
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the directory cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<WebSample> open() throws IOException {
      if (maxSamples < 1 || shardBytes < 1) {
        throw new IllegalArgumentException(
            "maxSamples and shardBytes must be 1 or more, were %d and %d"
                .formatted(maxSamples, shardBytes));
      }
      Map<String, String> identity = new TreeMap<>();
      identity.put("format", "webdataset samples");
      identity.put("pattern", names.pattern());
      identity.put("max-samples", Long.toString(maxSamples));
      identity.put("max-bytes", Long.toString(shardBytes));
      identity.put("classes", String.join("\n", classes));
      return StagedOutput.openFor(
          names.directory(),
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new WebDatasetShardWriter<WebSample>(output, this) {
                @Override
                protected WebSample stored(WebSample sample) {
                  return sample;
                }
              });
    }
  }

  /**
   * A sample of a shard: the entries with one key, by their suffixes. Fields are bytes; methods
   * convert them to text, numbers or tensors.
   *
   * <p>Immutable and thread-safe, but for the arrays, which are not copied.
   *
   * @param key the common part of the entries' names, directories included; it must not be used as
   *     a path
   * @param shard the place where the sample was read, as a text
   * @param fields the entries' data by suffix, in lower case and without the dot between key and
   *     suffix, in the order of the shard
   */
  public record WebSample(String key, String shard, Map<String, byte[]> fields) {

    /** Suffixes of Python's pickles, PyTorch's files among them. */
    private static final Set<String> PICKLES = Set.of("pyd", "pkl", "pickle", "pth");

    /** Checks that nothing is null. */
    public WebSample {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(shard, "shard");
      Objects.requireNonNull(fields, "fields");
    }

    /** Creates a sample to write. */
    public WebSample(String key, Map<String, byte[]> fields) {
      this(key, "a new sample", fields);
    }

    /** Returns whether the sample has a field of this suffix. */
    public boolean has(String suffix) {
      return fields.containsKey(suffix);
    }

    /**
     * Returns a field as it is, not copied.
     *
     * @throws FormatException if the sample has no such field, or the field is a Python pickle: a
     *     pickle is a program, whose result is known only after running it. {@link #fields} has its
     *     bytes
     */
    public byte[] bytes(String suffix) throws FormatException {
      byte[] data = fields.get(suffix);
      if (data == null) {
        throw failure("no field '%s'; it has %s".formatted(suffix, fields.keySet()), null);
      }
      if (PICKLES.contains(suffix.substring(suffix.lastIndexOf('.') + 1))) {
        throw failure(
            "a Python pickle as field '%s', which is not read: write .npy, .json or .txt instead"
                .formatted(suffix),
            null);
      }
      return data;
    }

    /**
     * Returns a field as text, such as a JSON document.
     *
     * @throws FormatException if the sample has no such field, or it is not UTF-8
     */
    public String text(String suffix) throws FormatException {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes(suffix)))
            .toString();
      } catch (CharacterCodingException e) {
        throw failure("a field '%s' that is not UTF-8".formatted(suffix), e);
      }
    }

    /**
     * Returns the class: the integer in the field {@code cls}.
     *
     * @throws FormatException if it has no such field, or it is not an integer of 32 bits
     */
    public int cls() throws FormatException {
      return integer("cls");
    }

    /**
     * Returns a field as a decimal integer; space around it is ignored, as by Python's int().
     *
     * @throws FormatException if the sample has no such field, or it is not an integer of 32 bits
     */
    public int integer(String suffix) throws FormatException {
      String text = text(suffix).strip();
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw failure(
            "a field '%s' that should be an integer, found '%s'"
                .formatted(suffix, Names.shown(text)),
            e);
      }
    }

    /**
     * Returns a field in NumPy's format, as a new tensor in heap memory. Unsigned integers that
     * tensors do not have are widened to the next signed type; elements in Fortran order or another
     * byte order are rearranged.
     *
     * @throws FormatException if the sample has no such field, it is damaged, or its elements are
     *     of another kind: complex numbers, strings, structures, Python objects
     */
    public Tensor npy(String suffix) throws FormatException {
      byte[] data = bytes(suffix);
      try {
        return Npy.read(data);
      } catch (IllegalArgumentException e) {
        throw failure("a field '%s' that cannot be read: %s".formatted(suffix, e.getMessage()), e);
      }
    }

    private FormatException failure(String what, Throwable cause) {
      return new FormatException(
          "%s: sample '%s' has %s".formatted(shard, Names.shown(key), what), cause);
    }
  }
}
