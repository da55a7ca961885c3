package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.recordio.RecordIoDataset.ImageRecord;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Presence;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A dataset of the records of a RecordIO file, as bytes, with random access, like MXNet's {@code
 * MXIndexedRecordIO}.
 *
 * <p>The {@code .idx} file beside the {@code .rec} file contains the positions of the records; the
 * dataset has the order of the {@code .idx} file. Without an {@code .idx} file the {@code .rec}
 * file is scanned once, and a record's key is its number. The format has no checksums, so this
 * class does not notice damage within the data of a record.
 *
 * <p>Thread-safe: workers read at the same time, by position, without a lock. The caller closes the
 * dataset. Closing twice is allowed; reading after {@code close()} throws {@link
 * IllegalStateException}.
 */
public final class RecordIoDataset implements ReadAheadDataset<byte[]>, Closeable {

  private final RecordIoFile file;
  private final RecordIoIndex index;

  private RecordIoDataset(RecordIoFile file, RecordIoIndex index) {
    this.file = file;
    this.index = index;
  }

  /**
   * Returns the records of a file, with the index beside it if there is one: {@code x.idx} for
   * {@code x.rec}.
   *
   * @throws IOException if the file is missing, or the file or its index is damaged
   */
  public static RecordIoDataset of(Path rec) throws IOException {
    Path idx = indexOf(rec);
    return open(rec, Presence.exists(idx) ? file -> RecordIoIndex.readWhole(idx, file) : SCAN);
  }

  /**
   * Returns the records of a file with a given index.
   *
   * @throws IOException if the file or the index is missing or damaged
   */
  public static RecordIoDataset of(Path rec, Path idx) throws IOException {
    if (!Presence.exists(idx)) {
      throw new FormatException(idx + ": there is no such index");
    }
    return open(rec, file -> RecordIoIndex.read(idx, file));
  }

  /**
   * Returns the records of a file, found by a scan, ignoring any index.
   *
   * @throws IOException if the file is missing or damaged
   */
  public static RecordIoDataset withoutIndex(Path rec) throws IOException {
    return open(rec, SCAN);
  }

  @FunctionalInterface
  private interface Indexing {
    RecordIoIndex of(RecordIoFile file) throws IOException;
  }

  private static final Indexing SCAN = file -> RecordIoIndex.scan(file.files(), file.path());

  private static RecordIoDataset open(Path rec, Indexing indexing) throws IOException {
    RecordIoFile file = RecordIoFile.open(rec);
    try {
      return new RecordIoDataset(file, indexing.of(file));
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  static Path indexOf(Path rec) {
    return rec.resolveSibling(baseName(rec) + ".idx");
  }

  /** Returns a file's name without {@code .rec}. */
  static String baseName(Path rec) {
    String name = rec.getFileName().toString();
    return name.endsWith(".rec") ? name.substring(0, name.length() - 4) : name;
  }

  /**
   * Begins to write a directory with {@code data.rec} and its index {@code data.idx}, as MXNet's
   * {@code MXIndexedRecordIO} does. An interrupted run is begun anew. A record has at most
   * 2<sup>29</sup> - 1 bytes.
   *
   * @param directory the directory of the file and its index; must be absent or empty
   * @return a writer of records, which the caller closes; it does not keep the records' arrays
   * @throws java.nio.file.FileAlreadyExistsException if the directory is not empty
   * @throws IOException if the directory cannot be written, or another writer writes it
   */
  public static StoreWriter<byte[]> writer(Path directory) throws IOException {
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        Map.of("format", "recordio records"),
        false,
        output ->
            new RecordIoFileWriter<byte[]>(output) {
              @Override
              protected byte[] record(byte[] sample) {
                return sample;
              }
            });
  }

  /**
   * Returns a builder for the images of a file, as MXNet's {@code im2rec} packs them, and their
   * labels.
   *
   * <p>A label in the file is a float, which must be a whole number: 0 or more, or -1 for an image
   * without a label. Records with several labels, as for detection, need a {@link
   * ImagesBuilder#labelColumn}; to get all labels, map a dataset of records by {@link
   * ImageRecord#unpack}. An image's key is its key in the index, in decimal.
   *
   * <p>{@link StoreFormat#named} returns the format for the name {@code recordio}. The format opens
   * a file, or a directory with one such file; the option is {@code label-column}. The format
   * writes a directory with {@code data.rec}, {@code data.idx} and {@code data.classes.json}.
   */
  public static ImagesBuilder images(Path rec) {
    return new ImagesBuilder(rec);
  }

  @Override
  public long size() {
    return index.size();
  }

  /**
   * Returns a record, in an array of its own.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   * @throws FormatException if the record is damaged or cut off; the message has file, key and
   *     position
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public byte[] get(long index) throws IOException {
    long position = this.index.position((int) Objects.checkIndex(index, size()));
    try {
      return file.isFar() && this.index.isWhole() ? readAtOnce(index) : file.read(position);
    } catch (IOException unreadable) {
      throw FormatException.at(describe(index), unreadable);
    }
  }

  record Located(ImageRecord header, FileRange data) {}

  /** Returns a record's header and the place of its data; empty for a record in several parts. */
  Optional<Located> locate(long index) throws IOException {
    try {
      Optional<FileRange> whole =
          file.locate(this.index.position((int) Objects.checkIndex(index, size())));
      return whole.isPresent() ? Optional.of(locate(whole.get())) : Optional.empty();
    } catch (IOException unreadable) {
      throw FormatException.at(describe(index), unreadable);
    }
  }

  private Located locate(FileRange record) throws IOException {
    byte[] header = file.read(record, ImageRecord.HEADER_BYTES);
    int data = ImageRecord.dataOffset(header, (int) record.length());
    if (data > header.length) {
      header = file.read(record, data);
    }
    return new Located(
        ImageRecord.unpackHeader(header, new byte[0]),
        new FileRange(record.file(), record.offset() + data, record.length() - data));
  }

  /** Tests whether the file is remote, so that one read per record is faster than several. */
  boolean isFar() {
    return file.isFar();
  }

  OpenFiles files() {
    return file.files();
  }

  private byte[] readAtOnce(long index) throws IOException {
    FileRange part = part(index);
    if (part.length() > RecordIoLayout.MAX_RECORD_BYTES) {
      return file.read(part.offset()); // the index is damaged; the header has the true length
    }
    Closeable lent = openRange(part);
    try {
      return file.read(part.offset());
    } finally {
      lent.close();
    }
  }

  /**
   * Returns a record's key.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   */
  public long key(long index) {
    return this.index.key((int) Objects.checkIndex(index, size()));
  }

  /** Returns the place of a record in the file; empty if the index lists only some records. */
  @Override
  public Optional<FileRange> range(long index) {
    return this.index.isWhole() ? Optional.of(part(index)) : Optional.empty();
  }

  @Override
  public List<FileRange> parts(long index) {
    return List.of(part(index));
  }

  private FileRange part(long index) {
    int record = (int) Objects.checkIndex(index, size());
    long begin = this.index.position(record);
    return new FileRange(path(), begin, this.index.next(record, file.size()) - begin);
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return file.files().openRange(range);
  }

  /** Returns the path of the file. */
  public Path path() {
    return file.path();
  }

  @Override
  public Path anyFile() {
    return path();
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s, key %d at position %d"
            .formatted(file.path(), key(index), this.index.position((int) index));
  }

  @Override
  public String name() {
    return "RecordIoDataset(" + file.path() + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  @Override
  public String fingerprint() {
    return "RecordIoDataset:" + size() + ':' + file.size();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * A record with labels in front of its data, as MXNet's {@code recordio.pack} writes it and
   * {@code unpack} reads it, with an {@code IRHeader}. Immutable, but for its arrays, which must
   * not be changed.
   *
   * <pre>
   *   0    u32  flag: 0, or the number of labels behind the header
   *   4    f32  the label where the flag is 0
   *   8    u64  id
   *   16   u64  id2
   *   24   f32 x flag, labels
   *   ...  data
   * </pre>
   *
   * @param labels one or more
   * @param id the record's number, as {@code im2rec} writes it
   * @param id2 the upper half of an id of 128 bits; 0 as a rule
   * @param data most often an encoded image
   */
  public record ImageRecord(float[] labels, long id, long id2, byte[] data) {

    static final int HEADER_BYTES = 24;

    /**
     * Checks that there is a label.
     *
     * @throws IllegalArgumentException if there are no labels
     */
    public ImageRecord {
      if (labels.length == 0) {
        throw new IllegalArgumentException("an image record has one label or more");
      }
    }

    /** Returns a record with one label. */
    public static ImageRecord of(float label, long id, byte[] data) {
      return new ImageRecord(new float[] {label}, id, 0, data);
    }

    /**
     * Returns the header and data of a record.
     *
     * @throws FormatException if the record is too short for the labels that its header states
     */
    public static ImageRecord unpack(byte[] record) throws FormatException {
      int data = dataOffset(record, record.length);
      return unpackHeader(record, Arrays.copyOfRange(record, data, record.length));
    }

    /**
     * Returns the offset of the data in a record of {@code length} bytes. {@code header} contains
     * the first {@link #HEADER_BYTES} of the record, or all of a shorter record.
     */
    static int dataOffset(byte[] header, int length) throws FormatException {
      if (length < HEADER_BYTES) {
        throw new FormatException(
            "a record of %d bytes is too short for its header of %d"
                .formatted(length, HEADER_BYTES));
      }
      long flag =
          Integer.toUnsignedLong(ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt());
      if (flag * Float.BYTES > length - HEADER_BYTES) {
        throw new FormatException(
            "the header says that %d labels follow, but %d bytes do"
                .formatted(flag, length - HEADER_BYTES));
      }
      return HEADER_BYTES + (int) flag * Float.BYTES;
    }

    /** Returns a record of a header and data; {@code header} may have more bytes behind it. */
    static ImageRecord unpackHeader(byte[] header, byte[] data) {
      ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      int flag = in.getInt();
      float label = in.getFloat();
      long id = in.getLong();
      long id2 = in.getLong();
      float[] labels = new float[Math.max(1, flag)];
      labels[0] = label;
      if (flag > 0) {
        in.asFloatBuffer().get(labels);
      }
      return new ImageRecord(labels, id, id2, data);
    }

    /**
     * Returns the record as one array: a single label is in the header, several labels follow it.
     */
    public byte[] pack() {
      int flag = labels.length == 1 ? 0 : labels.length;
      ByteBuffer out =
          ByteBuffer.allocate(HEADER_BYTES + flag * Float.BYTES + data.length)
              .order(ByteOrder.LITTLE_ENDIAN);
      out.putInt(flag).putFloat(flag == 0 ? labels[0] : 0).putLong(id).putLong(id2);
      if (flag > 0) {
        for (float label : labels) {
          out.putFloat(label);
        }
      }
      return out.put(data).array();
    }
  }

  /**
   * Options; see {@link RecordIoDataset#images}. Not thread-safe.
   *
   * <p>By default the names of the classes are read from {@code x.classes.json} beside {@code
   * x.rec}.
   */
  public static final class ImagesBuilder extends ImageStoreBuilder<ImagesBuilder> {
    private final Path rec;
    private Path idx;
    private Integer labelColumn;

    private ImagesBuilder(Path rec) {
      this.rec = Objects.requireNonNull(rec, "rec");
    }

    /** Sets the index; by default {@code x.idx} for {@code x.rec}, or a scan if it is absent. */
    public ImagesBuilder index(Path idx) {
      this.idx = Objects.requireNonNull(idx, "idx");
      return this;
    }

    /**
     * Sets which of several labels is the class; by default a record may have only one label.
     *
     * @param column 0 or more
     */
    public ImagesBuilder labelColumn(int column) {
      this.labelColumn = column;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      if (labelColumn != null && labelColumn < 0) {
        throw new IllegalArgumentException("labelColumn must be 0 or more, was " + labelColumn);
      }
      ClassList kept = ClassList.readIfPresent(RecordIoStore.classList(rec));
      ClassList used = new ClassList(classesOr(kept.names()), kept.firstLabel());
      RecordIoDataset records =
          idx == null ? RecordIoDataset.of(rec) : RecordIoDataset.of(rec, idx);
      return new RecordIoStore(records, labelColumn, used);
    }
  }
}
