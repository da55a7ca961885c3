package io.feedline.formats.lmdb;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks along the blocks of one LZ4 frame: {@link #open} reads the header, {@link #next} goes from
 * block to block, {@link #decompress} takes one, {@link #finish} checks what follows the last.
 *
 * <p>Positions are those of the buffer, and errors name them. Nothing is read beyond the buffer's
 * limit, nothing is allocated, and sizes are checked before they are believed. Not thread-safe.
 */
final class Lz4Blocks {

  private final ByteBuffer source;
  private final boolean verifying;
  private final int flags;
  private final int maxBlockBytes;
  private final long contentBytes;
  private final int firstBlock;

  /** The current block: its data. */
  private int data;

  private int size;
  private boolean stored;

  /** The place of the next block's header; after the end mark, of the bytes behind it. */
  private int next;

  private Lz4Blocks(
      ByteBuffer source,
      boolean verifying,
      int flags,
      int maxBlockBytes,
      long contentBytes,
      int next) {
    this.source = source;
    this.verifying = verifying;
    this.flags = flags;
    this.maxBlockBytes = maxBlockBytes;
    this.contentBytes = contentBytes;
    this.firstBlock = next;
    this.next = next;
  }

  /**
   * Reads the header of a frame.
   *
   * @param source whose limit ends the data; its position and byte order have no part in it
   * @param at where the frame begins
   * @param verifying whether checksums of blocks and content are looked at; the header's always is
   * @throws IOException if there is no frame, or one that cannot be read
   */
  static Lz4Blocks open(ByteBuffer source, int at, boolean verifying) throws IOException {
    ByteBuffer frame = source.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    need(frame, at, Lz4FrameLayout.FIXED_HEADER_BYTES, "the header of an LZ4 frame");
    int magic = frame.getInt(at);
    if (magic != Lz4FrameLayout.MAGIC) {
      throw new IOException(
          "expected an LZ4 frame (0x%08x) at byte %d, found 0x%08x%s"
              .formatted(
                  Lz4FrameLayout.MAGIC,
                  at,
                  magic,
                  magic == Lz4FrameLayout.LEGACY_MAGIC ? ", the legacy format of lz4 -l" : ""));
    }
    int flags = frame.get(at + 4) & 0xFF;
    int blockFlags = frame.get(at + 5) & 0xFF;
    int code = blockFlags >>> 4;
    if ((flags & Lz4FrameLayout.VERSION_MASK) != Lz4FrameLayout.VERSION
        || (flags & Lz4FrameLayout.RESERVED) != 0
        || (blockFlags & Lz4FrameLayout.BLOCK_SIZE_RESERVED) != 0
        || code < Lz4FrameLayout.SMALLEST_BLOCK_CODE) {
      throw new IOException(
          "the LZ4 frame at byte %d has the flags 0x%02x 0x%02x, which version 1.6 does not have"
              .formatted(at, flags, blockFlags));
    }
    if ((flags & Lz4FrameLayout.DICTIONARY) != 0) {
      throw new IOException(
          "the LZ4 frame at byte %d needs a dictionary, which is not supported".formatted(at));
    }
    int checksum = at + Lz4FrameLayout.FIXED_HEADER_BYTES;
    long contentBytes = -1;
    if ((flags & Lz4FrameLayout.CONTENT_SIZE) != 0) {
      need(frame, checksum, Long.BYTES, "the content size of an LZ4 frame");
      contentBytes = frame.getLong(checksum);
      checksum += Long.BYTES;
    }
    need(frame, checksum, 1, "the header's checksum of an LZ4 frame");
    int descriptor = at + Integer.BYTES;
    byte expected = (byte) (Lz4Codec.hash(frame, descriptor, checksum - descriptor) >>> 8);
    if (frame.get(checksum) != expected) {
      throw new IOException(
          "the header of the LZ4 frame at byte %d is corrupt: its checksum is 0x%02x, expected 0x%02x"
              .formatted(at, frame.get(checksum), expected));
    }
    if (contentBytes < -1) {
      throw new IOException(
          "the LZ4 frame at byte %d claims %s bytes of content"
              .formatted(at, Long.toUnsignedString(contentBytes)));
    }
    return new Lz4Blocks(
        frame, verifying, flags, Lz4FrameLayout.blockBytes(code), contentBytes, checksum + 1);
  }

  /** The size that the header claims for the content, -1 where it claims none. */
  long contentBytes() {
    return contentBytes;
  }

  /** The most that one block may hold. */
  int maxBlockBytes() {
    return maxBlockBytes;
  }

  /** Tests whether no block refers to bytes of earlier blocks. */
  boolean independent() {
    return (flags & Lz4FrameLayout.INDEPENDENT_BLOCKS) != 0;
  }

  /** Returns the place of the next block's header; after {@link #finish}, the end of the frame. */
  int position() {
    return next;
  }

  /** Goes to another block of this frame, whose header is where {@link #position} was before it. */
  void position(int block) {
    next = block;
  }

  /**
   * Goes to the next block. Its data is there; it has not been looked at.
   *
   * @return false if there was the end mark instead
   */
  boolean next() throws IOException {
    need(source, next, Lz4FrameLayout.BLOCK_HEADER_BYTES, "a block of an LZ4 frame");
    int header = source.getInt(next);
    if (header == Lz4FrameLayout.END_MARK) {
      next += Lz4FrameLayout.BLOCK_HEADER_BYTES;
      return false;
    }
    stored = (header & Lz4FrameLayout.STORED_BLOCK) != 0;
    size = header & ~Lz4FrameLayout.STORED_BLOCK;
    data = next + Lz4FrameLayout.BLOCK_HEADER_BYTES;
    if (size > maxBlockBytes) {
      throw new IOException(
          "the LZ4 block at byte %d claims %d bytes; blocks of this frame have at most %d"
              .formatted(next, size, maxBlockBytes));
    }
    int after = hasBlockChecksums() ? Lz4FrameLayout.CHECKSUM_BYTES : 0;
    need(source, data, size + after, "an LZ4 block");
    next = data + size + after;
    return true;
  }

  /** The bytes of the current block as it is. */
  int size() {
    return size;
  }

  /**
   * Decompresses the current block.
   *
   * @param target where the frame's content is collected; its byte order must not change between
   *     blocks
   * @param start where the frame's content begins in the target
   * @param at where this block's content begins
   * @param limit where the room for it ends
   * @return how many bytes it holds
   * @throws IOException if the block is corrupt, or there is no room for it
   */
  int decompress(ByteBuffer target, int start, int at, int limit) throws IOException {
    if (verifying && hasBlockChecksums()) {
      verify(source, data, size, data + size, "block at byte " + (data - 4));
    }
    int room = Math.min(limit - at, maxBlockBytes);
    if (stored) {
      if (size > room) {
        throw new IOException(
            "the LZ4 block at byte %d holds %d bytes, more than the %d that are left"
                .formatted(data - Lz4FrameLayout.BLOCK_HEADER_BYTES, size, room));
      }
      target.put(at, source, data, size);
      return size;
    }
    return independent() || at == start
        ? Lz4Codec.decompress(source, data, size, target, at, room)
        : Lz4Codec.decompressLinked(source, data, size, target, start, at, room);
  }

  /**
   * Checks what follows the end mark, and the content as a whole.
   *
   * @param target what the blocks were decompressed into
   * @param start where the frame's content begins in it
   * @param end where it ends
   */
  void finish(ByteBuffer target, int start, int end) throws IOException {
    if (contentBytes >= 0 && contentBytes != end - start) {
      throw new IOException(
          "the LZ4 frame claims %d bytes of content, and has %d"
              .formatted(contentBytes, end - start));
    }
    if ((flags & Lz4FrameLayout.CONTENT_CHECKSUM) != 0) {
      need(source, next, Lz4FrameLayout.CHECKSUM_BYTES, "the content's checksum of an LZ4 frame");
      if (verifying) {
        verify(target, start, end - start, next, "content");
      }
      next += Lz4FrameLayout.CHECKSUM_BYTES;
    }
  }

  /** The most that all blocks from the first on can hold, by their sizes alone. */
  long boundOfContent() throws IOException {
    int here = next;
    next = firstBlock;
    long bound = 0;
    while (next()) {
      bound += stored ? size : Math.min(maxBlockBytes, (long) size * Lz4FrameLayout.MAX_RATIO);
    }
    next = here;
    return bound;
  }

  private boolean hasBlockChecksums() {
    return (flags & Lz4FrameLayout.BLOCK_CHECKSUMS) != 0;
  }

  private void verify(ByteBuffer buffer, int from, int length, int checksum, String what)
      throws IOException {
    int found = Lz4Codec.hash(buffer, from, length);
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
