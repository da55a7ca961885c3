package io.feedline.formats.remote.internal.cache;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An open entry of a cache: a line of an object, in a file of its own.
 *
 * <h2>Layout</h2>
 *
 * <pre>
 * the line's bytes
 * CRC-32C of each block of 64 KiB of the line, the last may be shorter; 4 bytes each, big-endian
 * identity   32 bytes: SHA-256 of the object's URI, size and version, line length and line number
 * length     8 bytes: of the line
 * magic      8 bytes: FEEDLN01
 * CRC-32C of everything behind the line's bytes, 4 bytes
 * </pre>
 *
 * <p>The line's bytes begin at the file's beginning, so that they are aligned. Reading verifies the
 * checksum of each block that it reads from. An open entry holds a shared lock of its file, so that
 * no other process deletes it.
 */
final class CacheEntry implements Closeable {

  static final int BLOCK = 1 << 16;

  private static final long MAGIC = 0x46454544_4C4E3031L;
  private static final int IDENTITY_BYTES = 32;
  private static final int FIXED = IDENTITY_BYTES + Long.BYTES + Long.BYTES + Integer.BYTES;

  private final FileChannel channel;
  private final Path file;
  private final int length;
  private final int[] checksums;

  private CacheEntry(FileChannel channel, Path file, int length, int[] checksums) {
    this.channel = channel;
    this.file = file;
    this.length = length;
    this.checksums = checksums;
  }

  static long fileBytes(int length) {
    return length + 4L * blocks(length) + FIXED;
  }

  private static int blocks(int length) {
    return (int) ((length + (long) BLOCK - 1) / BLOCK);
  }

  static ByteBuffer trailer(ByteBuffer bytes, byte[] identity) {
    int length = bytes.remaining();
    ByteBuffer trailer = ByteBuffer.allocate((int) fileBytes(length) - length);
    for (int start = 0; start < length; start += BLOCK) {
      trailer.putInt(
          checksum(bytes.slice(bytes.position() + start, Math.min(BLOCK, length - start))));
    }
    trailer.put(identity).putLong(length).putLong(MAGIC);
    trailer.putInt(checksum(trailer.duplicate().flip()));
    return trailer.flip();
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** Opens an entry; returns null if another process is finishing or deleting it. */
  static @Nullable CacheEntry open(Path file, int length, byte[] identity) throws IOException {
    FileChannel channel = (FileChannel) OpenFiles.open(file);
    CacheEntry entry = null;
    try {
      // The file may have been deleted between opening and locking it.
      if (lock(channel) && Files.exists(file)) {
        entry = new CacheEntry(channel, file, length, checksums(channel, file, length, identity));
      }
      return entry;
    } finally {
      if (entry == null) {
        channel.close();
      }
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      // The lock is held until the channel is closed.
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
      return lock != null;
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    }
  }

  private static int[] checksums(FileChannel channel, Path file, int length, byte[] identity)
      throws IOException {
    if (channel.size() != fileBytes(length)) {
      throw FormatException.in(
          file, "the entry has %d bytes, not %d".formatted(channel.size(), fileBytes(length)));
    }
    ByteBuffer trailer = ByteBuffer.allocate((int) fileBytes(length) - length);
    readFully(channel, trailer, length, file);
    trailer.flip();
    ByteBuffer checked = trailer.duplicate().limit(trailer.limit() - Integer.BYTES);
    if (checksum(checked) != trailer.getInt(trailer.limit() - Integer.BYTES)) {
      throw FormatException.in(file, "the checksum of the entry's trailer is wrong");
    }
    int[] checksums = new int[blocks(length)];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = trailer.getInt();
    }
    byte[] found = new byte[IDENTITY_BYTES];
    trailer.get(found);
    if (!Arrays.equals(found, identity)
        || trailer.getLong() != length
        || trailer.getLong() != MAGIC) {
      throw FormatException.in(file, "the entry is that of something else");
    }
    return checksums;
  }

  /** Reads bytes of the line, and verifies the checksums of their blocks. Thread-safe. */
  void read(int offset, ByteBuffer target) throws IOException {
    ByteBuffer scratch = null;
    int at = offset;
    int end = offset + target.remaining();
    while (at < end) {
      int block = at / BLOCK;
      int start = block * BLOCK;
      int size = Math.min(BLOCK, length - start);
      int wanted = Math.min(end, start + size) - at;
      if (wanted == size) {
        ByteBuffer whole = target.slice(target.position(), size);
        target.position(target.position() + size);
        verified(block, start, whole);
      } else {
        // A checksum covers a whole block, so the whole block is read.
        scratch = scratch == null ? ByteBuffer.allocate(BLOCK) : scratch;
        verified(block, start, scratch.clear().limit(size));
        target.put(scratch.slice(at - start, wanted));
      }
      at += wanted;
    }
  }

  private void verified(int block, int start, ByteBuffer bytes) throws IOException {
    readFully(channel, bytes, start, file);
    if (checksum(bytes.flip()) != checksums[block]) {
      throw FormatException.in(
          file, "the checksum of the entry's block at byte %d is wrong".formatted(start));
    }
  }

  private static void readFully(FileChannel channel, ByteBuffer target, long position, Path file)
      throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int read = channel.read(target, at);
      if (read < 0) {
        throw new EOFException("%s ends at byte %d".formatted(file, at));
      }
      at += read;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
