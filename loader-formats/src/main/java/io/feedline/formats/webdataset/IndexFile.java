package io.feedline.formats.webdataset;

import io.feedline.formats.support.OpenFiles;
import io.feedline.formats.support.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's index, kept beside the shard so that it is scanned once.
 *
 * <p><b>Principle.</b> A cache and nothing else: one that is missing, older or newer than its
 * shard, of another version or damaged is made again, one that cannot be written is done without.
 *
 * <p><b>File layout</b>, little-endian: {@code u64} magic and version, {@code u64} size and {@code
 * i64} modification time (nanoseconds) of the shard, {@code u64} offset behind the last sample,
 * {@code u32} number of samples, {@code u32} block of each sample's first header, {@code u32}
 * CRC-32C of all before it. It is written beside its place and moved there.
 *
 * <p><b>Known limitations.</b> A shard that is copied without its modification time is scanned
 * again. A damaged shard has no index.
 */
final class IndexFile {

  /** "FDLTAR", and the version. */
  private static final long MAGIC = 0x46_44_4C_54_41_52_00_01L;

  private static final int HEADER_BYTES = 36;
  private static final int TRAILER_BYTES = 4;
  private static final String SUFFIX = ".feedline-index";

  private static final Logger LOG = LoggerFactory.getLogger(IndexFile.class);

  private IndexFile() {}

  /** Where the index of a shard is kept. */
  static Path of(Path shard) {
    return shard.resolveSibling(shard.getFileName() + SUFFIX);
  }

  /**
   * The index of a shard: the kept one, or a new one, which is kept.
   *
   * @throws IOException if the shard cannot be read
   */
  static ShardIndex loadOrScan(OpenFiles files, Path shard) throws IOException {
    // Asked before the scan: a shard that changes meanwhile does not match its index.
    ByteBuffer identity = identity(files, shard);
    ShardIndex kept = load(shard, identity);
    if (kept != null) {
      return kept;
    }
    ShardIndex index = ShardIndex.scan(files, shard);
    if (index.damage() == null) {
      save(shard, identity, index);
    }
    return index;
  }

  private static ByteBuffer identity(OpenFiles files, Path shard) throws IOException {
    long size = files.size(shard);
    long modified =
        Files.readAttributes(shard, BasicFileAttributes.class)
            .lastModifiedTime()
            .to(TimeUnit.NANOSECONDS);
    return ByteBuffer.allocate(24)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(MAGIC)
        .putLong(size)
        .putLong(modified)
        .flip();
  }

  private static ShardIndex load(Path shard, ByteBuffer identity) {
    Path file = of(shard);
    try {
      byte[] bytes = Files.readAllBytes(file);
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (bytes.length < HEADER_BYTES + TRAILER_BYTES
          || !in.slice(0, identity.remaining()).equals(identity)
          || in.getInt(bytes.length - TRAILER_BYTES) != crc(bytes)) {
        LOG.info("{} does not fit its shard, which is scanned again", file);
        return null;
      }
      in.position(identity.remaining());
      long end = in.getLong();
      int count = in.getInt();
      if (count < 0 || in.remaining() != 4L * count + TRAILER_BYTES) {
        LOG.info("{} has a wrong length; its shard is scanned again", file);
        return null;
      }
      int[] blocks = new int[count];
      in.asIntBuffer().get(blocks);
      return new ShardIndex(blocks, end, null);
    } catch (NoSuchFileException notYet) {
      return null;
    } catch (IOException e) {
      LOG.info("{} cannot be read, so its shard is scanned again: {}", file, e.toString());
      return null;
    }
  }

  private static void save(Path shard, ByteBuffer identity, ShardIndex index) {
    long length = HEADER_BYTES + 4L * index.size() + TRAILER_BYTES;
    if (length > Integer.MAX_VALUE - 8) {
      LOG.info("the index of {} takes {} bytes and is not kept", shard, length);
      return;
    }
    byte[] bytes = new byte[(int) length];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.put(identity.duplicate()).putLong(index.end()).putInt(index.size());
    out.asIntBuffer().put(index.blocks());
    out.putInt(bytes.length - TRAILER_BYTES, crc(bytes));
    try {
      WholeFile.write(of(shard), bytes);
    } catch (IOException e) {
      LOG.info("the index of {} is not kept: {}", shard, e.toString());
    }
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - TRAILER_BYTES);
    return (int) crc.getValue();
  }
}
