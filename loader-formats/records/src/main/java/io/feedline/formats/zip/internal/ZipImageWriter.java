package io.feedline.formats.zip.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import io.feedline.formats.store.internal.staging.ShardFiles;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * A writer of images into an archive, as uncompressed entries (PKWARE's APPNOTE 6.3.10, sections
 * 4.3.7 to 4.3.16). The central directory is kept in memory until it is written at the end. The
 * same images give the same bytes.
 */
final class ZipImageWriter extends ShardedWriter<EncodedImage> {

  private static final int LOCAL_BYTES = 30;
  private static final int CENTRAL_BYTES = 46;
  private static final int ZIP64_EXTRA_BYTES = 12;
  private static final int UTF8_NAMES = 1 << 11;

  /** The date of all entries: 1980-01-01, the first date that the format can express. */
  private static final int DATE = (1 << 5 | 1) << 16;

  /** The value of a field whose number is in the fields of ZIP64 instead. */
  private static final long IN_ZIP64 = 0xFFFF_FFFFL;

  private final ClassDirectories directories;

  private final ByteArrayOutputStream central = new ByteArrayOutputStream();

  private ZipImageWriter(StagedOutput output, ClassDirectories directories) {
    super(output, ShardFiles.ofOne(output, output.path()));
    this.directories = directories;
  }

  static ZipImageWriter open(Path archive, Packing packing) throws IOException {
    ClassDirectories directories = new ClassDirectories(packing.classes());
    return StagedOutput.openFor(
        archive,
        StagedOutput.Kind.FILE,
        ZipFormat.NAME,
        packing,
        output -> new ZipImageWriter(output, directories));
  }

  @Override
  protected void add(EncodedImage image) throws IOException {
    byte[] name = directories.file(image).getBytes(UTF_8);
    if (name.length > Short.MAX_VALUE) {
      throw new FormatException("the key '%s' is too long for an entry".formatted(image.key()));
    }
    CRC32 crc = new CRC32();
    crc.update(image.bytes());
    int size = image.bytes().length;
    ByteBuffer header =
        ByteBuffer.allocate(LOCAL_BYTES + name.length).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(0x04034b50).putShort((short) 20).putShort((short) UTF8_NAMES).putShort((short) 0);
    header.putInt(DATE).putInt((int) crc.getValue()).putInt(size).putInt(size);
    header.putShort((short) name.length).putShort((short) 0).put(name);
    long offset = shards().shardBytes();
    shards().append(header.array(), image.bytes());
    central.writeBytes(entry(header.array(), name, offset));
  }

  @Override
  protected void finish() throws IOException {
    shards().end(directory());
  }

  private byte[] directory() {
    byte[] end = end(central.size(), shards().shardBytes());
    central.writeBytes(end);
    return central.toByteArray();
  }

  private static byte[] entry(byte[] local, byte[] name, long offset) {
    int extra = offset >= IN_ZIP64 ? ZIP64_EXTRA_BYTES : 0;
    short version = (short) (extra > 0 ? 45 : 20);
    ByteBuffer entry =
        ByteBuffer.allocate(CENTRAL_BYTES + name.length + extra).order(ByteOrder.LITTLE_ENDIAN);
    entry.putInt(0x02014b50).putShort(version).putShort(version);
    // Flags, method, date, checksum and sizes are copied from the local header.
    entry.put(local, 6, 20).putShort((short) name.length).putShort((short) extra);
    entry.position(42).putInt((int) Math.min(offset, IN_ZIP64)).put(name);
    if (extra > 0) {
      entry.putShort((short) 1).putShort((short) Long.BYTES).putLong(offset);
    }
    return entry.array();
  }

  private byte[] end(long length, long start) {
    long count = shards().samples();
    boolean large = count >= 0xFFFF || start + length >= IN_ZIP64;
    ByteBuffer end = ByteBuffer.allocate(large ? 98 : 22).order(ByteOrder.LITTLE_ENDIAN);
    if (large) {
      end.putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45).putLong(0);
      end.putLong(count).putLong(count).putLong(length).putLong(start);
      end.putInt(0x07064b50).putInt(0).putLong(start + length).putInt(1);
    }
    short entries = (short) (large ? 0xFFFF : count);
    end.putInt(0x06054b50).putInt(0).putShort(entries).putShort(entries);
    end.putInt((int) (large ? IN_ZIP64 : length)).putInt((int) (large ? IN_ZIP64 : start));
    return end.array();
  }
}
