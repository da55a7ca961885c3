package io.feedline.formats.image.internal;

import static io.feedline.formats.image.internal.RawLayout.CHECKSUM_AT;
import static io.feedline.formats.image.internal.RawLayout.ENTRY;
import static io.feedline.formats.image.internal.RawLayout.TABLE_AT;

import io.feedline.data.FormatException;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A raw record whose header has been read: an image's pixels as rows of bytes, in the layout of
 * {@link RawLayout}. Immutable if the caller does not change the bytes. Thread-safe if its source
 * is.
 *
 * <p>Damaged records cause no access out of bounds, and take memory only in proportion to the
 * record's length: an uncompressed group must have exactly the bytes of its rows, a compressed
 * group at least a 255th.
 */
public final class RawRecord {

  /** The number of bytes of the header; the table of the groups follows. */
  public static final int HEADER_BYTES = TABLE_AT;

  /**
   * The number of bytes to read first from a record that is not in memory: enough for the table of
   * 60 groups of rows. Feedline writes 16 rows to a group, so this suffices for 960 rows.
   */
  private static final int BEGINNING = 512;

  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  private static final VarHandle I32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The whole record, or its header and table. */
  private final byte[] data;

  /** The source of bytes that {@link #data} lacks; null if it has the whole record. */
  private final Source source;

  private final int length;
  private final int width;
  private final int height;
  private final int samples;
  private final boolean compressed;
  private final int rows;
  private final int orientation;

  @FunctionalInterface
  public interface Source {
    void read(int position, byte[] target, int offset, int length) throws IOException;
  }

  private RawRecord(byte[] beginning, Source source, int length) throws IOException {
    this.source = source;
    this.length = length;
    ByteBuffer header = ByteBuffer.wrap(beginning).order(ByteOrder.LITTLE_ENDIAN);
    if (beginning.length < TABLE_AT || header.getLong(0) != RawLayout.MAGIC) {
      throw new FormatException(
          "not a raw record: %d bytes that do not begin with 89 46 4C 52 0D 0A 1A 0A"
              .formatted(length));
    }
    int version = u16(header, RawLayout.VERSION_AT);
    if (version != RawLayout.VERSION) {
      throw new FormatException(otherVersion(version));
    }
    samples = u8(header, RawLayout.SAMPLES_AT);
    require(samples == 1 || samples == 3, RawLayout.SAMPLES_AT, "samples", samples, "1 or 3");
    int compression = u8(header, RawLayout.COMPRESSION_AT);
    compressed = compression == RawLayout.LZ4;
    require(
        compressed || compression == RawLayout.NO_COMPRESSION,
        RawLayout.COMPRESSION_AT,
        "compression",
        compression,
        "0 or 1");
    long claimed = u32(header, RawLayout.LENGTH_AT);
    require(claimed == length, RawLayout.LENGTH_AT, "length", claimed, Integer.toString(length));
    width = size(header, RawLayout.WIDTH_AT, "width");
    height = size(header, RawLayout.HEIGHT_AT, "height");
    rows = u16(header, RawLayout.ROWS_AT);
    require(rows > 0, RawLayout.ROWS_AT, "rows of a group", rows, "1 or more");
    orientation = u8(header, RawLayout.ORIENTATION_AT);
    require(
        orientation >= 1 && orientation <= 8,
        RawLayout.ORIENTATION_AT,
        "orientation",
        orientation,
        "1 to 8");
    int reserved = u8(header, RawLayout.RESERVED_AT);
    require(reserved == 0, RawLayout.RESERVED_AT, "reserved byte", reserved, "0");
    long checksum = u32(header, CHECKSUM_AT);
    long end = TABLE_AT + (long) ENTRY * groups();
    if (end > length) {
      throw damaged(
          RawLayout.HEIGHT_AT,
          "the table of %d groups ends at byte %d, but the record at byte %d"
              .formatted(groups(), end, length));
    }
    data = source == null ? beginning : withTable(beginning, (int) end);
    requireChecksum((int) end, checksum);
    requireGroups();
  }

  /**
   * Reads the header of a record and the table of its groups, and verifies their checksum.
   *
   * @param record the whole record; kept, not copied
   */
  public static RawRecord parse(byte[] record) throws FormatException {
    try {
      return new RawRecord(record, null, record.length);
    } catch (FormatException damaged) {
      throw damaged;
    } catch (IOException impossible) {
      throw new AssertionError("nothing is read but the array", impossible);
    }
  }

  /** Reads the header of a record and the table of its groups, but not its groups. */
  public static RawRecord parse(int length, Source source) throws IOException {
    byte[] beginning = new byte[Math.min(length, BEGINNING)];
    source.read(0, beginning, 0, beginning.length);
    return new RawRecord(beginning, source, length);
  }

  public static String otherVersion(int version) {
    return "the raw record is of version %d, and this Feedline reads version %d: use a newer one, or convert the images again"
        .formatted(version, RawLayout.VERSION);
  }

  private byte[] withTable(byte[] beginning, int end) throws IOException {
    if (end <= beginning.length) {
      return beginning;
    }
    byte[] all = Arrays.copyOf(beginning, end);
    source.read(beginning.length, all, beginning.length, end - beginning.length);
    return all;
  }

  private void requireChecksum(int end, long expected) throws FormatException {
    CRC32C checksum = new CRC32C();
    checksum.update(data, 0, CHECKSUM_AT);
    checksum.update(data, TABLE_AT, end - TABLE_AT);
    if (checksum.getValue() != expected) {
      throw damaged(
          CHECKSUM_AT,
          "the checksum of its header is %08X, expected %08X"
              .formatted(checksum.getValue(), expected));
    }
  }

  private void requireGroups() throws FormatException {
    long from = start(0);
    for (int group = 0; group < groups(); group++) {
      long end = Integer.toUnsignedLong(start(group + 1));
      long unpacked = unpackedBytes(group);
      long least = compressed ? (unpacked + 254) / RawLayout.MOST_EXPANSION : unpacked;
      if (end < from + least || end > from + unpacked || end > length) {
        throw damaged(
            TABLE_AT + ENTRY * group,
            "group %d of %d begins at byte %d and ends at byte %d, expected %d to %d"
                .formatted(
                    group, groups(), from, end, from + least, Math.min(from + unpacked, length)));
      }
      from = end;
    }
    require(from == length, TABLE_AT, "end of the groups", from, Integer.toString(length));
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** Returns 1 for gray, 3 for red, green and blue. */
  public int samples() {
    return samples;
  }

  /** Returns EXIF's tag Orientation, 1 to 8. */
  public int orientation() {
    return orientation;
  }

  /** Returns whether groups are blocks of LZ4. */
  public boolean isCompressed() {
    return compressed;
  }

  /** Returns the number of rows in a group; the last group may have fewer. */
  public int rowsOfGroup() {
    return rows;
  }

  public int groups() {
    return (int) (((long) height + rows - 1) / rows);
  }

  public long unpackedBytes(int group) {
    long count = Math.min(rows, (long) height - (long) group * rows);
    return count * width * samples;
  }

  /** Stored groups of a record, from group {@code first} on; they begin at {@code bytes[at]}. */
  public record Groups(int first, byte[] bytes, int at) {}

  /**
   * Reads groups, and verifies their checksums.
   *
   * @param room receives a copy of the groups if the record is not in memory; a larger array is
   *     used if it is too small
   */
  public Groups read(int first, int last, byte[] room) throws IOException {
    int from = start(first);
    Groups groups = new Groups(first, data, from);
    if (source != null) {
      int bytes = start(last + 1) - from;
      groups =
          new Groups(
              first,
              room.length < bytes ? new byte[(int) Math.min(MAX_ARRAY, bytes * 5L / 4)] : room,
              0);
      source.read(from, groups.bytes, 0, bytes);
    }
    for (int group = first; group <= last; group++) {
      requireChecksum(group, groups);
    }
    return groups;
  }

  private void requireChecksum(int group, Groups groups) throws FormatException {
    int bytes = start(group + 1) - start(group);
    CRC32C checksum = new CRC32C();
    checksum.update(groups.bytes, groups.at + start(group) - start(groups.first), bytes);
    int expected = i32(TABLE_AT + ENTRY * group + 4);
    if ((int) checksum.getValue() != expected) {
      throw damaged(
          start(group),
          "the checksum of group %d of %d, %d bytes, is %08X, expected %08X"
              .formatted(group, groups(), bytes, checksum.getValue(), expected));
    }
  }

  /** Writes the {@link #unpackedBytes} of a group's rows to the beginning of the target. */
  public void unpack(Groups groups, int group, byte[] target) throws FormatException {
    int at = groups.at + start(group) - start(groups.first);
    int packed = start(group + 1) - start(group);
    int unpacked = (int) unpackedBytes(group);
    if (packed == unpacked) {
      System.arraycopy(groups.bytes, at, target, 0, packed);
      return;
    }
    int size = Lz4.decompress(groups.bytes, at, packed, target, unpacked);
    if (size != unpacked) {
      throw damaged(
          start(group),
          "the LZ4 block of group %d of %d, %d bytes, %s, expected %d bytes"
              .formatted(
                  group,
                  groups(),
                  packed,
                  size < 0 ? "cannot be decompressed" : "has " + Counts.of(size, "byte"),
                  unpacked));
    }
  }

  /**
   * Returns the offset of a group in the record; if {@code group} is {@link #groups}, the end of
   * the last group.
   */
  private int start(int group) {
    return group == 0 ? TABLE_AT + ENTRY * groups() : i32(TABLE_AT + ENTRY * (group - 1));
  }

  private int i32(int at) {
    return (int) I32.get(data, at);
  }

  private static int size(ByteBuffer header, int at, String name) throws FormatException {
    long value = u32(header, at);
    require(value >= 1 && value <= Integer.MAX_VALUE, at, name, value, "1 to 2147483647");
    return (int) value;
  }

  private static void require(boolean right, int at, String name, long value, String expected)
      throws FormatException {
    if (!right) {
      throw damaged(at, "its %s is %d, expected %s".formatted(name, value, expected));
    }
  }

  private static FormatException damaged(long at, String what) {
    return new FormatException("the raw record is damaged: %s (at byte %d)".formatted(what, at));
  }

  private static int u8(ByteBuffer header, int at) {
    return header.get(at) & 0xFF;
  }

  private static int u16(ByteBuffer header, int at) {
    return header.getShort(at) & 0xFFFF;
  }

  private static long u32(ByteBuffer header, int at) {
    return Integer.toUnsignedLong(header.getInt(at));
  }
}
