package io.feedline.formats.hdf5;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A checksum of a file's first and last 64 KiB and of 64 blocks of 4 KiB between them. A copy of
 * the file has the same checksum. HDF5 itself stores no checksum of a file. A change of a few bytes
 * between the blocks is not noticed. The checksum costs 66 reads.
 */
final class FileSample {

  private static final int EDGE_BYTES = 1 << 16;
  private static final int BLOCK_BYTES = 1 << 12;
  private static final int BLOCKS = 64;

  private final OpenFile file;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer buffer = ByteBuffer.allocate(EDGE_BYTES);

  private FileSample(OpenFile file) {
    this.file = file;
  }

  static String of(OpenFile file) throws IOException {
    FileSample sample = new FileSample(file);
    long size = file.length();
    long between = size - 2L * EDGE_BYTES;
    if (between <= (long) BLOCKS * BLOCK_BYTES) {
      for (long at = 0; at < size; at += EDGE_BYTES) {
        sample.add(at, (int) Math.min(EDGE_BYTES, size - at));
      }
    } else {
      sample.add(0, EDGE_BYTES);
      for (long i = 0; i < BLOCKS; i++) {
        // A block begins at a multiple of its size, and so covers whole pages of the disk.
        long at = EDGE_BYTES + between / BLOCKS * i;
        sample.add(at & -BLOCK_BYTES, BLOCK_BYTES);
      }
      sample.add(size - EDGE_BYTES, EDGE_BYTES);
    }
    return String.format(Locale.ROOT, "%d:%08x", size, sample.crc.getValue());
  }

  private void add(long at, int bytes) throws IOException {
    file.read(at, buffer.clear().limit(bytes));
    crc.update(buffer.flip());
  }
}
