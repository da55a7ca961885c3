package io.feedline.formats.webdataset;

import org.jspecify.annotations.Nullable;

/**
 * The records of a PAX extension header that readers of samples need. A record is {@code "LENGTH
 * KEY=VALUE\n"}; the length is decimal and counts the whole record.
 *
 * @param size the size of the entry's data in bytes; -1 if no record has it
 * @param sparse whether the data has holes that are not stored
 */
record PaxRecords(@Nullable String path, long size, boolean sparse) {

  static final PaxRecords NONE = new PaxRecords(null, -1, false);

  /** Returns these records, with absent ones taken from earlier records. */
  PaxRecords over(PaxRecords earlier) {
    return new PaxRecords(
        path != null ? path : earlier.path,
        size >= 0 ? size : earlier.size,
        sparse || earlier.sparse);
  }

  /** Reads records; an {@link IllegalArgumentException} says where the data is not a record. */
  static PaxRecords parse(byte[] data) {
    String path = null;
    long size = -1;
    boolean sparse = false;
    int at = 0;
    // Some writers pad the records with zeros.
    while (at < data.length && data[at] != 0) {
      int space = find(data, at, Math.min(data.length, at + 10), ' ');
      long length = number(data, at, space);
      if (length < space - at + 3
          || at + length > data.length
          || data[(int) (at + length - 1)] != '\n') {
        throw new IllegalArgumentException(
            "the record at byte %d claims %d bytes, %d are left"
                .formatted(at, length, data.length - at));
      }
      int end = (int) (at + length - 1);
      int equals = find(data, space + 1, end, '=');
      String key = TarLayout.decode(data, space + 1, equals - space - 1);
      switch (key) {
        case "path" -> path = TarLayout.decode(data, equals + 1, end - equals - 1);
        case "size" -> size = number(data, equals + 1, end);
        default -> sparse |= key.startsWith("GNU.sparse.");
      }
      at = end + 1;
    }
    return new PaxRecords(path, size, sparse);
  }

  private static int find(byte[] data, int from, int end, char wanted) {
    for (int i = from; i < end; i++) {
      if (data[i] == wanted) {
        return i;
      }
    }
    throw new IllegalArgumentException("no '%s' from byte %d on".formatted(wanted, from));
  }

  private static long number(byte[] data, int from, int end) {
    if (end == from || end - from > 18) {
      throw new IllegalArgumentException("no number at byte " + from);
    }
    long value = 0;
    for (int i = from; i < end; i++) {
      int digit = data[i] - '0';
      if (digit < 0 || digit > 9) {
        throw new IllegalArgumentException("no number at byte " + from);
      }
      value = 10 * value + digit;
    }
    return value;
  }
}
