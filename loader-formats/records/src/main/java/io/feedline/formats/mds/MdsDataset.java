package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import io.feedline.formats.store.internal.shards.Shards;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Digest;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the samples of an MDS dataset (MosaicML's streaming), as maps from the names of
 * columns to values, in the order of the columns.
 *
 * <p>The encoding of a column determines the type of its values. {@code bytes} is read as a byte[];
 * {@code str} and {@code json} as a String; integers of any width as a Long; {@code float16} and
 * {@code float32} as a Float; {@code float64} as a Double; {@code ndarray} as a {@link
 * io.feedline.batch.Tensor}; {@code jpeg}, {@code png} and {@code pil} as an {@link
 * io.feedline.formats.image.Image}, which is decoded when a batch is made. A batch contains the
 * numbers as INT64, FLOAT32 and FLOAT64. A column of pickles is refused; {@link Builder#columns}
 * can leave the column out.
 *
 * <p>Thread-safe. The caller closes the dataset. {@code close()} may be called twice; {@code get}
 * after {@code close()} throws {@link IllegalStateException}.
 */
public final class MdsDataset implements ReadAheadDataset<Map<String, Object>>, Closeable {

  private final Path directory;
  private final List<MdsShard> shards;
  private final MdsShards files;
  private final Shards numbers;

  /** The encodings of each shard's columns; an element is null for a column that is left out. */
  private final @Nullable List<List<MdsEncoding>> encodings;

  private MdsDataset(
      Path directory, List<MdsShard> shards, List<List<MdsEncoding>> encodings, MdsShards files) {
    this.directory = directory;
    this.shards = shards;
    this.encodings = encodings;
    this.files = files;
    this.numbers = Shards.of(shards.stream().mapToLong(MdsShard::samples).toArray());
  }

  /**
   * Returns the samples of a dataset, with all columns.
   *
   * @throws IOException if the index cannot be read
   */
  public static MdsDataset of(Path directory) throws IOException {
    return builder(directory).build();
  }

  /**
   * Returns a builder for the samples of a dataset.
   *
   * @param directory the directory of {@code index.json}
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /**
   * Returns a builder for the {@linkplain Builder#images images} of a dataset.
   *
   * @param directory the directory of {@code index.json}
   */
  public static ImagesBuilder images(Path directory) {
    return builder(directory).images();
  }

  /**
   * Returns a builder for a writer of a dataset with any columns. {@link StoreFormat#create} writes
   * datasets of images.
   *
   * <p>A sample has a value for each column, of the type that is read, with two exceptions: an
   * image is a byte[] of encoded bytes, and an integer may be a Byte, Short, Integer or Long. The
   * samples of a shard are kept in memory until the shard is full.
   *
   * @param directory the directory of the shards and the index; must be absent or empty
   */
  public static WriterBuilder writer(Path directory) {
    return new WriterBuilder(directory);
  }

  @Override
  public long size() {
    return numbers.samples();
  }

  /**
   * Reads a sample.
   *
   * @return the sample's values by column; neither the map nor a value is null
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if the shard or the sample is damaged
   * @throws IOException if the shard or the sample cannot be read
   * @throws IllegalStateException if the dataset is closed, or the library for the shard's
   *     compression is absent
   */
  @Override
  public Map<String, Object> get(long index) throws IOException {
    int shard = numbers.shardOf(index);
    int number = numbers.indexIn(shard, index);
    ByteBuffer data = files.read(shard, number);
    Layout layout = new Layout(shard, number, data, data.remaining());
    Map<String, Object> sample = new LinkedHashMap<>();
    List<String> names = shards.get(shard).names();
    for (int i = 0; i < names.size(); i++) {
      MdsEncoding encoding = encodings.get(shard).get(i);
      if (encoding != null) {
        sample.put(names.get(i), layout.value(data, i, encoding));
      }
    }
    return sample;
  }

  List<byte[]> stored(long index, List<String> names) throws IOException {
    int shard = numbers.shardOf(index);
    int number = numbers.indexIn(shard, index);
    ByteBuffer data = files.read(shard, number);
    Layout layout = new Layout(shard, number, data, data.remaining());
    List<byte[]> values = new ArrayList<>();
    for (String name : names) {
      ByteBuffer bytes = layout.bytes(data, shards.get(shard).names().indexOf(name));
      byte[] value = new byte[bytes.remaining()];
      bytes.get(value);
      values.add(value);
    }
    return values;
  }

  byte[] stored(long index, String name) throws IOException {
    int shard = numbers.shardOf(index);
    int number = numbers.indexIn(shard, index);
    Optional<FileRange> sample = files.locate(shard, number);
    return sample.isEmpty()
        ? stored(index, List.of(name)).get(0)
        : bytes(layout(shard, number, sample.get()), sample.get(), name);
  }

  private byte[] bytes(Layout layout, FileRange sample, String name) throws IOException {
    List<String> names = shards.get(layout.shardNumber).names();
    FileRange place = layout.place(sample, names.indexOf(name));
    return files.read(place, layout.number, (int) place.length()).array();
  }

  private Layout layout(int shard, int number, FileRange sample) throws IOException {
    int headBytes = (int) Math.min(Layout.headBytes(shards.get(shard)), sample.length());
    return new Layout(shard, number, files.read(sample, number, headBytes), (int) sample.length());
  }

  record Located(byte @Nullable [] label, FileRange image) {}

  /** Returns the label of a sample and the place of its image; empty for a compressed shard. */
  Optional<Located> locate(long index, String image, @Nullable String label) throws IOException {
    int shard = numbers.shardOf(index);
    int number = numbers.indexIn(shard, index);
    Optional<FileRange> found = files.locate(shard, number);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    FileRange sample = found.get();
    Layout layout = layout(shard, number, sample);
    byte[] value = label == null ? null : bytes(layout, sample, label);
    int column = shards.get(shard).names().indexOf(image);
    return Optional.of(new Located(value, layout.place(sample, column)));
  }

  /** Tests whether a sample's file is remote, so that one read is faster than several. */
  boolean isFar(long index) throws IOException {
    return files.isFar(numbers.shardOf(index));
  }

  ShardIdentity identity(int number) {
    MdsShard shard = shards.get(number);
    return new ShardIdentity(
        directory.resolve(shard.stored().basename()), shard.stored().bytes(), shard.samples());
  }

  void checkShards() throws IOException {
    files.check();
  }

  OpenFiles files() {
    return files.files();
  }

  private final class Layout {
    private final int shardNumber;
    private final int number;
    private final List<String> names;

    /** The offsets of the columns in the sample, followed by the sample's length. */
    private final int[] begins;

    Layout(int shardNumber, int number, ByteBuffer head, int length) throws FormatException {
      this.shardNumber = shardNumber;
      this.number = number;
      MdsShard shard = shards.get(shardNumber);
      this.names = shard.names();
      this.begins = new int[names.size() + 1];
      begins[names.size()] = length;
      int headBytes = headBytes(shard);
      if (headBytes > length) {
        throw broken(
            " has %d bytes, its columns' sizes alone take %d".formatted(length, headBytes));
      }
      long end = headBytes;
      int at = 0;
      for (int i = 0; i < names.size(); i++) {
        begins[i] = (int) end;
        long size = shard.sizes().get(i);
        if (size == 0) {
          size = Integer.toUnsignedLong(head.getInt(at));
          at += Integer.BYTES;
        }
        end += size;
        if (end > length) {
          throw broken(
              ", column '%s': its %d bytes end at byte %d of the sample, which has %d"
                  .formatted(names.get(i), size, end, length));
        }
      }
      if (end != length) {
        throw broken(" has %d bytes, its columns take %d".formatted(length, end));
      }
    }

    static int headBytes(MdsShard shard) {
      return Integer.BYTES * (int) shard.sizes().stream().filter(size -> size == 0).count();
    }

    private int length(int column) {
      return begins[column + 1] - begins[column];
    }

    FileRange place(FileRange sample, int column) {
      return new FileRange(sample.file(), sample.offset() + begins[column], length(column));
    }

    ByteBuffer bytes(ByteBuffer data, int column) {
      return data.slice(begins[column], length(column)).order(data.order());
    }

    Object value(ByteBuffer data, int column, MdsEncoding encoding) throws IOException {
      String place =
          "%s, sample %d, column '%s'"
              .formatted(files.path(shardNumber), number, names.get(column));
      try {
        return encoding.decode(bytes(data, column), place);
      } catch (IllegalArgumentException e) {
        String name = shards.get(shardNumber).encodings().get(column);
        throw new FormatException(
            "%s, encoding '%s': %s".formatted(place, name, e.getMessage()), e);
      }
    }

    private FormatException broken(String problem) {
      return FormatException.in(files.path(shardNumber), "sample %d%s".formatted(number, problem));
    }
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int shard = numbers.shardOf(index);
    return "%s, sample %d".formatted(files.path(shard), numbers.indexIn(shard, index));
  }

  @Override
  public String name() {
    return "MdsDataset(" + directory + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns a checksum of the shards' names and sizes, but not of their directory. */
  @Override
  public String fingerprint() {
    return "MdsDataset:" + size() + ":" + Digest.ofLines(shards.stream().map(MdsShard::identity));
  }

  /** Returns the encodings of all columns by name, in the order of the columns, in a new map. */
  public Map<String, String> columns() {
    return MdsIndex.columns(shards);
  }

  /**
   * Returns the numbers of samples by shard, in a new array; for orders that keep shards together.
   */
  public long[] shardSizes() {
    return numbers.sizes();
  }

  @Override
  public Path anyFile() {
    return directory;
  }

  @Override
  public Optional<FileRange> range(long index) {
    int shard = numbers.shardOf(index);
    return files.range(shard, numbers.indexIn(shard, index));
  }

  @Override
  public List<FileRange> parts(long index) {
    int shard = numbers.shardOf(index);
    return files.parts(shard, numbers.indexIn(shard, index));
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return files.openRange(range);
  }

  Path path(long index) {
    return files.path(numbers.shardOf(index));
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  /** Options; see {@link MdsDataset#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private List<String> columns;
    private Path cache;
    private long cacheBytes = Long.MAX_VALUE;
    private boolean verifyChecksums;
    private int openFiles = OpenFiles.DEFAULT_LIMIT;

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /** Sets which columns are read; all by default. */
    public Builder columns(String... columns) {
      this.columns = List.of(columns);
      return this;
    }

    /**
     * Sets the directory into which compressed shards are inflated. The default is the directory of
     * the compressed shards, as in streaming. If that directory is read-only or not in the default
     * file system, the default is a temporary directory, which {@link MdsDataset#close} deletes.
     *
     * @param cache a directory of the default file system
     */
    public Builder cache(Path cache) {
      this.cache = Objects.requireNonNull(cache, "cache");
      return this;
    }

    /**
     * Sets how many bytes of inflated shards are kept, not counting shards that were inflated
     * before this dataset was opened. By default all shards are kept; the index contains their
     * sizes. A deleted shard is inflated again when it is next read, so a loader in a shuffled
     * order needs room for all shards.
     */
    public Builder cacheBytes(long cacheBytes) {
      this.cacheBytes = cacheBytes;
      return this;
    }

    /**
     * Sets whether the checksums of a shard are compared before the shard is first read; false by
     * default. Hashes of the SHA families and MD5 can be verified.
     */
    public Builder verifyChecksums(boolean verifyChecksums) {
      this.verifyChecksums = verifyChecksums;
      return this;
    }

    /** Sets how many shards stay open while they are not read; 128 by default. */
    public Builder openFiles(int openFiles) {
      this.openFiles = openFiles;
      return this;
    }

    /**
     * Builds the dataset; reads the index. Shards are opened when they are needed.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or a chosen column
     *     does not exist
     * @throws FileNotFoundException if there is no index
     * @throws FormatException if the index is damaged, or a column's encoding or the compression is
     *     unknown or not supported
     * @throws IOException if the index cannot be read
     */
    public MdsDataset build() throws IOException {
      return build(MdsIndex.read(directory));
    }

    /**
     * Returns a builder for the images of a dataset and their classes. The images are read from a
     * column of images, a column of labels and, if there is one, a column of keys; {@link #columns}
     * is ignored.
     *
     * <p>{@link StoreFormat#named} returns the format for the name {@code mds}. The options {@code
     * image-field}, {@code label-field} (empty if there are no labels) and {@code key-field} name
     * the columns to read. The format writes the columns {@code image}, {@code key} and {@code
     * label}, with the options
     *
     * <ul>
     *   <li>{@code image-encoding}: {@code bytes} by default, for images of any kind; or {@code
     *       jpeg} or {@code png}, which streaming decodes by itself;
     *   <li>{@code compression}: {@code gz}, {@code zstd}, {@code zstd:7}, ...; none by default;
     *   <li>{@code hashes}: names of checksums, separated by commas; none by default.
     * </ul>
     */
    public ImagesBuilder images() {
      return new ImagesBuilder(this);
    }

    MdsDataset build(MdsIndex index) throws IOException {
      if (cacheBytes < 0) {
        throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
      }
      if (cache != null) {
        LocalFiles.requireForWriting(cache);
      }
      List<MdsShard> shards = index.shards();
      List<List<MdsEncoding>> encodings = new ArrayList<>();
      for (MdsShard shard : shards) {
        requireColumns(shard);
        try {
          // Shards nearly always have the same columns.
          int last = encodings.size() - 1;
          boolean same =
              last >= 0
                  && shard.names().equals(shards.get(last).names())
                  && shard.encodings().equals(shards.get(last).encodings())
                  && shard.sizes().equals(shards.get(last).sizes());
          encodings.add(same ? encodings.get(last) : encodings(shard));
          if (shard.zip() != null) {
            if (shard.compression() == null) {
              throw new IllegalArgumentException(
                  "it is compressed, but the index does not say how");
            }
            ShardCompression.of(shard.compression());
          }
        } catch (IllegalArgumentException e) {
          throw FormatException.in(
              directory.resolve(MdsIndex.NAME),
              "shard %d: %s".formatted(encodings.size(), e.getMessage()),
              e);
        }
      }
      return new MdsDataset(
          directory,
          shards,
          encodings,
          new MdsShards(directory, shards, cache, verifyChecksums, cacheBytes, openFiles));
    }

    private void requireColumns(MdsShard shard) {
      if (columns != null && !shard.names().containsAll(columns)) {
        throw new IllegalArgumentException(
            "columns %s are asked for, %s has %s".formatted(columns, directory, shard.names()));
      }
    }

    private List<MdsEncoding> encodings(MdsShard shard) {
      List<MdsEncoding> encodings = new ArrayList<>();
      for (int i = 0; i < shard.names().size(); i++) {
        String name = shard.names().get(i);
        MdsEncoding encoding = null;
        if (columns == null || columns.contains(name)) {
          try {
            encoding = MdsEncoding.of(shard.encodings().get(i));
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                "column '%s': %s".formatted(name, e.getMessage()), e);
          }
          int size = Math.max(encoding.size(), 0);
          if (size != shard.sizes().get(i)) {
            throw new IllegalArgumentException(
                "column '%s' has encoding '%s', whose values do not have %d bytes"
                    .formatted(name, shard.encodings().get(i), shard.sizes().get(i)));
          }
        }
        encodings.add(encoding);
      }
      return encodings;
    }
  }

  /**
   * Options; see {@link Builder#images}. Not thread-safe.
   *
   * <p>By default the image is the only column of encoding {@code jpeg} or {@code png}. If there is
   * no such column, or there are several, the image is the column {@code image}, which may also be
   * of encoding {@code bytes}. The label is the first of the columns {@code label}, {@code class},
   * {@code cls}, {@code y} that exists; it must contain integers. The key is the column {@code key}
   * if its encoding is {@code str}, and otherwise the sample's number. The names of the classes are
   * read from the member {@code classes} of the index, which streaming ignores, or else from {@code
   * classes.json} beside the index. Shards are opened when they are needed.
   */
  public static final class ImagesBuilder extends ImageStoreBuilder.WithKeys<ImagesBuilder> {
    private final Path directory;
    private final Builder samples;

    private ImagesBuilder(Builder samples) {
      this.directory = samples.directory;
      this.samples = samples;
    }

    @Override
    protected ImageStore store() throws IOException {
      return store(MdsIndex.read(directory));
    }

    MdsStore store(MdsIndex index) throws IOException {
      MdsStore.Columns used =
          MdsStore.Columns.of(
              directory,
              MdsIndex.columns(index.shards()),
              imageOr(null),
              labelOr(null),
              keyOr(null));
      ClassList kept =
          index.classes().isEmpty()
              ? ClassList.readIfPresent(directory.resolve(ClassList.FILE_NAME))
              : new ClassList(index.classes(), 0);
      return new MdsStore(
          samples.columns(used.names().toArray(String[]::new)).build(index),
          directory,
          used,
          new ClassList(classesOr(kept.names()), kept.firstLabel()));
    }
  }

  /** Options; see {@link MdsDataset#writer}. Not thread-safe. */
  public static final class WriterBuilder {

    /** The default of {@link #shardBytes}, as in streaming: 64 MiB. */
    public static final int DEFAULT_SHARD_BYTES = 1 << 26;

    /** The largest size of a shard, since positions in a shard are of type int here. */
    static final int LARGEST_SHARD_BYTES = Integer.MAX_VALUE - 64;

    private final Path directory;
    Map<String, String> columns = Map.of();

    String compression;

    List<String> hashes = List.of();
    int shardBytes = DEFAULT_SHARD_BYTES;
    List<String> classes = List.of();

    private WriterBuilder(Path directory) {
      this.directory = directory;
    }

    /**
     * Sets the encodings of the columns by the columns' names; there must be at least one column.
     * Encodings have streaming's names. Columns are written in the order of their names.
     */
    public WriterBuilder columns(Map<String, String> columns) {
      this.columns = new TreeMap<>(columns);
      return this;
    }

    /**
     * Sets the names of the classes, by index; none by default. They are written to {@code
     * classes.json} beside the index, for {@link #images}; streaming ignores this file.
     */
    public WriterBuilder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Sets how shards are compressed: {@code gz}, {@code zstd}, {@code zstd:7}, ...; not by
     * default.
     */
    public WriterBuilder compression(String compression) {
      this.compression = compression;
      return this;
    }

    /** Sets the checksums to write, for example {@code sha1}, {@code sha256}; none by default. */
    public WriterBuilder hashes(String... hashes) {
      this.hashes = List.of(hashes).stream().sorted().distinct().toList();
      return this;
    }

    /**
     * Sets the largest size of a shard in bytes, before compression; {@link #DEFAULT_SHARD_BYTES}
     * by default. The limit is 2 GiB less 65 bytes, since a shard is put together in memory. A
     * shard with a single sample may be larger.
     */
    public WriterBuilder shardBytes(int shardBytes) {
      this.shardBytes = shardBytes;
      return this;
    }

    void validate() throws IOException {
      if (columns.isEmpty()) {
        throw new IllegalArgumentException("columns must name one column or more, were none");
      }
      if (shardBytes < 1 || shardBytes > LARGEST_SHARD_BYTES) {
        throw new IllegalArgumentException(
            "shardBytes must be from 1 to %d bytes, since a shard is put together in memory, was %d"
                .formatted(LARGEST_SHARD_BYTES, shardBytes));
      }
      columns.values().forEach(MdsEncoding::of);
      if (compression != null) {
        // A missing library is reported now, and not when the first shard is full.
        ShardCompression.of(compression).deflate(List.of());
      }
      for (String hash : hashes) {
        if (Hashes.of(hash) == null) {
          throw new IllegalArgumentException("the JDK has no hash '" + hash + "'");
        }
      }
    }

    /**
     * Begins to write, or continues an interrupted run behind its last whole shard.
     *
     * @return a writer of samples, which the caller closes
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IllegalStateException if zstd's native library does not load
     * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
     * @throws IOException if the dataset cannot be written, another writer writes it, or the
     *     interrupted run had other options
     */
    public StoreWriter<Map<String, Object>> open() throws IOException {
      validate();
      Map<String, String> identity = new TreeMap<>();
      identity.put("format", "mds samples");
      identity.put("columns", columns.toString());
      identity.put("compression", compression == null ? "none" : compression);
      identity.put("hashes", String.join(",", hashes));
      identity.put("size-limit", Integer.toString(shardBytes));
      identity.put("classes", String.join("\n", classes));
      return StagedOutput.openFor(
          directory,
          StagedOutput.Kind.DIRECTORY,
          identity,
          false,
          output ->
              new MdsShardWriter<Map<String, Object>>(output, this) {
                @Override
                protected Map<String, Object> stored(Map<String, Object> sample) {
                  return sample;
                }
              });
    }
  }
}
