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
  public static final long DEFAULT_MAX_BYTES = 1L << 30;

  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final int maxBytes;

  private Lz4FrameReader(long maxBytes) {
    if (maxBytes < 0 || maxBytes > LARGEST_ARRAY) {
      throw new IllegalArgumentException(
          "maxBytes must be from 0 to %d, was %d".formatted(LARGEST_ARRAY, maxBytes));
    }
    this.maxBytes = (int) maxBytes;
  }

  /** A reader with the default limit. */
  public static Lz4FrameReader of() {
    return of(DEFAULT_MAX_BYTES);
  }

  /**
   * A reader with a limit.
   *
   * @param maxBytes the most that one call decompresses, up to 2^31 - 9
   * @throws IllegalArgumentException if it is negative or greater
   */
  public static Lz4FrameReader of(long maxBytes) {
    return new Lz4FrameReader(maxBytes);
  }

  /** The most that one call decompresses, in bytes. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Decompresses frames.
   *
   * @param frames one or more, and nothing else
   * @return their contents, joined; a new array
   * @throws IOException if they are truncated, corrupt, not supported or hold too much
   */
  public byte[] decompress(byte[] frames) throws IOException {
    return decompress(ByteBuffer.wrap(frames));
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
  public byte[] decompress(ByteBuffer frames) throws IOException {
    Growing content = new Growing(maxBytes, Long.MAX_VALUE);
    decompress(frames.slice(), content);
    return content.toArray();
  }

  /**
   * Decompresses the first blocks, for their content to say how much follows.
   *
   * @param frames as for {@link #decompress(ByteBuffer)}
   * @param wanted how many bytes are enough
   * @return the content from its beginning to the end of a block, fewer bytes where that is all
   */
  byte[] beginning(ByteBuffer frames, int wanted) throws IOException {
    Growing content = new Growing(maxBytes, wanted);
    decompress(frames.slice(), content);
    return content.toArray();
  }

  /**
   * Decompresses frames whose content has a known size into memory that is there.
   *
   * @param frames one or more and nothing else, from the buffer's position to its limit, neither of
   *     which moves; direct or heap
   * @param target filled from its position to its limit, which do not move either; direct or heap
   * @throws IOException if they are truncated, corrupt, not supported, or hold more or less
   */
  public void decompress(ByteBuffer frames, ByteBuffer target) throws IOException {
    Fixed content = new Fixed(target.slice().order(ByteOrder.nativeOrder()));
    decompress(frames.slice(), content);
    if (content.end != content.buffer().limit()) {
      throw new IOException(
          "the LZ4 frames hold %d bytes, expected %d"
              .formatted(content.end, content.buffer().limit()));
    }
  }

  private static void decompress(ByteBuffer frames, Content content) throws IOException {
    int at = 0;
    boolean any = false;
    while ((at < frames.limit() || !any) && content.end < content.enough()) {
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
        if (content.end >= content.enough()) {
          return;
        }
      }
      blocks.finish(content.buffer(), start, content.end);
      at = blocks.position();
      any = true;
    }
  }

  /** The size of the skippable frame that begins here, 0 if absent. */
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

  /** The destination of the contents. */
  private abstract static class Content {
    int end;

    /** Returns the number of wanted bytes; the rest of the frames is not read. */
    long enough() {
      return Long.MAX_VALUE;
    }

    /** A frame follows. */
    abstract void expect(Lz4Blocks frame) throws IOException;

    /** The buffer, whose limit leaves room for a block where that is possible. */
    abstract ByteBuffer room(int blockBytes);

    abstract ByteBuffer buffer();
  }

  private static final class Fixed extends Content {
    private final ByteBuffer target;

    Fixed(ByteBuffer target) {
      this.target = target;
    }

    @Override
    void expect(Lz4Blocks frame) throws IOException {
      if (frame.contentBytes() > target.limit() - end) {
        throw new IOException(
            "the LZ4 frame claims %d bytes, the limit leaves %d"
                .formatted(frame.contentBytes(), target.limit() - end));
      }
    }

    @Override
    ByteBuffer room(int blockBytes) {
      return target;
    }

    @Override
    ByteBuffer buffer() {
      return target;
    }
  }

  /** An array that grows up to the limit. */
  private static final class Growing extends Content {
    private final int maxBytes;
    private final long enough;
    private ByteBuffer target = ByteBuffer.allocate(0).order(ByteOrder.nativeOrder());

    /** The last possible end of the frame. */
    private long bound;

    Growing(int maxBytes, long enough) {
      this.maxBytes = maxBytes;
      this.enough = enough;
    }

    @Override
    long enough() {
      return enough;
    }

    @Override
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

    @Override
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

    @Override
    ByteBuffer buffer() {
      return target;
    }

    byte[] toArray() {
      return end == target.capacity() ? target.array() : Arrays.copyOf(target.array(), end);
    }
  }
}
