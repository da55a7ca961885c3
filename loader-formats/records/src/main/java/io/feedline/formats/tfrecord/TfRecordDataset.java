package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.RecordFilesBuilder;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardIndex;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the records of TFRecord files, as bytes, with random access. TensorFlow's {@code
 * TFRecordDataset} reads the same records from front to back.
 *
 * <pre>{@code
 * try (TfRecordDataset records = TfRecordDataset.of(Path.of("imagenet/train-*"))) {
 *   Dataset<Example> examples = records.map(Example::parse);
 * }
 * }</pre>
 *
 * <p>The format has no index. When the dataset is opened, each file is scanned once. The offsets of
 * its records are kept in an index beside the file ({@code .SHARD.tfindex}), 8 bytes per record. If
 * the index cannot be written, it is kept in memory. Files that {@code shards.json} lists are
 * scanned when they are first read. Compressed files can only be {@linkplain Builder#stream
 * streamed}.
 *
 * <p>Thread-safe: workers read at the same time, by position, without a lock. The caller closes the
 * dataset. Closing twice is allowed; reading after {@code close()} throws {@link
 * IllegalStateException}.
 */
public final class TfRecordDataset implements ReadAheadDataset<byte[]>, Closeable {

  private final TfRecordFiles options;
  private final ShardIndexes indexes;
  private final Shards shards;

  private TfRecordDataset(TfRecordFiles options, ShardIndexes indexes) {
    this.options = options;
    this.indexes = indexes;
    this.shards = indexes.numbers();
  }

  /**
   * Returns the records of the files of a pattern, with the defaults of {@link #builder(Path)}.
   *
   * @throws IOException if no file matches, or a shard is missing, damaged or compressed
   */
  public static TfRecordDataset of(Path pattern) throws IOException {
    return builder(pattern).build();
  }

  private static TfRecordDataset open(TfRecordFiles options) throws IOException {
    return new TfRecordDataset(
        options,
        ShardIndexes.open(
            options.chosen(),
            options.openFiles(),
            options.keepIndex() ? options::indexOf : null,
            RecordScan.UNIT,
            RecordScan::index));
  }

  /**
   * Returns a builder for one file, or for the files that match a pattern, sorted by name. Files
   * that belong to Feedline (indexes, lists of classes, unfinished shards) do not match.
   *
   * @param pattern a file, a path whose last name is a pattern: {@code train-*}, or a directory
   *     with {@code shards.json}
   */
  public static Builder builder(Path pattern) {
    return new Builder(Objects.requireNonNull(pattern, "pattern"), null);
  }

  /**
   * Returns a builder for given files, in this order.
   *
   * @param files one or more
   */
  public static Builder builder(List<Path> files) {
    return new Builder(null, List.copyOf(files));
  }

  /**
   * Returns a builder for the {@linkplain Builder#images images} in the files of a pattern.
   *
   * @param pattern as in {@link #builder(Path)}
   * @throws IOException if no file matches, or a shard is missing
   */
  public static ImagesBuilder images(Path pattern) throws IOException {
    return builder(pattern).images();
  }

  /**
   * Returns a builder for a writer of any records, like TensorFlow's {@code TFRecordWriter}, into a
   * directory with a number of shards, with shards of a given size, or with one file.
   *
   * <pre>{@code
   * try (StoreWriter<byte[]> writer = TfRecordDataset.writer(Path.of("words")).open()) {
   *   writer.write(Example.builder().text("word", "hello").toBytes());
   *   writer.commit();
   * }
   * }</pre>
   *
   * <p>Shards are called {@code data-00000-of-00007} and so on, in the records' order.
   *
   * @param directory the directory of the shards; must be absent or empty
   */
  public static WriterBuilder writer(Path directory) {
    return new WriterBuilder(directory);
  }

  @Override
  public long size() {
    return shards.samples();
  }

  /**
   * Returns a record's data, in an array of its own.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   * @throws FormatException if the record is damaged or too long; the message has file, record and
   *     offset
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public byte[] get(long index) throws IOException {
    byte[] framed = framed(index);
    // This second copy makes an array of the data alone; it takes about 10 us for an image.
    return Arrays.copyOfRange(
        framed, RecordLayout.HEADER_BYTES, framed.length - RecordLayout.FOOTER_BYTES);
  }

  Example example(long index) throws IOException {
    byte[] framed = framed(index);
    try {
      return Example.parse(
          framed, RecordLayout.HEADER_BYTES, framed.length - RecordLayout.FOOTER_BYTES);
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  interface PartialUse<R> {
    R of(Example example, FileRange record) throws IOException;
  }

  /**
   * Applies a function to a record, of which only the bytes are read that the function needs; the
   * checksum of the data is not verified.
   */
  <R> R look(long number, PartialUse<R> use) throws IOException {
    FileRange place = place(number);
    PartialRecord record =
        new PartialRecord(indexes.files(), place.file(), place.offset(), (int) place.length());
    try {
      record.fill(0, RecordLayout.HEADER_BYTES);
      String problem =
          problemOfHeader(record.array(), (int) place.length() - RecordLayout.FRAME_BYTES);
      if (problem != null) {
        throw new FormatException(problem);
      }
      return use.of(Example.parse(record), place);
    } catch (FormatException broken) {
      throw broken.at(describe(number));
    } catch (UncheckedIOException unreadable) {
      throw unreadable(number, unreadable.getCause());
    }
  }

  private IOException unreadable(long number, IOException cause) {
    return new IOException(describe(number) + ": " + cause.getMessage(), cause);
  }

  private byte[] framed(long number) throws IOException {
    FileRange place = place(number);
    byte[] framed = new byte[(int) place.length()];
    try {
      indexes.files().read(place.file(), place.offset(), framed, 0, framed.length);
    } catch (IOException failure) {
      throw unreadable(number, failure);
    }
    String problem = problem(framed, framed.length - RecordLayout.FRAME_BYTES);
    if (problem != null) {
      int shard = shards.shardOf(number);
      throw FormatException.at(
          place.file(), shards.indexIn(shard, number), place.offset(), problem);
    }
    return framed;
  }

  private FileRange place(long number) throws IOException {
    int shard = shards.shardOf(number);
    int record = shards.indexIn(shard, number);
    Path path = files().get(shard);
    ShardIndex index = indexes.get(shard);
    long offset = index.start(record);
    long length = index.end(record) - offset - RecordLayout.FRAME_BYTES;
    if (length < 0 || length > options.maxSampleBytes()) {
      throw FormatException.at(
          path,
          record,
          offset,
          "its %d bytes are more than maxSampleBytes = %d"
              .formatted(length, options.maxSampleBytes()));
    }
    return new FileRange(path, offset, length + RecordLayout.FRAME_BYTES);
  }

  private String problem(byte[] framed, int length) {
    String problem = problemOfHeader(framed, length);
    return problem == null && options.verifyChecksums()
        ? RecordLayout.problemOfData(framed, RecordLayout.HEADER_BYTES, length)
        : problem;
  }

  private static @Nullable String problemOfHeader(byte[] framed, int length) {
    String problem = RecordLayout.problemOfHeader(framed, 0);
    if (problem != null) {
      return problem;
    }
    long claimed = RecordLayout.u64(framed, 0);
    return claimed == length
        ? null
        : "its length is now %d bytes; it was %d when the file was indexed"
            .formatted(claimed, length);
  }

  /**
   * Returns the place of a record in its file, header and footer included; empty before the first
   * read of a file that {@code shards.json} lists.
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
    return options.chosen().path();
  }

  ShardIndexes indexes() {
    return indexes;
  }

  /** Returns the files, in the order in which their records are counted. */
  public List<Path> files() {
    return options.files();
  }

  /**
   * Returns the file that a record lies in.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   */
  public Path path(long index) {
    return indexes.path(index);
  }

  /**
   * Returns the numbers of records by file, in a new array; for samplers that keep files together.
   */
  public long[] shardSizes() {
    return shards.sizes();
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int shard = shards.shardOf(index);
    int record = shards.indexIn(shard, index);
    Path file = files().get(shard);
    return indexes
        .start(index)
        .map(start -> RecordLayout.place(file, record, start))
        .orElseGet(() -> "%s, record %d".formatted(file, record));
  }

  @Override
  public String name() {
    return "TfRecordDataset(" + options.name() + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns a checksum of the shards' names, sizes and numbers of records, not of their place. */
  @Override
  public String fingerprint() {
    if (options.chosen().isListed()) {
      return options.chosen().list().fingerprint("TfRecordDataset");
    }
    String digest =
        indexes.digest((file, index) -> file + " " + index.end() + " " + index.samples());
    return "TfRecordDataset:" + files().size() + ":" + size() + ":" + digest;
  }

  @Override
  public void close() throws IOException {
    indexes.close();
  }

  /**
   * Options; see {@link TfRecordDataset#builder(Path)}. Not thread-safe.
   *
   * <p>A record may have 2^31 - 65 bytes at most.
   */
  public static final class Builder extends RecordFilesBuilder<Builder> {
    private final Path pattern;
    private final List<Path> given;
    private boolean verifyChecksums = true;
    private Path indexDirectory;
    private boolean allowMissingShards;

    private Builder(Path pattern, List<Path> given) {
      this.pattern = pattern;
      this.given = given;
    }

    private String name() {
      if (pattern != null) {
        return pattern.toString();
      }
      String first = given.get(0).toString();
      return given.size() == 1 ? first : first + " and " + (given.size() - 1) + " more";
    }

    /**
     * Sets whether the checksum of each record's data is verified; true by default. The checksum of
     * a record's length is always verified. If the checksum of the data is not verified, only the
     * parser of the record can notice damaged data.
     */
    public Builder verifyChecksums(boolean verifyChecksums) {
      this.verifyChecksums = verifyChecksums;
      return this;
    }

    /**
     * Sets the directory where indexes are kept, instead of beside the shards; for read-only
     * datasets. Shards with the same name in different directories need different directories of
     * indexes.
     *
     * @param directory an existing directory
     */
    public Builder indexDirectory(Path directory) {
      this.indexDirectory = Objects.requireNonNull(directory, "directory");
      return this;
    }

    /**
     * Sets whether shards may be missing whose existence other shards' names imply ({@code
     * -00000-of-00007}); false by default, so that an incomplete download is noticed.
     */
    public Builder allowMissingShards(boolean allowMissingShards) {
      this.allowMissingShards = allowMissingShards;
      return this;
    }

    /**
     * Builds the dataset: lists the files, or reads {@code shards.json}, and scans files without an
     * index.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or a file is given
     *     twice
     * @throws IOException if no file matches, or a shard is missing, damaged or compressed
     */
    public TfRecordDataset build() throws IOException {
      return open(files());
    }

    /**
     * Returns the records of the files, each file a shard that is read from front to back, as
     * TensorFlow's {@code TFRecordDataset} does. The stream needs no index, and reads compressed
     * files too.
     *
     * <p>A record with damaged data causes an exception in the record's place, and the shard
     * continues behind the record; after a damaged length the shard ends. The dataset is immutable
     * and thread-safe. It keeps nothing open itself; the code that opens a stream closes it.
     *
     * @throws IllegalArgumentException in the cases of {@link #build}
     * @throws IOException if no file matches, or a shard is missing
     */
    public IterableDataset<byte[]> stream() throws IOException {
      TfRecordFiles files = files();
      return new TfRecordStream<>(
          files,
          (record, place) -> record,
          "TfRecordStream(" + files.name() + ")",
          "TfRecordStream:" + files.fingerprint());
    }

    /**
     * Returns a builder for encoded images and their labels in the {@code tf.train.Example}s of the
     * files, such as ImageNet's.
     *
     * <pre>{@code
     * try (ImageDataset train =
     *     TfRecordDataset.images(Path.of("imagenet/train-*")).firstLabel(1).build()) {
     *   Dataset<LabeledImage> samples = train.withTransform(augment);
     * }
     * }</pre>
     *
     * <p>An image's label is the label in its record minus the {@linkplain ImagesBuilder#firstLabel
     * first label}. A label below the first label, and -1, are read as {@link
     * EncodedImage#NO_LABEL}. An image's key is its file name without the extension; without a file
     * name, its index.
     *
     * <p>{@link StoreFormat#named} returns the format for the name {@code tfrecord}. The format
     * opens a file, a pattern of files, a directory of files, or a directory with {@code
     * shards.json}, which then sets the shards, classes and options. The options {@code
     * image-field}, {@code label-field} and {@code first-label} are for reading and for writing.
     * The format writes a directory with {@code data-00000-of-00007} and so on, and {@code
     * data.classes.json}; features have ImageNet's names. By default it writes one shard.
     *
     * @throws IllegalArgumentException in the cases of {@link #build}
     * @throws IOException if no file matches, or a shard is missing
     */
    public ImagesBuilder images() throws IOException {
      return new ImagesBuilder(files());
    }

    TfRecordFiles files() throws IOException {
      if (given != null && given.isEmpty()) {
        throw new IllegalArgumentException("give one file or more");
      }
      int largest = Integer.MAX_VALUE - 64;
      if (maxSampleBytes() < 1 || maxSampleBytes() > largest) {
        throw new IllegalArgumentException(
            "maxSampleBytes must be from 1 to %d, was %d".formatted(largest, maxSampleBytes()));
      }
      if (openFiles() < 1) {
        throw new IllegalArgumentException("openFiles must be 1 or more, was " + openFiles());
      }
      if (indexDirectory != null && !keepIndex()) {
        throw new IllegalArgumentException(
            "indexDirectory(%s) has no use with keepIndex(false)".formatted(indexDirectory));
      }
      return files(choose());
    }

    TfRecordFiles files(ChosenShards chosen) {
      return new TfRecordFiles(
          name(),
          chosen,
          verifyChecksums,
          (int) maxSampleBytes(),
          keepIndex(),
          indexDirectory,
          openFiles());
    }

    private ChosenShards choose() throws IOException {
      ChosenShards chosen =
          ChosenShards.at(given == null ? List.of(pattern) : given, TfRecordFormat.NAME);
      if (!chosen.isListed() && given == null) {
        chosen = ChosenShards.of(ShardSet.resolve(pattern));
      }
      if (!chosen.isListed() && !allowMissingShards) {
        ShardSet.requireComplete(chosen.shards());
      }
      return chosen;
    }
  }

  /**
   * Options; see {@link Builder#images}. Not thread-safe.
   *
   * <p>A field is the name of a feature. The image field has the encoded image, one value of bytes;
   * {@code image/encoded} by default. The label field has one integer; {@code image/class/label} by
   * default. The key field has the image's file name and may be absent from records; {@code
   * image/filename} by default. TensorFlow Datasets calls these features {@code image}, {@code
   * label} and {@code file_name}. By default the names of the classes are read from the list beside
   * the shards.
   */
  public static final class ImagesBuilder extends ImageStoreBuilder.WithKeys<ImagesBuilder> {
    private final TfRecordFiles files;
    private Integer firstLabel;

    ImagesBuilder(TfRecordFiles files) {
      this.files = files;
      if (files.chosen().isListed()) {
        StoreOptions listed = StoreOptions.of(files.chosen().list().options());
        listed.requireKnown(files.chosen().path() + ", " + ShardList.NAME, TfRecordFormat.OPTIONS);
        options(listed);
      }
    }

    ImagesBuilder options(StoreOptions options) {
      options.integer(TfRecordFormat.FIRST_LABEL).ifPresent(this::firstLabel);
      return fields(options);
    }

    /**
     * Sets the label of class 0 in the records; by default the first label in the list of classes
     * beside the shards, or else 0. For ImageNet set 1, since label 0 is a background there.
     *
     * @param firstLabel 0 or more
     */
    public ImagesBuilder firstLabel(int firstLabel) {
      this.firstLabel = firstLabel;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      ImageReader reader = reader();
      return new TfRecordStore(open(files), reader, name("TfRecordDataset.images"));
    }

    /**
     * Returns the images as a stream, in which each file is a shard that is read from front to
     * back. The stream needs no index, and reads compressed files too. It keeps a file open only
     * while the shard is read.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IOException if the list of classes is damaged
     */
    public IterableDataset<LabeledImage> stream() throws IOException {
      return stream(DecodeOptions.DEFAULT);
    }

    /** Returns the images of {@link #stream()}, decoded with other options. */
    public IterableDataset<LabeledImage> stream(DecodeOptions options) throws IOException {
      Objects.requireNonNull(options, "options");
      ImageReader reader = reader();
      return new TfRecordStream<>(
          files,
          (record, place) -> reader.labeled(record, place, options),
          name("TfRecordDataset.images.stream"),
          TfRecordStore.fingerprint(reader, files.fingerprint()));
    }

    private String name(String type) {
      return "%s(%s)".formatted(type, files.name());
    }

    private ClassList keptClasses() throws IOException {
      if (files.chosen().isListed()) {
        return new ClassList(files.chosen().list().classes(), 0);
      }
      Path base = ShardSet.base(files.files().get(0));
      return ClassList.readIfPresent(base.resolveSibling(base.getFileName() + ClassList.SUFFIX));
    }

    private ImageReader reader() throws IOException {
      ClassList kept = keptClasses();
      ImageFeatures features = ImageFeatures.IMAGENET;
      String label = labelOr(features.label());
      return new ImageReader(
          new ImageFeatures(
              imageOr(features.encoded()),
              label == null || label.isEmpty() ? null : label,
              keyOr(features.filename())),
          new ClassList(
              classesOr(kept.names()), firstLabel == null ? kept.firstLabel() : firstLabel));
    }
  }

  /** Options; see {@link TfRecordDataset#writer}. Not thread-safe. */
  public static final class WriterBuilder {

    /** The default size of a shard: 256 MiB; a thousand such shards are a large dataset. */
    public static final long DEFAULT_SHARD_BYTES = 256L << 20;

    private final Path directory;
    private String name = TfRecordFileWriter.DEFAULT_NAME;
    private Sharding sharding;

    private WriterBuilder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /**
     * Sets the beginning of the shards' names; {@code data} by default.
     *
     * @param base a file's name that does not begin with a dot
     */
    public WriterBuilder name(String base) {
      this.name = Objects.requireNonNull(base, "base");
      return this;
    }

    /**
     * Sets the number of shards, each with the same number of records or one less. The order of the
     * records is kept: the first shard has the first records.
     *
     * @param shards from 1 to 99 999
     * @param records the number of records that will be written in all. If fewer records are
     *     written, the last shards are short or empty; if more are written, the last shard contains
     *     them
     * @throws IllegalArgumentException if a number is impossible, or another division was chosen
     */
    public WriterBuilder shards(int shards, long records) {
      return with(new Sharding.ByCount(shards, records));
    }

    /**
     * Sets the size of shards in bytes; {@link #DEFAULT_SHARD_BYTES} by default.
     *
     * @param bytes 1 or more. A shard is ended before a record that would make it larger
     * @throws IllegalArgumentException if {@code bytes} is below 1, or another division was chosen
     */
    public WriterBuilder shardBytes(long bytes) {
      return with(new Sharding.BySize(bytes));
    }

    /**
     * Puts all records into one file, {@code data.tfrecord}.
     *
     * @throws IllegalArgumentException if another division was chosen
     */
    public WriterBuilder oneFile() {
      return with(new Sharding.OneFile());
    }

    private WriterBuilder with(Sharding chosen) {
      if (sharding != null) {
        throw new IllegalArgumentException(
            "choose one of shards, shardBytes and oneFile, not %s and %s"
                .formatted(sharding, chosen));
      }
      sharding = chosen;
      return this;
    }

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of records, which the caller closes; it does not keep the records' arrays
     * @throws IllegalArgumentException if the name is not a valid file name
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the directory cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<byte[]> open() throws IOException {
      if (name.isEmpty() || name.startsWith(".") || name.matches(".*[/\\\\\0].*")) {
        throw new IllegalArgumentException(
            "the name must be a file's, and not begin with a dot, was '%s'".formatted(name));
      }
      Sharding chosen = sharding == null ? new Sharding.BySize(DEFAULT_SHARD_BYTES) : sharding;
      Map<String, String> identity = new LinkedHashMap<>();
      identity.put("format", "tfrecord records");
      identity.put("name", name);
      identity.put("shards", chosen.identity());
      if (chosen instanceof Sharding.BySize) {
        TfRecordFileWriter.requireRenaming(directory);
      }
      return StagedOutput.openFor(
          directory,
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new TfRecordFileWriter<byte[]>(output, name, chosen) {
                @Override
                protected List<byte[]> record(byte[] sample) {
                  return List.of(sample);
                }
              });
    }
  }
}
