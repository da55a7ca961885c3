package io.feedline.formats.webdataset;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A tar header (POSIX.1-2008, "pax - ustar Interchange Format"; GNU tar's "Basic Tar Format"). */
final class TarLayout {

  /** The size of a block in bytes; headers and data begin at multiples of this size. */
  static final int BLOCK = 512;

  static final int NAME = 0;
  static final int NAME_LENGTH = 100;
  static final int MODE = 100;
  static final int UID = 108;
  static final int GID = 116;
  static final int SIZE = 124;
  static final int SIZE_LENGTH = 12;
  static final int MTIME = 136;
  static final int CHECKSUM = 148;
  static final int CHECKSUM_LENGTH = 8;
  static final int TYPE = 156;
  static final int MAGIC = 257;
  static final int PREFIX = 345;
  static final int PREFIX_LENGTH = 155;

  /** POSIX's magic and version; with GNU's, {@code "ustar \0"}, names have no prefix. */
  static final String POSIX_MAGIC = "ustar\00000";

  static final char REGULAR = '0';
  static final char REGULAR_BEFORE_POSIX = '\0';
  static final char CONTIGUOUS = '7';
  static final char HARD_LINK = '1';
  static final char DIRECTORY = '5';
  static final char FIFO = '6';
  static final char GNU_LONG_NAME = 'L';
  static final char GNU_LONG_LINK = 'K';
  static final char GNU_SPARSE = 'S';
  static final char PAX = 'x';
  static final char PAX_SOLARIS = 'X';
  static final char PAX_GLOBAL = 'g';

  private TarLayout() {}

  static long padded(long length) {
    return Math.addExact(length, BLOCK - 1) & -BLOCK;
  }

  /** Tests whether no data follow an entry of a type, regardless of its size field. */
  static boolean hasNoData(char type) {
    return type >= HARD_LINK && type <= FIFO;
  }

  static boolean isRegular(char type) {
    return type == REGULAR || type == REGULAR_BEFORE_POSIX || type == CONTIGUOUS;
  }

  /** Tests the checksum, which counts its own field as spaces; old writers summed signed bytes. */
  static boolean hasRightChecksum(byte[] header) {
    long stated = number(header, CHECKSUM, CHECKSUM_LENGTH);
    int unsigned = 0;
    int signed = 0;
    for (int i = 0; i < BLOCK; i++) {
      boolean inField = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
      unsigned += inField ? ' ' : header[i] & 0xFF;
      signed += inField ? ' ' : header[i];
    }
    return stated == unsigned || stated == signed;
  }

  static int checksum(byte[] header) {
    int sum = CHECKSUM_LENGTH * ' ';
    for (int i = 0; i < BLOCK; i++) {
      boolean inField = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
      sum += inField ? 0 : header[i] & 0xFF;
    }
    return sum;
  }

  /** Reads octal digits or GNU's base 256; returns -1 for other, negative and longer numbers. */
  static long number(byte[] header, int from, int length) {
    if ((header[from] & 0x80) != 0) {
      long value = header[from] & 0x7F;
      for (int i = from + 1; i < from + length; i++) {
        if (value > Long.MAX_VALUE >> 8) {
          return -1;
        }
        value = value << 8 | (header[i] & 0xFF);
      }
      return value;
    }
    String digits = string(header, from, length).strip();
    if (digits.isEmpty()) {
      return 0;
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 7) {
        return -1;
      }
      value = (value << 3) | digit;
    }
    return value;
  }

  static String string(byte[] bytes, int from, int length) {
    int end = from;
    while (end < from + length && bytes[end] != 0) {
      end++;
    }
    return decode(bytes, from, end - from);
  }

  /** Decodes a name as UTF-8, or else as Latin-1, so that different names stay different. */
  static String decode(byte[] bytes, int from, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, length))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
  }
}
