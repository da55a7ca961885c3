package io.feedline.formats.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.Dataset;
import io.feedline.formats.support.OpenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The records of TFRecord files as they are, in any order: what TensorFlow's {@code
 * TFRecordDataset} reads from front to back.
 *
 * <pre>{@code
 * try (TfRecordDataset records = TfRecordDataset.of(Path.of("imagenet/train-*"))) {
 *   Dataset<Example> examples = records.map(Example::parse);
 * }
 * }</pre>
 *
 * <h2>Principle</h2>
 *
 * <p>The format has no index. When the dataset is opened each file is gone through once, from
 * header to header, and where its records begin is kept beside it, in a file of 8 bytes a record
 * (the name of the shard with {@code .tfindex}), bound to the shard's size and time of
 * modification. The next time it is read. Where it cannot be written it stays in memory.
 *
 * <h2>Known limitations</h2>
 *
 * <p>A compressed file can only be read from front to back: {@link TfRecordStream} does. The JDK's
 * inflater cannot be started in the middle.
 *
 * <p>Thread-safe: workers read at once, by position, without a lock. Whoever made it closes it;
 * closing twice is allowed, reading afterwards is an {@link IllegalStateException}.
 */
public final class TfRecordDataset implements Dataset<byte[]>, AutoCloseable {

  private final String name;
  private final ShardIndex[] shards;
  private final List<Path> paths;
  private final OpenFiles files;
  private final boolean verifyChecksums;
  private final int maxRecordBytes;

  /** The number of records before each shard, and of all of them. */
  private final long[] starts;

  private TfRecordDataset(TfRecordFiles options, ShardIndex[] shards) {
    this.name = "TfRecordDataset(" + options.name() + ")";
    this.shards = shards;
    this.paths = options.files();
    this.files = new OpenFiles(options.maxOpenFiles());
    this.verifyChecksums = options.verifyChecksums();
    this.maxRecordBytes = options.maxRecordBytes();
    this.starts = new long[shards.length + 1];
    for (int i = 0; i < shards.length; i++) {
      starts[i + 1] = starts[i] + shards[i].records();
    }
  }

  /**
   * The records of one file, or of those that match a pattern.
   *
   * @param pattern a file, or a path whose last name is a pattern: {@code train-*}
   * @throws IOException if there is none, a shard is missing, or one is damaged or compressed
   */
  public static TfRecordDataset of(Path pattern) throws IOException {
    return open(TfRecordFiles.of(pattern));
  }

  /**
   * The records of chosen files, with chosen options.
   *
   * @throws IOException if a file is missing, damaged or compressed
   */
  public static TfRecordDataset open(TfRecordFiles files) throws IOException {
    return new TfRecordDataset(files, ShardIndexes.of(files));
  }

  @Override
  public long size() {
    return starts[shards.length];
  }

  /**
   * A record's data, in an array of its own.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   * @throws TfRecordException if it is damaged or too long, with file, record and offset
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public byte[] get(long index) throws IOException {
    byte[] framed = framed(index);
    // The second copy of a record, so that an array is all data; about 10 us for an image.
    return Arrays.copyOfRange(
        framed, RecordLayout.HEADER_BYTES, framed.length - RecordLayout.FOOTER_BYTES);
  }

  /** The record as a {@code tf.train.Example}, without a copy of the record. */
  Example example(long index) throws IOException {
    byte[] framed = framed(index);
    try {
      return Example.parse(
          framed, RecordLayout.HEADER_BYTES, framed.length - RecordLayout.FOOTER_BYTES);
    } catch (TfRecordException broken) {
      throw new TfRecordException(describe(index) + ": " + broken.getMessage(), broken);
    }
  }

  /** A record with its header and footer, verified. */
  private byte[] framed(long index) throws IOException {
    int shard = shard(Objects.checkIndex(index, size()));
    int record = (int) (index - starts[shard]);
    long offset = shards[shard].offset(record);
    long length = shards[shard].length(record);
    if (length < 0 || length > maxRecordBytes) {
      throw failed(
          index,
          "its %d bytes are more than maxRecordBytes = %d".formatted(length, maxRecordBytes));
    }
    byte[] framed = new byte[(int) length + RecordLayout.FRAME_BYTES];
    try {
      files.read(paths.get(shard), offset, framed, 0, framed.length);
    } catch (IOException unreadable) {
      throw new IOException(describe(index) + ": " + unreadable.getMessage(), unreadable);
    }
    String problem = problem(framed, (int) length);
    if (problem != null) {
      throw failed(index, problem);
    }
    return framed;
  }

  private String problem(byte[] framed, int length) {
    String problem = RecordLayout.problemOfHeader(framed, 0);
    if (problem != null) {
      return problem;
    }
    long claimed = RecordLayout.u64(framed, 0);
    if (claimed != length) {
      return "its length is now %d bytes; it was %d when the file was indexed"
          .formatted(claimed, length);
    }
    return verifyChecksums
        ? RecordLayout.problemOfData(framed, RecordLayout.HEADER_BYTES, length)
        : null;
  }

  private TfRecordException failed(long index, String problem) {
    return new TfRecordException(describe(index) + ": " + problem);
  }

  private int shard(long index) {
    int found = Arrays.binarySearch(starts, index);
    if (found < 0) {
      return -found - 2;
    }
    // Behind empty shards, which begin where the next one does.
    while (starts[found + 1] == index) {
      found++;
    }
    return found;
  }

  /** The file, the record's number in it, and where in the file it begins. */
  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int shard = shard(index);
    int record = (int) (index - starts[shard]);
    return TfRecordException.where(paths.get(shard), record, shards[shard].offset(record));
  }

  @Override
  public String name() {
    return name;
  }

  /** The shards' names, sizes and numbers of records, as a checksum: wherever they lie. */
  @Override
  public String fingerprint() {
    CRC32C crc = new CRC32C();
    for (int i = 0; i < shards.length; i++) {
      String shard =
          "%s %d %d\n"
              .formatted(paths.get(i).getFileName(), shards[i].shardBytes(), shards[i].records());
      crc.update(shard.getBytes(UTF_8));
    }
    return "TfRecordDataset:%d:%d:%08x".formatted(shards.length, size(), crc.getValue());
  }

  /** The number of files. */
  public int shards() {
    return shards.length;
  }

  /**
   * The number of records in a file: the lengths that a sampler which reads shards together asks
   * for.
   *
   * @param shard from 0, in the order of {@link TfRecordFiles#files}
   */
  public long shardSize(int shard) {
    return shards[shard].records();
  }

  /**
   * Closes the files.
   *
   * @throws IOException if one cannot be closed
   */
  @Override
  public void close() throws IOException {
    files.close();
  }
}
