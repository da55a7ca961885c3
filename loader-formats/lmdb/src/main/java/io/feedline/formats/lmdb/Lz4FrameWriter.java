package io.feedline.formats.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;

/**
 * Compresses into LZ4 frames, which {@code lz4} and Python's {@code lz4.frame} read: independent
 * blocks, the content's size in the header, a checksum for each block unless that is switched off.
 *
 * <pre>{@code
 * byte[] frame = Lz4FrameWriter.of().compress(bytes);
 * Lz4FrameWriter small = Lz4FrameWriter.builder().level(9).contentChecksum(true).build();
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
final class Lz4FrameWriter {

  private final int level;
  private final boolean blockChecksums;
  private final boolean contentChecksum;
  private final LZ4Compressor compressor;

  private Lz4FrameWriter(Builder builder) {
    this.level = builder.level;
    this.blockChecksums = builder.blockChecksums;
    this.contentChecksum = builder.contentChecksum;
    this.compressor = Lz4Codec.compressor(level);
  }

  /** A writer with the defaults of {@link #builder}. */
  public static Lz4FrameWriter of() {
    return builder().build();
  }

  /** Options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the level of compression: 0 is fast, 1 to 17 take longer for smaller frames. */
  public int level() {
    return level;
  }

  /** Returns whether each block has a checksum. */
  public boolean blockChecksums() {
    return blockChecksums;
  }

  /** Returns whether the content as a whole has a checksum. */
  public boolean contentChecksum() {
    return contentChecksum;
  }

  /**
   * Compresses bytes into a frame.
   *
   * @return a new array
   */
  public byte[] compress(byte[] content) {
    ByteSink frame = new ByteSink();
    compress(List.of(ByteBuffer.wrap(content)), frame);
    return Arrays.copyOf(frame.array(), frame.size());
  }

  /**
   * Compresses parts into one frame, each of which begins a block of its own, so that it can be
   * decompressed alone. A part is cut into blocks of the frame's block size, which is the smallest
   * that holds the largest part, or 4 MiB.
   *
   * @param parts the content in pieces, each from position to limit, which do not move
   * @param frame where the frame is added
   */
  void compress(List<ByteBuffer> parts, ByteSink frame) {
    long total = 0;
    int largest = 0;
    for (ByteBuffer part : parts) {
      total += part.remaining();
      largest = Math.max(largest, part.remaining());
    }
    int code = Lz4FrameLayout.blockCode(largest);
    putHeader(frame.room(Lz4FrameLayout.MAX_HEADER_BYTES), code, total);
    int blockBytes = Lz4FrameLayout.blockBytes(code);
    for (ByteBuffer part : parts) {
      for (int at = part.position(); at < part.limit(); at += blockBytes) {
        putBlock(part, at, Math.min(blockBytes, part.limit() - at), frame);
      }
    }
    frame.room(Integer.BYTES).putInt(Lz4FrameLayout.END_MARK);
    if (contentChecksum) {
      frame.room(Integer.BYTES).putInt(hash(parts));
    }
  }

  private void putHeader(ByteBuffer out, int code, long contentBytes) {
    int descriptor = out.position() + Integer.BYTES;
    int flags =
        Lz4FrameLayout.VERSION
            | Lz4FrameLayout.INDEPENDENT_BLOCKS
            | Lz4FrameLayout.CONTENT_SIZE
            | (blockChecksums ? Lz4FrameLayout.BLOCK_CHECKSUMS : 0)
            | (contentChecksum ? Lz4FrameLayout.CONTENT_CHECKSUM : 0);
    out.putInt(Lz4FrameLayout.MAGIC).put((byte) flags).put((byte) (code << 4));
    out.putLong(contentBytes);
    int hash = Lz4Codec.hash(out, descriptor, out.position() - descriptor);
    out.put((byte) (hash >>> 8));
  }

  private void putBlock(ByteBuffer content, int from, int length, ByteSink frame) {
    int bound = Math.max(compressor.maxCompressedLength(length), length);
    ByteBuffer out =
        frame.room(Lz4FrameLayout.BLOCK_HEADER_BYTES + bound + Lz4FrameLayout.CHECKSUM_BYTES);
    int header = out.position();
    int data = header + Lz4FrameLayout.BLOCK_HEADER_BYTES;
    int size = compressor.compress(content, from, length, out, data, bound);
    if (size < length) {
      out.putInt(header, size);
    } else {
      size = length;
      out.put(data, content, from, length);
      out.putInt(header, length | Lz4FrameLayout.STORED_BLOCK);
    }
    out.position(data + size);
    if (blockChecksums) {
      out.putInt(Lz4Codec.hash(out, data, size));
    }
  }

  private static int hash(List<ByteBuffer> parts) {
    if (parts.size() == 1) {
      ByteBuffer only = parts.get(0);
      return Lz4Codec.hash(only, only.position(), only.remaining());
    }
    // Joined, as xxHash32 of a whole is no function of its parts' hashes.
    ByteSink joined = new ByteSink();
    for (ByteBuffer part : parts) {
      joined.room(part.remaining()).put(part.duplicate());
    }
    ByteBuffer all = joined.written().order(ByteOrder.nativeOrder());
    return Lz4Codec.hash(all, 0, all.limit());
  }

  /** Options; see {@link Lz4FrameWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private int level;
    private boolean blockChecksums = true;
    private boolean contentChecksum;

    private Builder() {}

    /**
     * Sets the level of compression: 0, the default, is fast; 1 to 17 take longer for smaller
     * frames, which decompress as fast.
     */
    public Builder level(int level) {
      this.level = level;
      return this;
    }

    /** Sets whether each block has a checksum, so that damage is found; true by default. */
    public Builder blockChecksums(boolean blockChecksums) {
      this.blockChecksums = blockChecksums;
      return this;
    }

    /** Sets whether the content as a whole has a checksum; false by default. */
    public Builder contentChecksum(boolean contentChecksum) {
      this.contentChecksum = contentChecksum;
      return this;
    }

    /**
     * The writer.
     *
     * @throws IllegalArgumentException if the level is not from 0 to 17
     */
    public Lz4FrameWriter build() {
      if (level < 0 || level > Lz4Codec.MAX_LEVEL) {
        throw new IllegalArgumentException(
            "level must be from 0 to %d, was %d".formatted(Lz4Codec.MAX_LEVEL, level));
      }
      return new Lz4FrameWriter(this);
    }
  }
}
