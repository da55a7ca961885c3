package io.feedline.formats.hdf5;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
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
 * <p>A sample's fields know their dtype and shape, and write themselves straight into their row of
 * a batch. Instead, each sample may be a {@linkplain Builder#groupPerSample group} with small
 * arrays of its own.
 *
 * <h2>What is read</h2>
 *
 * <p>Integers of 1, 2, 4 and 8 bytes; unsigned ones as the next larger signed one, but for bytes,
 * and those of 8 bytes, which must be below 2^63. Floats of 2, 4 and 8 bytes, and bfloat16. h5py's
 * booleans; other enumerations as their numbers. Either byte order. Layouts: contiguous, compact,
 * chunked with any index. Filters: gzip, shuffle, fletcher32, lzf. Elements that were never written
 * have the fill value.
 *
 * <h2>Known limitations</h2>
 *
 * <p>No strings, compounds or references; no virtual or external storage, and no other filters:
 * these are errors that name what was found. Byte strings of different lengths are for {@link
 * Hdf5Images}. {@code h5repack} turns what is not supported into what is.
 *
 * <p>Thread-safe: workers read at once, by position, without a lock. A sample's fields can be read
 * as long as the dataset is open. The caller closes it; closing twice is allowed, reading
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

  /** Each sample a group with arrays of its own. */
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
   * Opens arrays of a file, each called after its path's last name.
   *
   * @param arrays their paths, one or more
   * @throws IOException if the file is not HDF5, or an array is missing, not supported or of
   *     another length
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

  @Override
  public long size() {
    return samples.size();
  }

  /**
   * Returns the fields of a sample, by name, in the order in which they were asked for. Nothing of
   * an array is read before it writes itself.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if a sample's group lacks a field, or has it in another type
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
   * Returns the shapes of the arrays, the file's size, and a checksum of its beginning, its end and
   * places between: the same for a copy.
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

  /** Options; see {@link Hdf5Dataset#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path file;
    private final List<Field> fields = new ArrayList<>();
    private String parent;
    private long cacheBytes = DEFAULT_CACHE_BYTES;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /**
     * Adds an array that is called after its path's last name: {@code images} for {@code a/images}.
     */
    public Builder field(String path) {
      return field(lastName(path), path);
    }

    /**
     * Adds an array.
     *
     * @param name what it is called in samples and batches
     * @param path where it is in the file, or in each sample's group
     */
    public Builder field(String name, String path) {
      fields.add(new Field(Objects.requireNonNull(name, "name"), path, false));
      return this;
    }

    /** Adds an array of integers that becomes {@link DType#INT64}, as losses want labels. */
    public Builder label(String path) {
      return label(lastName(path), path);
    }

    /**
     * Adds an array of integers that becomes {@link DType#INT64}, as losses want labels.
     *
     * @param name what it is called in samples and batches
     * @param path where it is in the file, or in each sample's group
     */
    public Builder label(String name, String path) {
      fields.add(new Field(Objects.requireNonNull(name, "name"), path, true));
      return this;
    }

    private static String lastName(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Takes each group in a group for a sample, and the fields for arrays in it. Groups whose names
     * are numbers come first, by their value, and then the others by name. Their structure is read
     * with each sample, so this is slower than large arrays.
     *
     * @param parent the group that has the samples' groups; {@code /} for the file's root
     */
    public Builder groupPerSample(String parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    /**
     * Sets how many bytes of memory restored chunks may take, where a chunk has several samples;
     * {@link #DEFAULT_CACHE_BYTES} by default. The chunk that was restored last is always kept.
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
     * @throws IllegalArgumentException if there is no field, two have one name, or {@code
     *     cacheBytes} is negative
     * @throws IOException if the file is not HDF5, or an array is missing, not supported or of
     *     another length
     */
    public Hdf5Dataset build() throws IOException {
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("name one field or more");
      }
      List<String> names = fields.stream().map(Field::name).toList();
      if (names.stream().distinct().count() < names.size()) {
        throw new IllegalArgumentException("two fields have one name: " + names);
      }
      JhdfFile opened = JhdfFile.open(file, cacheBytes);
      try {
        return new Hdf5Dataset(opened, parent == null ? columns(opened) : groups(opened));
      } catch (IOException | RuntimeException failed) {
        opened.close();
        throw failed;
      }
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
}
