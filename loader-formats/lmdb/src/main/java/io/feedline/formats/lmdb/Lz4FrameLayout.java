package io.feedline.formats.lmdb;

/**
 * The byte layout of the LZ4 frame format, 1.6.x, as {@code lz4_Frame_format.md} of the lz4 project
 * describes it. Numbers are little-endian.
 *
 * <pre>
 *   u32 magic | u8 FLG | u8 BD | [u64 content size] | [u32 dictionary] | u8 header checksum
 *   blocks:   u32 size, top bit set where stored uncompressed | data | [u32 checksum of the data]
 *   u32 0     | [u32 checksum of the content]
 * </pre>
 *
 * <p>Checksums are xxHash32 with seed 0; the header's is the second byte of that of FLG up to the
 * dictionary. A skippable frame is {@code u32 magic | u32 size | data}.
 */
final class Lz4FrameLayout {

  static final int MAGIC = 0x184D2204;

  /**
   * The magic number of the format before frames were versioned, which {@code lz4 -l} still writes.
   */
  static final int LEGACY_MAGIC = 0x184C2102;

  /** With the lower four bits cleared. */
  static final int SKIPPABLE_MAGIC = 0x184D2A50;

  static final int SKIPPABLE_MASK = 0xFFFFFFF0;

  /** Magic, FLG and BD. */
  static final int FIXED_HEADER_BYTES = 6;

  /** With content size, dictionary and checksum. */
  static final int MAX_HEADER_BYTES = FIXED_HEADER_BYTES + 8 + 4 + 1;

  static final int VERSION_MASK = 0xC0;
  static final int VERSION = 0x40;
  static final int INDEPENDENT_BLOCKS = 0x20;
  static final int BLOCK_CHECKSUMS = 0x10;
  static final int CONTENT_SIZE = 0x08;
  static final int CONTENT_CHECKSUM = 0x04;
  static final int RESERVED = 0x02;
  static final int DICTIONARY = 0x01;

  /** The bits of BD beside the code of the block size. */
  static final int BLOCK_SIZE_RESERVED = 0x8F;

  static final int SMALLEST_BLOCK_CODE = 4;
  static final int LARGEST_BLOCK_CODE = 7;

  static final int BLOCK_HEADER_BYTES = 4;
  static final int CHECKSUM_BYTES = 4;
  static final int STORED_BLOCK = 0x80000000;
  static final int END_MARK = 0;

  /** The distance that a linked block may refer back. */
  static final int WINDOW_BYTES = 1 << 16;

  /** No block becomes more than this many times as large: a length grows by 255 with each byte. */
  static final int MAX_RATIO = 255;

  private Lz4FrameLayout() {}

  /** The largest decompressed block of a code: 64 KiB, 256 KiB, 1 MiB, 4 MiB. */
  static int blockBytes(int code) {
    return 1 << (8 + 2 * code);
  }

  /** The code of the smallest block that holds so much; the largest where none does. */
  static int blockCode(int bytes) {
    int code = SMALLEST_BLOCK_CODE;
    while (code < LARGEST_BLOCK_CODE && blockBytes(code) < bytes) {
      code++;
    }
    return code;
  }
}
