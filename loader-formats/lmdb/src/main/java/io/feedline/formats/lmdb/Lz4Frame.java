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
 * An LZ4 frame that is read block by block: {@link #open} reads the header, {@link #next} moves to
 * the next block, {@link #decompress} decompresses this block, and {@link #decompressRest}
 * decompresses all following blocks.
 *
 * <p>The layout is version 1.6 of {@code lz4_Frame_format.md} of the lz4 project, little-endian.
 * Checksums are xxHash32 with seed 0; the checksum of the header is the second byte of its hash:
 *
 * <pre>
 *   u32 magic | u8 flags | u8 code of the block size &lt;&lt; 4 | [u64 content size] | u8 checksum
 *   blocks:   u32 size, top bit set where stored uncompressed | data | [u32 checksum of the data]
 *   u32 0     | [u32 checksum of the content]
 * </pre>
 *
 * <p>Python's {@code lz4.frame.compress} links blocks by default: a linked block refers to earlier
 * content, which must be in the same buffer. lz4-java decompresses only independent blocks; {@link
 * Lz4LinkedBlock} decompresses linked blocks. Frames with a dictionary are refused.
 *
 * <p>Errors name positions in the value. Nothing is read beyond the value's limit, no buffer is
 * allocated, and sizes are checked before they are used. Not thread-safe.
 */
final class Lz4Frame {

  static final int MAGIC = 0x184D2204;
  static final int VERSION = 0x40;
  static final int INDEPENDENT_BLOCKS = 0x20;
  static final int BLOCK_CHECKSUMS = 0x10;
  static final int CONTENT_SIZE = 0x08;
  static final int CONTENT_CHECKSUM = 0x04;

  /** The bits of the flags for the version, for a dictionary, and the reserved bit. */
  private static final int OTHER_FLAGS = 0xC3;

  static final int STORED_BLOCK = 0x80000000;

  static final int FIXED_HEADER_BYTES = 6;

  private static final int SMALLEST_BLOCK_CODE = 4;
  private static final int LARGEST_BLOCK_CODE = 7;

  /** The largest ratio of content to block: each byte of a block adds at most 255 to a length. */
  static final int MAX_RATIO = 255;

  static final LZ4Factory LZ4 = LZ4Factory.fastestInstance();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4.safeDecompressor();
  private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

  private final ByteBuffer source;
  private final boolean verifying;
  private final int flags;
  private final int maxBlockBytes;

  private int data;

  private int size;
  private boolean stored;

  /** The place of the next block; after the end mark, the place of the bytes behind the mark. */
  private int next;

  private Lz4Frame(ByteBuffer source, boolean verifying, int flags, int code, int next) {
    this.source = source;
    this.verifying = verifying;
    this.flags = flags;
    this.maxBlockBytes = blockBytes(code);
    this.next = next;
  }

  /**
   * @param value the value, from 0 to its limit; its position and byte order are ignored
   * @param verifying whether checksums of blocks and content are verified; the checksum of the
   *     header always is
   * @throws IOException if there is no frame, or the frame is of an unsupported kind
   */
  static Lz4Frame open(ByteBuffer value, boolean verifying) throws IOException {
    ByteBuffer source = value.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    need(source, 0, FIXED_HEADER_BYTES + 1, "the header of an LZ4 frame");
    if (source.getInt(0) != MAGIC) {
      throw new IOException(
          "expected an LZ4 frame (0x%08x), found 0x%08x".formatted(MAGIC, source.getInt(0)));
    }
    int flags = source.get(4) & 0xFF;
    int blockFlags = source.get(5) & 0xFF;
    int code = blockFlags >>> 4;
    if ((flags & OTHER_FLAGS) != VERSION
        || code < SMALLEST_BLOCK_CODE
        || blockFlags != code << 4
        || code > LARGEST_BLOCK_CODE) {
      throw new IOException(
          "the LZ4 frame has the flags 0x%02x 0x%02x; expected those of version 1, without a dictionary"
              .formatted(flags, blockFlags));
    }
    int checksum = FIXED_HEADER_BYTES + ((flags & CONTENT_SIZE) == 0 ? 0 : Long.BYTES);
    need(source, checksum, 1, "the header of an LZ4 frame");
    byte expected = (byte) (hash(source, Integer.BYTES, checksum - Integer.BYTES) >>> 8);
    if (source.get(checksum) != expected) {
      throw new IOException(
          "the header of the LZ4 frame is corrupt: its checksum is 0x%02x, expected 0x%02x"
              .formatted(source.get(checksum), expected));
    }
    return new Lz4Frame(source, verifying, flags, code, checksum + 1);
  }

  static int blockBytes(int code) {
    return 1 << (8 + 2 * code);
  }

  /** Returns the code of the smallest block size that holds the bytes, or else the largest code. */
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

  /** Returns whether no block refers to bytes of earlier blocks. */
  boolean independent() {
    return (flags & INDEPENDENT_BLOCKS) != 0;
  }

  int position() {
    return next;
  }

  /** Moves in front of a block, where {@link #position()} returned {@code block}. */
  void position(int block) {
    next = block;
  }

  /** Moves to the next block; fails if the value ends within it. Returns false at the end mark. */
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
    int after = (flags & BLOCK_CHECKSUMS) == 0 ? 0 : Integer.BYTES;
    need(source, data, size + after, "an LZ4 block");
    next = data + size + after;
    return true;
  }

  /**
   * Decompresses the current block, and returns the number of its bytes.
   *
   * @param target the buffer for the content; if blocks are linked, it contains the earlier
   *     content, from 0. Its byte order must not change between blocks
   * @param at the place in the target for the block's content
   * @param limit the end of the room for the block's content
   * @throws IOException if the block is corrupt, or there is no room for its content
   */
  int decompress(ByteBuffer target, int at, int limit) throws IOException {
    if (verifying && (flags & BLOCK_CHECKSUMS) != 0) {
      verify(source, data, size, data + size, "block");
    }
    int room = Math.min(limit - at, maxBlockBytes);
    if (stored && size <= room) {
      target.put(at, source, data, size);
      return size;
    }
    if (!stored && !independent() && at > 0) {
      return new Lz4LinkedBlock(source, data, size, target, at, room).decompress();
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

  /**
   * Decompresses the following blocks, checks the end of the frame, and returns the end of the
   * content.
   *
   * @param target the buffer for the content; it contains the earlier content, from 0 to {@code at}
   * @throws IOException if a block is corrupt or there is no room for its content, the content has
   *     another size or checksum than the frame says, or something follows the frame
   */
  int decompressRest(ByteBuffer target, int at) throws IOException {
    int end = at;
    while (next()) {
      end += decompress(target, end, target.limit());
    }
    if ((flags & CONTENT_SIZE) != 0 && source.getLong(FIXED_HEADER_BYTES) != end) {
      throw new IOException(
          "the LZ4 frame claims %s bytes of content, and has %d"
              .formatted(Long.toUnsignedString(source.getLong(FIXED_HEADER_BYTES)), end));
    }
    if ((flags & CONTENT_CHECKSUM) != 0) {
      need(source, next, Integer.BYTES, "the content's checksum of an LZ4 frame");
      if (verifying) {
        verify(target, 0, end, next, "content");
      }
      next += Integer.BYTES;
    }
    if (next != source.limit()) {
      throw new IOException(
          "the LZ4 frame ends at byte %d, and %d bytes follow it"
              .formatted(next, source.limit() - next));
    }
    return end;
  }

  private void verify(ByteBuffer buffer, int from, int length, int checksum, String what)
      throws IOException {
    int found = hash(buffer, from, length);
    int expected = source.getInt(checksum);
    if (found != expected) {
      throw new IOException(
          "the %s of the LZ4 frame is corrupt: its checksum is 0x%08x, expected 0x%08x (byte %d)"
              .formatted(what, found, expected, checksum));
    }
  }

  private static void need(ByteBuffer source, int at, int bytes, String what) throws EOFException {
    if (bytes > source.limit() - at) {
      throw new EOFException(
          "truncated: %s at byte %d takes %d bytes, %d are left"
              .formatted(what, at, bytes, source.limit() - at));
    }
  }
}
