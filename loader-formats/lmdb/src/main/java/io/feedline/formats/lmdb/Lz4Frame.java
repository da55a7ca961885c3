package io.feedline.formats.lmdb;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * An LZ4 frame that is read block by block: {@link #open} reads the header, {@link #next} goes to
 * the next block, {@link #decompress} decompresses it.
 *
 * <p>The layout is version 1.6 of {@code lz4_Frame_format.md} of the lz4 project, little-endian;
 * checksums are xxHash32 with seed 0, that of the header its second byte:
 *
 * <pre>
 *   u32 magic | u8 flags | u8 code of the block size &lt;&lt; 4 | u64 content size | u8 checksum
 *   blocks:   u32 size, top bit set where stored uncompressed | data | u32 checksum of the data
 *   u32 0
 * </pre>
 *
 * <p>Errors name positions in the value. Nothing is read beyond its limit, nothing is allocated,
 * and sizes are checked before they are believed. Not thread-safe.
 */
final class Lz4Frame {

  static final int MAGIC = 0x184D2204;

  /** Version 1, independent blocks, a checksum of each, the size of the content. */
  static final int FLAGS = 0x40 | 0x20 | 0x10 | 0x08;

  static final int STORED_BLOCK = 0x80000000;

  static final int HEADER_BYTES = 15;

  private static final int SMALLEST_BLOCK_CODE = 4;
  private static final int LARGEST_BLOCK_CODE = 7;

  static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4.safeDecompressor();
  private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

  private final ByteBuffer source;
  private final boolean verifying;
  private final int maxBlockBytes;

  private int data;

  private int size;
  private boolean stored;

  private int next;

  private Lz4Frame(ByteBuffer source, boolean verifying, int code) {
    this.source = source;
    this.verifying = verifying;
    this.maxBlockBytes = blockBytes(code);
    this.next = HEADER_BYTES;
  }

  /**
   * @param value from 0 to its limit; its position and byte order have no part in it
   * @param verifying whether checksums of blocks are verified; the header's always is
   * @throws IOException if there is no frame, or one that {@link Lz4FrameWriter} does not write
   */
  static Lz4Frame open(ByteBuffer value, boolean verifying) throws IOException {
    ByteBuffer source = value.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    need(source, 0, HEADER_BYTES, "the header of an LZ4 frame");
    if (source.getInt(0) != MAGIC) {
      throw new IOException(
          "expected an LZ4 frame (0x%08x), found 0x%08x".formatted(MAGIC, source.getInt(0)));
    }
    int flags = source.get(4) & 0xFF;
    int blockFlags = source.get(5) & 0xFF;
    int code = blockFlags >>> 4;
    if (flags != FLAGS
        || code < SMALLEST_BLOCK_CODE
        || blockFlags != code << 4
        || code > LARGEST_BLOCK_CODE) {
      throw new IOException(
          "the LZ4 frame has the flags 0x%02x 0x%02x; expected those that Feedline writes"
              .formatted(flags, blockFlags));
    }
    int checksum = HEADER_BYTES - 1;
    byte expected = (byte) (hash(source, Integer.BYTES, checksum - Integer.BYTES) >>> 8);
    if (source.get(checksum) != expected) {
      throw new IOException(
          "the header of the LZ4 frame is corrupt: its checksum is 0x%02x, expected 0x%02x"
              .formatted(source.get(checksum), expected));
    }
    return new Lz4Frame(source, verifying, code);
  }

  static int blockBytes(int code) {
    return 1 << (8 + 2 * code);
  }

  /** The code of the smallest block that holds so many bytes; the largest where none does. */
  static int blockCode(int bytes) {
    int code = SMALLEST_BLOCK_CODE;
    while (code < LARGEST_BLOCK_CODE && blockBytes(code) < bytes) {
      code++;
    }
    return code;
  }

  static int hash(ByteBuffer buffer, int from, int length) {
    return HASH.hash(buffer, from, length, 0);
  }

  int maxBlockBytes() {
    return maxBlockBytes;
  }

  int position() {
    return next;
  }

  /** Goes to another block of this frame, whose header is where {@link #position} was before it. */
  void position(int block) {
    next = block;
  }

  /**
   * Goes to the next block, whose data is there but has not been looked at; false at the end mark.
   */
  boolean next() throws IOException {
    need(source, next, Integer.BYTES, "a block of an LZ4 frame");
    int header = source.getInt(next);
    data = next + Integer.BYTES;
    if (header == 0) {
      next = data;
      return false;
    }
    stored = (header & STORED_BLOCK) != 0;
    size = header & ~STORED_BLOCK;
    if (size > maxBlockBytes) {
      throw new IOException(
          "the LZ4 block at byte %d claims %d bytes; blocks of this frame have at most %d"
              .formatted(next, size, maxBlockBytes));
    }
    need(source, data, size + Integer.BYTES, "an LZ4 block");
    next = data + size + Integer.BYTES;
    return true;
  }

  /**
   * Decompresses the current block, and returns the number of its bytes.
   *
   * @param at where the block's content begins
   * @param limit where the room for it ends
   * @throws IOException if the block is corrupt, or there is no room for it
   */
  int decompress(ByteBuffer target, int at, int limit) throws IOException {
    int found = verifying ? hash(source, data, size) : 0;
    int expected = source.getInt(data + size);
    if (verifying && found != expected) {
      throw new IOException(
          "the LZ4 block of %d bytes at byte %d is corrupt: its checksum is 0x%08x, expected 0x%08x"
              .formatted(size, data, found, expected));
    }
    int room = Math.min(limit - at, maxBlockBytes);
    if (stored && size <= room) {
      target.put(at, source, data, size);
      return size;
    }
    LZ4Exception corrupt = null;
    if (!stored) {
      try {
        return DECOMPRESSOR.decompress(source, data, size, target, at, room);
      } catch (LZ4Exception e) {
        corrupt = e;
      }
    }
    throw new IOException(
        "the LZ4 block of %d bytes at byte %d is corrupt, or holds more than the %d bytes that are left"
            .formatted(size, data, room),
        corrupt);
  }

  private static void need(ByteBuffer source, int at, int bytes, String what) throws EOFException {
    if (bytes > source.limit() - at) {
      throw new EOFException(
          "truncated: %s at byte %d takes %d bytes, %d are left"
              .formatted(what, at, bytes, source.limit() - at));
    }
  }
}
