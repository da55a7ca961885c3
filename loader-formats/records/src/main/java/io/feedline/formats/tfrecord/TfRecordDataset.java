package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.shards.ShardIndex;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import io.feedline.formats.store.internal.shards.Shards;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
 * scanned when they are first read. Compressed files can only be {@linkplain TfRecordFiles#stream
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
   * Returns the records of the files that {@link TfRecordFiles#builder(Path)} chooses.
   *
   * @throws IOException if no file matches, or a shard is missing, damaged or compressed
   */
  public static TfRecordDataset of(Path pattern) throws IOException {
    return open(TfRecordFiles.of(pattern));
  }

  /**
   * Returns the records of chosen files, with chosen options.
   *
   * @throws IOException if a file is missing, damaged or compressed
   */
  public static TfRecordDataset open(TfRecordFiles options) throws IOException {
    return new TfRecordDataset(
        options,
        ShardIndexes.open(
            options.chosen(),
            options.openFiles(),
            options.keepIndex() ? options::indexOf : null,
            RecordScan.UNIT,
            RecordScan::index));
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
}
