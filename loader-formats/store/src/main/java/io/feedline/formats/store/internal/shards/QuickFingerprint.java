package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A checksum of a shard's size and of 64 KiB at its beginning, its middle and its end. */
public record QuickFingerprint(long crc) {

  private static final int PART_BYTES = 1 << 16;

  static QuickFingerprint of(OpenFiles files, Path shard, long size) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer part = ByteBuffer.allocate((int) Math.min(PART_BYTES, size));
    long last = size - part.capacity();
    for (long position : new long[] {0, last / 2, last}) {
      part.clear();
      files.read(shard, position, part);
      crc.update(part.flip());
    }
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, size));
    return new QuickFingerprint(crc.getValue());
  }

  public static String textOf(OpenFiles files, Path shard, long size) throws IOException {
    return Long.toHexString(of(files, shard, size).crc());
  }
}
