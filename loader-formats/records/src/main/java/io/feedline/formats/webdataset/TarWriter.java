package io.feedline.formats.webdataset;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A writer of entries of a tar archive; an entry's bytes depend on its name and data alone. */
final class TarWriter {

  static final int END_BYTES = 2 * TarLayout.BLOCK;

  private TarWriter() {}

  static void add(String name, byte[] data, List<byte[]> out) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int split = split(bytes);
    if (split < 0) {
      byte[] record = paxRecord("path", bytes);
      byte[] place = "PaxHeader".getBytes(StandardCharsets.US_ASCII);
      out.add(header(place, 0, TarLayout.PAX, record.length));
      addData(record, out);
      // The name for readers that do not know PAX.
      byte[] shortened = new byte[TarLayout.NAME_LENGTH - 1];
      for (int i = 0; i < shortened.length; i++) {
        byte each = i < bytes.length ? bytes[i] : (byte) '_';
        shortened[i] = each > ' ' && each < 0x7F ? each : (byte) '_';
      }
      out.add(header(shortened, 0, TarLayout.REGULAR, data.length));
    } else {
      out.add(header(bytes, split, TarLayout.REGULAR, data.length));
    }
    addData(data, out);
  }

  private static void addData(byte[] data, List<byte[]> out) {
    out.add(data);
    out.add(new byte[(int) (TarLayout.padded(data.length) - data.length)]);
  }

  /** Returns the length of the prefix; 0 for no prefix, -1 if USTAR cannot store the name. */
  private static int split(byte[] name) {
    for (byte each : name) {
      if (each < 0) {
        return -1;
      }
    }
    if (name.length <= TarLayout.NAME_LENGTH) {
      return 0;
    }
    for (int i = Math.min(name.length - 2, TarLayout.PREFIX_LENGTH); i > 0; i--) {
      if (name[i] == '/') {
        return name.length - i - 1 <= TarLayout.NAME_LENGTH ? i : -1;
      }
    }
    return -1;
  }

  private static byte[] paxRecord(String key, byte[] value) {
    int rest = 1 + key.length() + 1 + value.length + 1;
    int length = rest;
    while (length != rest + Integer.toString(length).length()) {
      length = rest + Integer.toString(length).length();
    }
    byte[] start = (length + " " + key + "=").getBytes(StandardCharsets.US_ASCII);
    byte[] record = new byte[length];
    System.arraycopy(start, 0, record, 0, start.length);
    System.arraycopy(value, 0, record, start.length, value.length);
    record[length - 1] = '\n';
    return record;
  }

  private static byte[] header(byte[] name, int split, char type, int size) {
    byte[] header = new byte[TarLayout.BLOCK];
    int from = split == 0 ? 0 : split + 1;
    System.arraycopy(name, from, header, TarLayout.NAME, name.length - from);
    System.arraycopy(name, 0, header, TarLayout.PREFIX, split);
    put(header, TarLayout.MODE, "0000444");
    put(header, TarLayout.UID, "0000000");
    put(header, TarLayout.GID, "0000000");
    putOctal(header, TarLayout.SIZE, TarLayout.SIZE_LENGTH - 1, size);
    put(header, TarLayout.MTIME, "00000000000");
    header[TarLayout.TYPE] = (byte) type;
    put(header, TarLayout.MAGIC, TarLayout.POSIX_MAGIC);
    int digits = TarLayout.CHECKSUM_LENGTH - 2;
    putOctal(header, TarLayout.CHECKSUM, digits, TarLayout.checksum(header));
    header[TarLayout.CHECKSUM + digits + 1] = ' ';
    return header;
  }

  private static void put(byte[] header, int at, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static void putOctal(byte[] header, int at, int digits, int value) {
    for (int i = 0; i < digits; i++) {
      header[at + digits - 1 - i] = (byte) ('0' + ((value >>> (3 * i)) & 7));
    }
  }
}
