package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * LZ4 blocks and xxHash32, by lz4-java: its native half where that loads, its Java half otherwise.
 *
 * <p>One thing lz4-java cannot do: a block of a frame with linked blocks refers to what the blocks
 * before it decompressed to. Such blocks are decompressed here.
 */
final class Lz4Codec {

  private static final int MIN_MATCH = 4;
  private static final int WORD = Long.BYTES;

  private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
  static final LZ4Compressor COMPRESSOR = FACTORY.fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();
  private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

  private Lz4Codec() {}

  static int hash(ByteBuffer buffer, int from, int length) {
    return HASH.hash(buffer, from, length, 0);
  }

  /**
   * Decompresses a block that refers to nothing outside itself.
   *
   * @return how many bytes it holds
   * @throws IOException if the block is corrupt, or holds more than {@code room} bytes
   */
  static int decompress(ByteBuffer source, int from, int size, ByteBuffer target, int at, int room)
      throws IOException {
    try {
      return DECOMPRESSOR.decompress(source, from, size, target, at, room);
    } catch (LZ4Exception corrupt) {
      throw new IOException(
          "the LZ4 block of %d bytes at byte %d is corrupt, or holds more than the %d bytes that are left"
              .formatted(size, from, room),
          corrupt);
    }
  }

  /**
   * Decompresses a block that may refer to the content before it.
   *
   * <p>A block is a sequence of (token, literals, offset, match): the token's halves are the
   * lengths of the literals and of the match less 4, 15 meaning that further bytes have to be
   * added; the last sequence ends with its literals. After {@code lz4_Block_format.md} of the lz4
   * project.
   *
   * @param start where the frame's content begins in the target: nothing before it is referred to
   * @return how many bytes it holds
   * @throws IOException if the block is corrupt, or holds more than {@code room} bytes
   */
  static int decompressLinked(
      ByteBuffer source, int from, int size, ByteBuffer target, int start, int at, int room)
      throws IOException {
    int end = from + size;
    int limit = at + room;
    int in = from;
    int out = at;
    while (true) {
      if (in >= end) {
        throw corrupt(in, "a sequence", "the end of the block");
      }
      int token = source.get(in++) & 0xFF;
      int literals = token >>> 4;
      if (literals == 15) {
        int more;
        do {
          if (in >= end) {
            throw corrupt(in, "the length of literals", "the end of the block");
          }
          more = source.get(in++) & 0xFF;
          literals += more;
        } while (more == 255 && literals < room + 255);
      }
      if (literals > end - in) {
        throw corrupt(in, "at most %d literals".formatted(end - in), literals);
      }
      if (literals > limit - out) {
        throw tooMuch(in, room);
      }
      target.put(out, source, in, literals);
      in += literals;
      out += literals;
      if (in == end) {
        return out - at;
      }
      if (end - in < Short.BYTES) {
        throw corrupt(in, "an offset of 2 bytes", "1 byte");
      }
      int offset = (source.get(in) & 0xFF) | (source.get(in + 1) & 0xFF) << 8;
      in += Short.BYTES;
      if (offset == 0 || offset > out - start) {
        throw corrupt(in - Short.BYTES, "an offset from 1 to " + (out - start), offset);
      }
      int match = (token & 0xF) + MIN_MATCH;
      if (match == 15 + MIN_MATCH) {
        int more;
        do {
          if (in >= end) {
            throw corrupt(in, "the length of a match", "the end of the block");
          }
          more = source.get(in++) & 0xFF;
          match += more;
        } while (more == 255 && match < room + 255);
      }
      if (match > limit - out) {
        throw tooMuch(in, room);
      }
      copyMatch(target, out, offset, match, limit);
      out += match;
    }
  }

  /**
   * Repeats what was written {@code offset} bytes before, which may overlap what is written now.
   */
  private static void copyMatch(ByteBuffer target, int at, int offset, int length, int limit) {
    if (offset >= WORD && length <= limit - at - WORD) {
      // Writes up to 7 bytes too many: within the room, and before what comes there.
      for (int i = 0; i < length; i += WORD) {
        target.putLong(at + i, target.getLong(at + i - offset));
      }
      return;
    }
    int copied = 0;
    while (copied < length) {
      // The copied bytes repeat the pattern, so each step may take twice as much.
      int step = Math.min(length - copied, offset + copied);
      target.put(at + copied, target, at - offset, step);
      copied += step;
    }
  }

  private static IOException corrupt(int at, String expected, Object found) {
    return new IOException(
        "the LZ4 block is corrupt at byte %d: expected %s, found %s"
            .formatted(at, expected, found));
  }

  private static IOException tooMuch(int at, int room) {
    return new IOException(
        "the LZ4 block is corrupt at byte %d, or holds more than the %d bytes that are left"
            .formatted(at, room));
  }
}
