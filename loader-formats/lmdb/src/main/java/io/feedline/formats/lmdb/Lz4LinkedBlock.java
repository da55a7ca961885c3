package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decompressor of a block that may refer to earlier content, which lz4-java does not support.
 *
 * <p>A block consists of sequences of (token, literals, offset, match). The upper half of the token
 * is the length of the literals, the lower half the length of the match less 4. If a half is 15,
 * further bytes are added to the length. The last sequence ends with its literals. Source: {@code
 * lz4_Block_format.md} of the lz4 project.
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
   * @param target the buffer for the content; it contains the earlier content, from 0 to {@code at}
   * @param room the largest size of the block's content, in bytes
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

  /** Decompresses the block, and returns the size of its content, which is at most {@code room}. */
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

  /** Reads a length that begins with half a token; fails if there is no room for so many bytes. */
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

  /** Copies bytes from an offset before the output; the copy may overlap its source. */
  private void copyMatch(int offset, int length) throws IOException {
    int room = limit - out;
    if (length > room) {
      throw corrupt("at most the %d bytes that are left".formatted(room), length);
    }
    if (offset >= WORD && length <= room - WORD) {
      // Writes up to 7 bytes too many, within the room; later output overwrites these bytes.
      for (int i = 0; i < length; i += WORD) {
        target.putLong(out + i, target.getLong(out + i - offset));
      }
    } else {
      // The copied bytes repeat the pattern, so each step may copy twice as many bytes.
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
