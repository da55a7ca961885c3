package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The decompression of a block that may refer to the content before it, which lz4-java lacks.
 *
 * <p>A block is a sequence of (token, literals, offset, match): the token's halves are the lengths
 * of the literals and of the match less 4, 15 meaning that further bytes have to be added; the last
 * sequence ends with its literals. After {@code lz4_Block_format.md} of the lz4 project.
 */
final class Lz4LinkedBlock {

  private static final int MIN_MATCH = 4;
  private static final int WORD = Long.BYTES;

  private final ByteBuffer source;
  private final ByteBuffer target;
  private final int end;
  private final int begin;
  private final int limit;
  private int in;
  private int out;

  /**
   * @param target has the content before the block, from 0 to {@code at}
   * @param room the most bytes that the block may hold
   */
  Lz4LinkedBlock(ByteBuffer source, int from, int size, ByteBuffer target, int at, int room) {
    this.source = source;
    this.target = target;
    this.end = from + size;
    this.begin = at;
    this.limit = at + room;
    this.in = from;
    this.out = at;
  }

  /**
   * Returns the number of bytes of the block.
   *
   * @throws IOException if the block is corrupt, or holds more than its room
   */
  int decompress() throws IOException {
    while (true) {
      int token = next();
      int literals = length(token >>> 4);
      if (literals > end - in) {
        throw corrupt("at most %d literals".formatted(end - in), literals);
      }
      target.put(out, source, in, literals);
      in += literals;
      out += literals;
      if (in == end) {
        return out - begin;
      }
      int offset = next() | next() << 8;
      if (offset == 0 || offset > out) {
        throw corrupt("an offset from 1 to " + out, offset);
      }
      copyMatch(offset, length(token & 0xF) + MIN_MATCH);
    }
  }

  private int next() throws IOException {
    if (in >= end) {
      throw corrupt("more bytes", "the end of the block");
    }
    return source.get(in++) & 0xFF;
  }

  /** Returns a length that begins with half a token, for which there is room. */
  private int length(int half) throws IOException {
    int length = half;
    int more = half == 15 ? 255 : 0;
    while (more == 255 && length <= limit - out) {
      more = next();
      length += more;
    }
    if (length > limit - out) {
      throw corrupt("at most the %d bytes that are left".formatted(limit - out), length);
    }
    return length;
  }

  /** Repeats the bytes at an offset before the output, which may overlap what is written now. */
  private void copyMatch(int offset, int length) throws IOException {
    int room = limit - out;
    if (length > room) {
      throw corrupt("at most the %d bytes that are left".formatted(room), length);
    }
    if (offset >= WORD && length <= room - WORD) {
      // Writes up to 7 bytes too many: within the room, and before what comes there.
      for (int i = 0; i < length; i += WORD) {
        target.putLong(out + i, target.getLong(out + i - offset));
      }
    } else {
      // The copied bytes repeat the pattern, so each step may take twice as much.
      for (int copied = 0, step; copied < length; copied += step) {
        step = Math.min(length - copied, offset + copied);
        target.put(out + copied, target, out - offset, step);
      }
    }
    out += length;
  }

  private IOException corrupt(String expected, Object found) {
    return new IOException(
        "the LZ4 block is corrupt at byte %d: expected %s, found %s"
            .formatted(in, expected, found));
  }
}
