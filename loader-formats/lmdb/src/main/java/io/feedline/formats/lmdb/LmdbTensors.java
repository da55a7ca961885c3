package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.formats.store.StoreWriter;
import io.feedline.internal.Counts;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A dataset of tuples of tensors in a database that {@link #writer} wrote; each tuple is an LZ4
 * frame. A sample is a map from names to tensors; a batch has an entry for each name.
 *
 * <pre>{@code
 * try (LmdbTensors dataset = LmdbTensors.of(Path.of("train.lmdb"))) {
 *   DataLoader<?> loader = DataLoader.builder(dataset).batchSize(128).shuffle(true).build();
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Principle.</b> {@link #get} reads the header of a value, which contains the shapes. The
 * elements are decompressed when a tensor writes itself into its row of a batch: from the
 * database's memory straight into the batch's memory, without another copy. Tensors of at most 1
 * KiB, such as labels, are read along with the header.
 *
 * <p><b>Limits.</b> A sample takes at most {@link Builder#maxSampleBytes}; a sample that claims to
 * be larger, is corrupt, or does not fit the metadata is an {@link IOException} that names file and
 * key.
 *
 * <p>Thread-safe. The caller closes the dataset after the loaders that read it. Closing twice is
 * allowed; reading a sample or writing its tensors afterwards is an {@link IllegalStateException}.
 */
public final class LmdbTensors
    implements Dataset<Map<String, LmdbTensors.StoredTensor>>, AutoCloseable {

  /** The largest tensor that is read with the header, since a second look-up would take longer. */
  private static final int EAGER_BYTES = 1 << 10;

  private final Path path;
  private final MappedDatabase database;
  private final Metadata metadata;
  private final int maxSampleBytes;
  private final boolean verifying;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LmdbTensors(Builder builder, MappedDatabase database, Metadata metadata) {
    this.path = builder.path;
    this.maxSampleBytes = (int) builder.maxSampleBytes;
    this.verifying = builder.verifyChecksums;
    this.database = database;
    this.metadata = metadata;
  }

  /**
   * Opens a database with the defaults of {@link #builder}.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if the database cannot be read, or does not contain such tensors
   */
  public static LmdbTensors of(Path path) throws IOException {
    return builder(path).build();
  }

  /**
   * Returns a builder for a dataset of tensors.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  /**
   * Begins a database of tuples of tensors, or continues a database whose writer was interrupted.
   * Each sample is an LZ4 frame with checksums, compressed fast, and divided into blocks so that
   * each tensor can be decompressed straight to its place.
   *
   * <pre>{@code
   * try (StoreWriter<Map<String, ? extends TensorSource>> writer =
   *     LmdbTensors.writer(Path.of("train.lmdb"))) {
   *   for (long i = writer.written(); i < samples.size(); i++) {
   *     writer.write(Map.of("image", samples.get(i).image(), "label", label(i)));
   *   }
   *   writer.commit();
   * }
   * }</pre>
   *
   * <p>A sample is a map from names to tensors. The first sample determines the names (sorted,
   * unless its map has an order), the dtypes and the numbers of axes. Lengths may differ from
   * sample to sample. The tensors write themselves one after the other, and the writer does not
   * keep them. A sample with other tensors, or with a tensor that cannot write itself, is refused
   * with a {@link FormatException} whose cause is the tensor's failure; the next sample can be
   * written.
   *
   * @param path the directory of the new database; must not exist, or must be empty
   * @throws java.nio.file.FileAlreadyExistsException if there is something else at the path
   * @throws IOException if the database cannot be written, another writer is writing it, or the
   *     interrupted database does not contain tensors
   * @throws IllegalStateException if LMDB's native library does not load
   */
  public static StoreWriter<Map<String, ? extends TensorSource>> writer(Path path)
      throws IOException {
    return LmdbTensorWriter.open(path);
  }

  @Override
  public long size() {
    return metadata.count();
  }

  /** Returns the fields of the tensors, in the order of a sample. */
  List<TensorField> fields() {
    return metadata.fields();
  }

  /**
   * Reads the header of a sample.
   *
   * @return the tensors by name, in the order of {@link #fields}
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if the sample cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public Map<String, StoredTensor> get(long index) throws IOException {
    Objects.checkIndex(index, size());
    requireOpen();
    try {
      return database.read(reader -> read(index, reader));
    } catch (IOException e) {
      throw named(index, e);
    }
  }

  private Map<String, StoredTensor> read(long index, MappedDatabase.Reader reader)
      throws IOException {
    ByteBuffer value = value(index, reader);
    // Counts the value once, although further look-ups decompress its tensors.
    ReadMeter.add(value.limit());
    Lz4Frame frame = Lz4Frame.open(value, verifying);
    ByteBuffer head = reader.scratch(frame.maxBlockBytes());
    int headBytes = frame.next() ? frame.decompress(head, 0, head.limit()) : 0;
    TensorTuple tuple = TensorTuple.parse(head, headBytes);
    check(tuple);
    boolean eachInBlocks =
        tuple.blocks() && frame.independent() && tuple.headerBytes() == headBytes;
    ByteBuffer whole = eachInBlocks ? null : whole(value, frame, head.limit(headBytes), tuple);
    Map<String, StoredTensor> sample = new LinkedHashMap<>();
    int sum = 0;
    for (int i = 0; i < tuple.types().size(); i++) {
      int bytes = tuple.bytes(i, maxSampleBytes - sum);
      ByteBuffer read = whole == null ? ByteBuffer.allocate(0) : whole.slice(sum, bytes);
      int block = frame.position();
      StoredTensor.Elements elements = target -> target.put(read.duplicate());
      if (whole == null && bytes <= EAGER_BYTES) {
        ByteBuffer small = ByteBuffer.allocate(bytes);
        decompress(frame, small, bytes);
        elements = target -> target.put(small.duplicate());
      } else if (whole == null) {
        for (int left = bytes; left > 0; left -= frame.maxBlockBytes()) {
          requireBlock(frame, left);
        }
        int valueBytes = value.limit();
        elements = target -> decompress(index, valueBytes, block, target, bytes);
      }
      sum += bytes;
      String name = metadata.fields().get(i).name();
      sample.put(name, new StoredTensor(tuple.types().get(i), tuple.shapes().get(i), elements));
    }
    if (whole == null && frame.next()) {
      throw new IOException("the LZ4 frame has more blocks than its tensors take");
    }
    return sample;
  }

  /** Decompresses a tensor that begins at a block which {@link #get} found. */
  private void decompress(long index, int valueBytes, int block, ByteBuffer target, int bytes)
      throws IOException {
    requireOpen();
    try {
      database.read(
          reader -> {
            ByteBuffer value = value(index, reader);
            if (value.limit() != valueBytes) {
              throw new IOException(
                  "the value has %d bytes, and had %d before: the database has been changed"
                      .formatted(value.limit(), valueBytes));
            }
            Lz4Frame frame = Lz4Frame.open(value, verifying);
            frame.position(block);
            decompress(frame, target, bytes);
            return null;
          });
    } catch (IOException e) {
      throw named(index, e);
    }
  }

  private static void decompress(Lz4Frame frame, ByteBuffer target, int bytes) throws IOException {
    int done = 0;
    while (done < bytes) {
      requireBlock(frame, bytes - done);
      int expected = Math.min(bytes - done, frame.maxBlockBytes());
      int found = frame.decompress(target, done, done + expected);
      if (found != expected) {
        throw new IOException(
            "a block of the LZ4 frame holds %d bytes of a tensor, expected %d"
                .formatted(found, expected));
      }
      done += found;
    }
  }

  private static void requireBlock(Lz4Frame frame, int left) throws IOException {
    if (!frame.next()) {
      throw new IOException(
          "the LZ4 frame ends where %d bytes of a tensor should follow".formatted(left));
    }
  }

  /**
   * Decompresses a frame whose tensors do not begin blocks, such as a frame of Python's compress.
   * Takes no more memory than the tuple's header says, and no more than the value can contain.
   *
   * @param head the first block, decompressed
   */
  private ByteBuffer whole(ByteBuffer value, Lz4Frame frame, ByteBuffer head, TensorTuple tuple)
      throws IOException {
    long expected = tuple.headerBytes();
    for (int i = 0; i < tuple.types().size(); i++) {
      expected += tuple.bytes(i, maxSampleBytes - expected);
    }
    String words = "a tuple of tensors takes %d bytes, as its header says".formatted(expected);
    if (head.limit() > expected || expected > (long) value.limit() * Lz4Frame.MAX_RATIO) {
      throw new IOException(
          "%s; the first block of its frame holds %d, and the frame has %d"
              .formatted(words, head.limit(), value.limit()));
    }
    ByteBuffer content = ByteBuffer.allocate((int) expected);
    content.put(0, head, 0, head.limit());
    int found;
    try {
      found = frame.decompressRest(content, head.limit());
    } catch (IOException e) {
      throw new IOException("%s: %s".formatted(words, e.getMessage()), e);
    }
    if (found != expected) {
      throw new IOException("%s; the frame holds %d".formatted(words, found));
    }
    return content.slice(tuple.headerBytes(), found - tuple.headerBytes());
  }

  private void check(TensorTuple tuple) throws IOException {
    List<TensorField> fields = metadata.fields();
    if (tuple.types().size() != fields.size()) {
      throw new IOException(
          "a tuple of %s; the metadata names %d"
              .formatted(Counts.of(tuple.types().size(), "tensor"), fields.size()));
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).accepts(tuple.types().get(i), tuple.shapes().get(i))) {
        throw new IOException(
            "tensor %d is %s %s; the metadata says %s"
                .formatted(i, tuple.types().get(i), tuple.shapes().get(i), fields.get(i)));
      }
    }
  }

  private ByteBuffer value(long index, MappedDatabase.Reader reader) throws IOException {
    ByteBuffer value = reader.get(index);
    if (value == null) {
      throw new IOException("there is no such key, although the metadata counts " + size());
    }
    return value;
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException(name() + " is closed");
    }
  }

  private IOException named(long index, IOException e) {
    return new IOException(describe(index) + ": " + e.getMessage(), e);
  }

  /** Returns the database's file and the key; {@code index i} if an index i is out of range. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s, key %d".formatted(database.data(), index);
  }

  @Override
  public String name() {
    return "LmdbTensors(" + path + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns a hash of the metadata, and the numbers of entries and pages: the same for a copy. */
  @Override
  public String fingerprint() {
    List<String> words = new ArrayList<>();
    metadata.fields().forEach(field -> words.add(field.toString()));
    return String.format(
        Locale.ROOT, "LmdbTensors:%d:%s:%08x", size(), database.fingerprint(), words.hashCode());
  }

  /** Closes the database. May be called twice. */
  @Override
  public void close() {
    closed.set(true);
    database.close();
  }

  /** Options; see {@link LmdbTensors#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path path;
    private long maxSampleBytes = 1L << 30;
    private boolean verifyChecksums = true;

    private Builder(Path path) {
      this.path = Objects.requireNonNull(path, "path");
    }

    /** Sets the largest size of a decompressed sample, in bytes; 1 GiB by default. */
    public Builder maxSampleBytes(long maxSampleBytes) {
      this.maxSampleBytes = maxSampleBytes;
      return this;
    }

    /**
     * Sets whether the checksums of blocks, if there are any, are verified; true by default.
     * Without verification, reading takes two thirds of the time, and damage may go unnoticed.
     */
    public Builder verifyChecksums(boolean verifyChecksums) {
      this.verifyChecksums = verifyChecksums;
      return this;
    }

    /**
     * Builds the dataset; opens the database and reads its metadata.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws IOException if the database cannot be read, or does not contain such tensors
     */
    public LmdbTensors build() throws IOException {
      if (maxSampleBytes < 0 || maxSampleBytes > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "maxSampleBytes must be from 0 to %d, was %d"
                .formatted(Integer.MAX_VALUE - 8, maxSampleBytes));
      }
      MappedDatabase database = MappedDatabase.open(path);
      try {
        Metadata metadata = LmdbLayout.requireMetadata(database, Metadata.Kind.TENSORS);
        return new LmdbTensors(this, database, metadata);
      } catch (IOException | RuntimeException | Error e) {
        database.close();
        throw e;
      }
    }
  }

  /**
   * A tensor in a database, whose dtype and shape are known and whose elements have not been read.
   * When the tensor writes itself, its elements are decompressed straight into the row of a batch.
   * {@link #read} returns a tensor with the elements.
   *
   * <p>Immutable and thread-safe. The elements can be read while the dataset is open.
   */
  public static final class StoredTensor implements TensorSource {
    private final DType dtype;
    private final Shape shape;
    private final Elements elements;

    @FunctionalInterface
    interface Elements {
      /** Fills a buffer of exactly the tensor's bytes, from position 0. */
      void writeTo(ByteBuffer target) throws IOException;
    }

    StoredTensor(DType dtype, Shape shape, Elements elements) {
      this.dtype = dtype;
      this.shape = shape;
      this.elements = elements;
    }

    @Override
    public DType dtype() {
      return dtype;
    }

    @Override
    public Shape shape() {
      return shape;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the elements cannot be read
     * @throws IllegalStateException if the dataset has been closed
     */
    @Override
    public void writeTo(ByteBuffer target) throws IOException {
      elements.writeTo(target);
    }

    /**
     * Returns the tensor with its elements, in heap memory of its own.
     *
     * @throws IOException if the elements cannot be read
     * @throws IllegalStateException if the dataset has been closed
     */
    public Tensor read() throws IOException {
      Tensor tensor = Tensor.zeros(dtype, shape);
      writeTo(tensor.bytes());
      return tensor;
    }

    @Override
    public String toString() {
      return dtype + " " + shape;
    }
  }
}
