package io.feedline.formats.lmdb;

import java.nio.ByteBuffer;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;

/**
 * Compresses into LZ4 frames, which {@code lz4} and Python's {@code lz4.frame} read: independent
 * blocks, the content's size in the header, a checksum for each block. Compresses fast.
 */
final class Lz4FrameWriter {

  private Lz4FrameWriter() {}

  /**
   * Compresses parts into one frame, each of which begins a block of its own, so that it can be
   * decompressed alone. A part is cut into blocks of the frame's block size, which is the smallest
   * that holds the largest part, or 4 MiB.
   *
   * @param parts the content in pieces, each from position to limit, which do not move
   * @param frame where the frame is added
   */
  static void compress(List<ByteBuffer> parts, ByteSink frame) {
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
  }

  private static void putHeader(ByteBuffer out, int code, long contentBytes) {
    int descriptor = out.position() + Integer.BYTES;
    int flags =
        Lz4FrameLayout.VERSION
            | Lz4FrameLayout.INDEPENDENT_BLOCKS
            | Lz4FrameLayout.CONTENT_SIZE
            | Lz4FrameLayout.BLOCK_CHECKSUMS;
    out.putInt(Lz4FrameLayout.MAGIC).put((byte) flags).put((byte) (code << 4));
    out.putLong(contentBytes);
    int hash = Lz4Codec.hash(out, descriptor, out.position() - descriptor);
    out.put((byte) (hash >>> 8));
  }

  private static void putBlock(ByteBuffer content, int from, int length, ByteSink frame) {
    LZ4Compressor compressor = Lz4Codec.COMPRESSOR;
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
    out.putInt(Lz4Codec.hash(out, data, size));
  }
}
