package io.feedline.formats.hdf5;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Counts;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A dataset of arrays of an HDF5 file: {@code images} of shape (n, 224, 224, 3) and {@code labels}
 * of shape (n) become n samples of an image and a label, as with h5py.
 *
 * <pre>{@code
 * try (Hdf5Dataset train =
 *     Hdf5Dataset.builder(Path.of("train.h5")).field("images").label("labels").build()) {
 *   DataLoader<Map<String, TensorSource>> loader = DataLoader.builder(train)...
 * }
 * }</pre>
 *
 * <p>Each array is a field of the samples. A field has a dtype and a shape, and writes itself
 * straight into its row of a batch. A file may also have a {@linkplain Builder#groupPerSample
 * group} for each sample, with small arrays of its own. {@link #images} reads encoded images.
 *
 * <h2>What is read</h2>
 *
 * <p>Types: integers of 1, 2, 4 and 8 bytes, floats of 2, 4 and 8 bytes, and bfloat16, in both byte
 * orders. Unsigned integers of 2 and 4 bytes become the next larger signed type; unsigned integers
 * of 8 bytes become int64 and must be below 2^63. h5py's booleans become bool; other enumerations
 * become their numbers. Layouts: contiguous, compact, and chunked with any index. Filters: gzip,
 * shuffle, fletcher32, lzf. Elements that were never written have the fill value.
 *
 * <h2>Known limitations</h2>
 *
 * <p>Strings, compounds, references, virtual or external storage, and other filters are not
 * supported: the error names what was found. {@code h5repack} converts unsupported layouts and
 * filters.
 *
 * <p>Thread-safe: workers read at the same time, by position, without a lock. A sample's fields can
 * be read as long as the dataset is open. The caller closes it; closing twice is allowed, reading
 * afterwards is an {@link IllegalStateException}.
 */
public final class Hdf5Dataset implements Dataset<Map<String, TensorSource>>, Closeable {

  /** The default of {@link Builder#cacheBytes}: 64 MiB. */
  public static final long DEFAULT_CACHE_BYTES = 64L << 20;

  private final JhdfFile file;
  private final Samples samples;

  private Hdf5Dataset(JhdfFile file, Samples samples) {
    this.file = file;
    this.samples = samples;
  }

  private record Field(String name, String path, boolean label) {
    StoredArray of(StoredArray array) throws FormatException {
      return label ? array.asInt64() : array;
    }
  }

  private sealed interface Samples {
    long size();

    Map<String, TensorSource> get(long index) throws IOException;

    String describe(long index);

    String shapes();
  }

  private record StoredRow(StoredArray array, long row) implements TensorSource {
    @Override
    public DType dtype() {
      return array.dtype();
    }

    @Override
    public Shape shape() {
      return array.shape();
    }

    @Override
    public void writeTo(ByteBuffer target) throws IOException {
      array.write(row, target);
    }

    @Override
    public String toString() {
      return "%s[%d], %s %s".formatted(array.path(), row, dtype(), shape());
    }
  }

  private record Columns(String file, Map<String, StoredArray> arrays, long size)
      implements Samples {
    @Override
    public Map<String, TensorSource> get(long index) {
      Map<String, TensorSource> sample = new LinkedHashMap<>();
      arrays.forEach((name, array) -> sample.put(name, new StoredRow(array, index)));
      return Collections.unmodifiableMap(sample);
    }

    @Override
    public String describe(long index) {
      return "%s, row %d of %s".formatted(file, index, arrays.keySet());
    }

    @Override
    public String shapes() {
      StringBuilder shapes = new StringBuilder();
      arrays.forEach(
          (name, array) ->
              shapes.append(':').append(name).append(array.dtype()).append(array.shape()));
      return shapes.toString();
    }
  }

  private record Groups(JhdfFile file, List<JhdfFile.Sample> groups, List<Field> fields)
      implements Samples {
    @Override
    public long size() {
      return groups.size();
    }

    @Override
    public Map<String, TensorSource> get(long index) throws IOException {
      JhdfFile.Sample group = groups.get((int) index);
      Map<String, TensorSource> sample = new LinkedHashMap<>();
      for (Field field : fields) {
        sample.put(field.name(), new StoredRow(field.of(file.array(group, field.path())), 0));
      }
      return Collections.unmodifiableMap(sample);
    }

    @Override
    public String describe(long index) {
      return "%s, group %s".formatted(file.path(), groups.get((int) index).name());
    }

    @Override
    public String shapes() {
      return ":" + fields.stream().map(Field::name).toList();
    }
  }

  /**
   * Opens arrays of a file. In samples, an array has the last name of its path as its name.
   *
   * @param arrays the arrays' paths, one or more
   * @throws IOException if the file is not HDF5, or an array is missing, is not supported or has
   *     another length than the first array
   */
  public static Hdf5Dataset of(Path file, String... arrays) throws IOException {
    Builder builder = builder(file);
    for (String array : arrays) {
      builder.field(array);
    }
    return builder.build();
  }

  /** Returns a builder for arrays of a file. */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /**
   * Returns a builder for encoded images in a file. The file has either an array of byte strings
   * (h5py's {@code vlen_dtype(np.uint8)}) and an array of labels, or a {@linkplain
   * ImagesBuilder#groupPerSample group} for each image, with an array of uint8 and a label.
   *
   * <pre>{@code
   * try (ImageDataset train =
   *     Hdf5Dataset.images(Path.of("train.h5")).imageField("jpegs").labelField("y").build()) { ... }
   * }</pre>
   *
   * <p>An image's key is its index in decimal, or the name of its group.
   *
   * <p>{@link StoreFormat#named} returns the format for the name {@code hdf5}. The format opens a
   * file, or a directory that has one {@code *.h5} or {@code *.hdf5}. Its options are {@code
   * image-field}, {@code label-field} (empty for images without labels) and {@code group}, the
   * parent of the images' groups. The format does not write files.
   */
  public static ImagesBuilder images(Path file) {
    return new ImagesBuilder(file);
  }

  @Override
  public long size() {
    return samples.size();
  }

  /**
   * Returns the fields of a sample by their names, in the order of the builder's calls. A field's
   * elements are read only when the field writes itself to a buffer.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if a sample's group lacks a field, or a field's type is not supported
   * @throws IOException if a sample's group cannot be read
   */
  @Override
  public Map<String, TensorSource> get(long index) throws IOException {
    return samples.get(Objects.checkIndex(index, size()));
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : samples.describe(index);
  }

  @Override
  public String name() {
    return "Hdf5Dataset(" + file.path() + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  /**
   * Returns a text of the arrays' shapes, the file's size, and a checksum of the file's beginning,
   * its end and places between. A copy of the file has the same fingerprint.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read
   */
  @Override
  public String fingerprint() {
    try {
      return "Hdf5Dataset:" + size() + samples.shapes() + ":" + file.fingerprint();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  long cachedBytes() {
    return file.cache().bytes();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The options of a dataset of arrays, see {@link Hdf5Dataset#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path file;
    private final List<Field> fields = new ArrayList<>();
    private String parent;
    private long cacheBytes = DEFAULT_CACHE_BYTES;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /** Adds an array under the last name of its path: {@code images} for {@code a/images}. */
    public Builder field(String path) {
      return field(lastName(path), path);
    }

    /**
     * Adds an array.
     *
     * @param name the field's name in samples and batches
     * @param path the array's path in the file, or in each sample's group
     */
    public Builder field(String name, String path) {
      fields.add(new Field(Objects.requireNonNull(name, "name"), path, false));
      return this;
    }

    /** Adds an array of integers as {@link DType#INT64}, the dtype of labels for losses. */
    public Builder label(String path) {
      return label(lastName(path), path);
    }

    /**
     * Adds an array of integers as {@link DType#INT64}, the dtype of labels for losses.
     *
     * @param name the field's name in samples and batches
     * @param path the array's path in the file, or in each sample's group
     */
    public Builder label(String name, String path) {
      fields.add(new Field(Objects.requireNonNull(name, "name"), path, true));
      return this;
    }

    private static String lastName(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Makes each group in {@code parent} a sample; the fields are arrays in the sample's group.
     * Groups whose names are numbers come first, in the order of the numbers. The other groups
     * follow in the order of their names. A group's structure is read with each sample, so groups
     * are slower than large arrays.
     *
     * @param parent the group that has the samples' groups; {@code /} for the file's root
     */
    public Builder groupPerSample(String parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    /**
     * Sets how many bytes of decoded chunks are kept in memory, for chunks that contain several
     * samples; {@link #DEFAULT_CACHE_BYTES} by default. The last decoded chunk is always kept.
     *
     * @param cacheBytes 0 or more
     */
    public Builder cacheBytes(long cacheBytes) {
      this.cacheBytes = cacheBytes;
      return this;
    }

    /**
     * Builds the dataset; opens the file.
     *
     * @throws IllegalArgumentException if there is no field, two fields have the same name, or
     *     {@code cacheBytes} is negative
     * @throws IOException if the file is not HDF5, or an array is missing, is not supported or has
     *     another length than the first array
     */
    public Hdf5Dataset build() throws IOException {
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("name one field or more");
      }
      List<String> names = fields.stream().map(Field::name).toList();
      if (names.stream().distinct().count() < names.size()) {
        throw new IllegalArgumentException("two fields have one name: " + names);
      }
      return JhdfFile.open(
          file,
          cacheBytes,
          opened -> new Hdf5Dataset(opened, parent == null ? columns(opened) : groups(opened)));
    }

    private Samples columns(JhdfFile opened) throws IOException {
      Map<String, StoredArray> arrays = new LinkedHashMap<>();
      StoredArray first = null;
      for (Field field : fields) {
        StoredArray array = field.of(opened.array(field.path()));
        first = first == null ? array : first;
        if (array.length() != first.length()) {
          throw new FormatException(
              "%s has %s, but %s has %d"
                  .formatted(
                      first.path(),
                      Counts.of(first.length(), "sample"),
                      array.path(),
                      array.length()));
        }
        arrays.put(field.name(), array);
      }
      return new Columns(file.toString(), arrays, first.length());
    }

    private Samples groups(JhdfFile opened) throws IOException {
      return new Groups(opened, opened.samples(parent), List.copyOf(fields));
    }
  }

  /**
   * The options of a dataset of encoded images, see {@link Hdf5Dataset#images}. Not thread-safe.
   *
   * <p>Fields are paths of arrays, in the file or in each group; {@code images} and {@code labels}
   * by default. The file stores no names of classes.
   */
  public static final class ImagesBuilder extends ImageStoreBuilder.WithFields<ImagesBuilder> {
    private final Path file;
    private String parent;

    private ImagesBuilder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /**
     * Makes each group in {@code parent} an image. Groups whose names are numbers come first, in
     * the order of the numbers. The other groups follow in the order of their names.
     *
     * @param parent the group that has the images' groups; {@code /} for the file's root
     */
    public ImagesBuilder groupPerSample(String parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      String images = imageOr("images");
      String labels = labelOr("labels").isEmpty() ? null : labelOr("labels");
      List<String> classes = classesOr(List.of());
      return JhdfFile.open(
          file,
          DEFAULT_CACHE_BYTES,
          opened ->
              parent == null
                  ? Hdf5Store.ofColumns(opened, images, labels, classes)
                  : Hdf5Store.ofGroups(opened, parent, images, labels, classes));
    }
  }
}
