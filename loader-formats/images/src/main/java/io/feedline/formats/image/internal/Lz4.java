package io.feedline.formats.image.internal;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Compresses and decompresses LZ4 blocks by the library lz4-java. Thread-safe. */
final class Lz4 {

  private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();
  private static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();
  private static final LZ4Compressor COMPRESSOR = FACTORY.highCompressor();

  private Lz4() {}

  /** Compresses a block; returns the compressed length, or -1 if it exceeds {@code room}. */
  static int compress(byte[] source, int from, int length, byte[] target, int at, int room) {
    try {
      return COMPRESSOR.compress(source, from, length, target, at, room);
    } catch (LZ4Exception tooLarge) {
      return -1;
    }
  }

  /** Decompresses a block; returns its length, or -1 if it is damaged or exceeds {@code room}. */
  static int decompress(byte[] source, int from, int length, byte[] target, int room) {
    try {
      return DECOMPRESSOR.decompress(source, from, length, target, 0, room);
    } catch (LZ4Exception damaged) {
      return -1;
    }
  }
}
