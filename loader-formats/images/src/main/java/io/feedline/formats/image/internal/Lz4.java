package io.feedline.formats.image.internal;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Blocks of LZ4, by lz4-java. Thread-safe. */
final class Lz4 {

  private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();
  private static final LZ4Compressor COMPRESSOR = FACTORY.highCompressor();

  private Lz4() {}

  /** Returns the number of compressed bytes; -1 if they do not fit into {@code room}. */
  static int compress(byte[] source, int from, int length, byte[] target, int at, int room) {
    try {
      return COMPRESSOR.compress(source, from, length, target, at, room);
    } catch (LZ4Exception tooLarge) {
      return -1;
    }
  }

  /** Returns the number of bytes; -1 if the block is damaged or does not fit into {@code room}. */
  static int decompress(byte[] source, int from, int length, byte[] target, int room) {
    try {
      return DECOMPRESSOR.decompress(source, from, length, target, 0, room);
    } catch (LZ4Exception damaged) {
      return -1;
    }
  }
}
