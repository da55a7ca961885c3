package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Decompresses LZ4 frames, as {@code lz4}, {@code lz4.frame} of Python and {@link Lz4FrameWriter}
 * write them: linked and independent blocks of any size, blocks stored as they are, checksums of
 * blocks and of the content (which are verified), skippable frames, and several frames one after
 * the other, whose contents are joined.
 *
 * <p>Python's {@code lz4.frame.compress} links blocks unless told otherwise: each may refer to the
 * 64 KiB before it. lz4-java's {@code LZ4FrameInputStream} refuses such frames; this reader takes
 * them.
 *
 * <p>No more is decompressed than {@link #maxBytes}, and no memory is taken for a size that a
 * header claims but its compressed bytes cannot hold. A corrupt or truncated frame is an {@link
 * IOException} with the byte where that was seen. Not read: frames that need a dictionary, and the
 * legacy format.
 *
 * <p>Immutable and thread-safe.
 */
final class Lz4FrameReader {

  /** The default limit: 1 GiB. */
  static final long DEFAULT_MAX_BYTES = 1L << 30;

  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final int maxBytes;

  private Lz4FrameReader(long maxBytes) {
    if (maxBytes < 0 || maxBytes > LARGEST_ARRAY) {
      throw new IllegalArgumentException(
          "maxBytes must be from 0 to %d, was %d".formatted(LARGEST_ARRAY, maxBytes));
    }
    this.maxBytes = (int) maxBytes;
  }

  /**
   * A reader with a limit.
   *
   * @param maxBytes the most that one call decompresses, up to 2^31 - 9
   * @throws IllegalArgumentException if it is negative or greater
   */
  static Lz4FrameReader of(long maxBytes) {
    return new Lz4FrameReader(maxBytes);
  }

  /** The most that one call decompresses, in bytes. */
  long maxBytes() {
    return maxBytes;
  }

  /**
   * Decompresses frames.
   *
   * @param frames one or more and nothing else, from the buffer's position to its limit, neither of
   *     which moves; direct or heap
   * @return their contents, joined; a new array
   * @throws IOException if they are truncated, corrupt, not supported or hold too much; bytes are
   *     counted from the position
   */
  byte[] decompress(ByteBuffer frames) throws IOException {
    Content content = new Content(maxBytes, Long.MAX_VALUE);
    decompress(frames.slice(), content);
    return content.toArray();
  }

  /**
   * Decompresses the first blocks, to learn from their content how much follows.
   *
   * @param frames as for {@link #decompress(ByteBuffer)}
   * @param wanted how many bytes are enough
   * @return the beginning of the content, up to the end of a block; less than wanted if the content
   *     is shorter
   */
  byte[] beginning(ByteBuffer frames, int wanted) throws IOException {
    Content content = new Content(maxBytes, wanted);
    decompress(frames.slice(), content);
    return content.toArray();
  }

  private static void decompress(ByteBuffer frames, Content content) throws IOException {
    int at = 0;
    boolean any = false;
    while ((at < frames.limit() || !any) && content.end < content.enough) {
      int skipped = skippable(frames, at);
      if (skipped > 0) {
        at += skipped;
        any = true;
        continue;
      }
      Lz4Blocks blocks = Lz4Blocks.open(frames, at, true);
      content.expect(blocks);
      int start = content.end;
      while (blocks.next()) {
        ByteBuffer target = content.room(blocks.maxBlockBytes());
        content.end += blocks.decompress(target, start, content.end, target.limit());
        if (content.end >= content.enough) {
          return;
        }
      }
      blocks.finish(content.target, start, content.end);
      at = blocks.position();
      any = true;
    }
  }

  /** Returns the size of the skippable frame that begins here; 0 if none does. */
  private static int skippable(ByteBuffer frames, int at) throws IOException {
    if (frames.limit() - at < 2 * Integer.BYTES) {
      return 0;
    }
    ByteBuffer header = frames.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if ((header.getInt(at) & Lz4FrameLayout.SKIPPABLE_MASK) != Lz4FrameLayout.SKIPPABLE_MAGIC) {
      return 0;
    }
    long bytes = 2 * Integer.BYTES + (header.getInt(at + Integer.BYTES) & 0xFFFFFFFFL);
    if (bytes > frames.limit() - at) {
      throw new IOException(
          "truncated: the skippable frame at byte %d takes %d bytes, %d are left"
              .formatted(at, bytes, frames.limit() - at));
    }
    return (int) bytes;
  }

  /** The contents: an array that grows up to the limit. */
  private static final class Content {
    private final int maxBytes;

    /** The number of wanted bytes; the rest of the frames is not read. */
    private final long enough;

    private int end;
    private ByteBuffer target = ByteBuffer.allocate(0).order(ByteOrder.nativeOrder());

    /** The last possible end of the frame. */
    private long bound;

    Content(int maxBytes, long enough) {
      this.maxBytes = maxBytes;
      this.enough = enough;
    }

    /** A frame follows. */
    void expect(Lz4Blocks frame) throws IOException {
      if (frame.contentBytes() > maxBytes - end) {
        throw new IOException(
            "the LZ4 frame claims %d bytes, the limit of %d leaves %d"
                .formatted(frame.contentBytes(), maxBytes, maxBytes - end));
      }
      bound = end + frame.boundOfContent();
      if (frame.contentBytes() >= 0 && enough == Long.MAX_VALUE) {
        grow(end + frame.contentBytes());
      }
    }

    /** Returns the array, with room for a block where the limit allows it. */
    ByteBuffer room(int blockBytes) {
      if (target.limit() - end < blockBytes) {
        grow(end + Math.max(blockBytes, (long) end));
      }
      return target;
    }

    private void grow(long wanted) {
      int capacity = (int) Math.min(maxBytes, Math.min(bound, wanted));
      if (capacity > target.limit()) {
        byte[] larger = Arrays.copyOf(target.array(), capacity);
        target = ByteBuffer.wrap(larger).order(ByteOrder.nativeOrder());
      }
    }

    byte[] toArray() {
      return end == target.capacity() ? target.array() : Arrays.copyOf(target.array(), end);
    }
  }
}
