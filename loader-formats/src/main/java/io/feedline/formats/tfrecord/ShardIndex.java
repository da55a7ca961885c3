package io.feedline.formats.tfrecord;

import io.feedline.formats.support.OpenFile;
import io.feedline.formats.support.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the records of a shard begin: the random access that TFRecord lacks.
 *
 * <h2>File layout</h2>
 *
 * <p>Beside {@code train-00000-of-00008} lies {@code train-00000-of-00008.tfindex}, all
 * little-endian:
 *
 * <pre>
 *   0    8 bytes  "FLTFIDX" and the version, 1
 *   8    i64      the shard's size
 *   16   i64      when the shard was last modified, in nanoseconds since 1970
 *   24   i64      the number of records, n
 *   32   i64      CRC-32C of everything else in the file
 *   40   i64 x (n + 1)   where each record begins, and where the last one ends
 * </pre>
 *
 * <p>An index whose shard has changed, or that is damaged or of another version, is not used but
 * made anew. It is read into memory, 8 bytes a record: a mapping would end in an {@link
 * InternalError} where another process cuts the file short.
 *
 * <p>Immutable and thread-safe; holds nothing open.
 */
final class ShardIndex {

  private static final Logger LOG = LoggerFactory.getLogger(ShardIndex.class);

  static final byte[] MAGIC = "FLTFIDX\1".getBytes(StandardCharsets.ISO_8859_1);

  private static final int CRC_POSITION = 32;
  private static final int HEADER_BYTES = 40;

  /** What one buffer, of at most 2 GiB, has room for. */
  static final long MAX_RECORDS = (Integer.MAX_VALUE - HEADER_BYTES) / Long.BYTES - 2;

  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final FileStamp shard;
  private final LongBuffer offsets;

  private ShardIndex(FileStamp shard, LongBuffer offsets) {
    this.shard = shard;
    this.offsets = offsets;
  }

  /** The number of records. */
  int records() {
    return offsets.limit() - 1;
  }

  /** Where a record begins. */
  long offset(int record) {
    return offsets.get(record);
  }

  /** How long a record's data is. */
  long length(int record) {
    return offsets.get(record + 1) - offsets.get(record) - RecordLayout.FRAME_BYTES;
  }

  /** The size of the shard that this is an index of. */
  long shardBytes() {
    return shard.size();
  }

  /**
   * Makes an index by going from header to header; the data between is not read where it is long.
   *
   * @throws TfRecordException if the shard is compressed, cut off or damaged
   */
  static ShardIndex scan(Path file) throws IOException {
    FileStamp before = FileStamp.of(file);
    RecordScan scan = new RecordScan(file, before.size());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      scan.run(channel);
    }
    if (scan.problem() != null) {
      throw scan.problem();
    }
    if (!FileStamp.of(file).equals(before)) {
      throw new IOException(file + " changed while it was read");
    }
    return new ShardIndex(before, LongBuffer.wrap(scan.offsets()));
  }

  /**
   * Reads a kept index.
   *
   * @param shard what the shard is like now
   * @return null if there is none that fits
   */
  static ShardIndex load(Path file, FileStamp shard) {
    try (OpenFile kept = OpenFile.of(file)) {
      long size = kept.length();
      if (size < HEADER_BYTES + Long.BYTES || size > LARGEST_ARRAY || size % Long.BYTES != 0) {
        LOG.warn("{} is made anew: it has {} bytes, as no index has", file, size);
        return null;
      }
      ByteBuffer index = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
      kept.read(0, index.array(), 0, index.capacity());
      return of(index, file, shard);
    } catch (FileNotFoundException absent) {
      return null;
    } catch (IOException unreadable) {
      LOG.warn("{} is made anew: it cannot be read: {}", file, unreadable.toString());
      return null;
    }
  }

  private static ShardIndex of(ByteBuffer index, Path file, FileStamp shard) {
    byte[] magic = new byte[MAGIC.length];
    index.get(0, magic);
    if (!Arrays.equals(magic, MAGIC)) {
      LOG.warn("{} is made anew: it is no index, or one of another version", file);
      return null;
    }
    FileStamp indexed = new FileStamp(index.getLong(8), index.getLong(16));
    if (!indexed.equals(shard)) {
      LOG.info("{} is made anew: it is of {}, and the shard is now {}", file, indexed, shard);
      return null;
    }
    long records = index.getLong(24);
    boolean whole = index.capacity() == HEADER_BYTES + (records + 1) * Long.BYTES;
    if (!whole || crc(index) != index.getLong(CRC_POSITION)) {
      LOG.warn("{} is made anew: it is damaged", file);
      return null;
    }
    LongBuffer offsets =
        index
            .slice(HEADER_BYTES, index.capacity() - HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asLongBuffer();
    return new ShardIndex(shard, offsets);
  }

  private static long crc(ByteBuffer index) {
    CRC32C crc = new CRC32C();
    crc.update(index.slice(0, CRC_POSITION));
    crc.update(index.slice(HEADER_BYTES, index.capacity() - HEADER_BYTES));
    return crc.getValue();
  }

  /**
   * Keeps the index in a file.
   *
   * @throws IOException if it cannot be written; there is then no file, or the one before
   */
  void save(Path file) throws IOException {
    ByteBuffer index =
        ByteBuffer.allocate(HEADER_BYTES + offsets.limit() * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    index.put(0, MAGIC);
    index.putLong(8, shard.size());
    index.putLong(16, shard.modifiedNanos());
    index.putLong(24, records());
    index.position(HEADER_BYTES);
    index.asLongBuffer().put(offsets.duplicate().rewind());
    index.putLong(CRC_POSITION, crc(index));
    WholeFile.write(file, channel -> WholeFile.writeFully(channel, index.clear()));
  }
}
