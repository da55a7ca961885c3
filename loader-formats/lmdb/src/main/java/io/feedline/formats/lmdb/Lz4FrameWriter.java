package io.feedline.formats.lmdb;

import java.nio.ByteBuffer;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;

/**
 * Fast compression into LZ4 frames, which {@code lz4} and Python's {@code lz4.frame} read:
 * independent blocks, the content's size in the header, a checksum for each block.
 */
final class Lz4FrameWriter {

  private static final LZ4Compressor COMPRESSOR = Lz4Frame.LZ4.fastCompressor();

  private static final int FLAGS =
      Lz4Frame.VERSION
          | Lz4Frame.INDEPENDENT_BLOCKS
          | Lz4Frame.CONTENT_SIZE
          | Lz4Frame.BLOCK_CHECKSUMS;

  private Lz4FrameWriter() {}

  /**
   * Adds a frame of parts. Each part begins a new block, so that the part can be decompressed
   * alone. The block size is the smallest that holds the largest part, but at most 4 MiB; a larger
   * part takes several blocks.
   *
   * @param parts the parts, each from position to limit; neither changes
   */
  static void compress(List<ByteBuffer> parts, ByteSink frame) {
    int code =
        Lz4Frame.blockCode(parts.stream().mapToInt(ByteBuffer::remaining).max().orElseThrow());
    int blockBytes = Lz4Frame.blockBytes(code);
    ByteBuffer header = frame.room(Lz4Frame.FIXED_HEADER_BYTES + Long.BYTES + 1);
    int described = header.position() + Integer.BYTES;
    header.putInt(Lz4Frame.MAGIC).put((byte) FLAGS).put((byte) (code << 4));
    header.putLong(parts.stream().mapToLong(ByteBuffer::remaining).sum());
    header.put((byte) (Lz4Frame.hash(header, described, header.position() - described) >>> 8));
    for (ByteBuffer part : parts) {
      for (int at = part.position(); at < part.limit(); at += blockBytes) {
        putBlock(part, at, Math.min(blockBytes, part.limit() - at), frame);
      }
    }
    frame.room(Integer.BYTES).putInt(0);
  }

  private static void putBlock(ByteBuffer content, int from, int length, ByteSink frame) {
    int bound = Math.max(COMPRESSOR.maxCompressedLength(length), length);
    ByteBuffer out = frame.room(Integer.BYTES + bound + Integer.BYTES);
    int data = out.position() + Integer.BYTES;
    int size = COMPRESSOR.compress(content, from, length, out, data, bound);
    if (size < length) {
      out.putInt(size);
    } else {
      size = length;
      out.put(data, content, from, length);
      out.putInt(length | Lz4Frame.STORED_BLOCK);
    }
    out.position(data + size);
    out.putInt(Lz4Frame.hash(out, data, size));
  }
}
