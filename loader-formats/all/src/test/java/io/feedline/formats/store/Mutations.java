package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Changes of a file's bytes as damage, or malice, makes them. The same seed makes the same ones.
 */
final class Mutations {

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  private static final String[] NUMBERS = {
    "0", "1", "-1", "1.5",
    "0x10", "1e400", "65536", "16777217",
    "536870912", "2147483647", "2147483648", "9223372036854775807",
    "99999999999999999999", "-9223372036854775808"
  };

  private static final long[] WORDS =
      Stream.of(
              ("0 1 -1 2 -2 -8 127 255 65535 65536 0x100000 0x8000000 0x10000000 0x20000000"
                      + " 0x40000000 0x7FFFFFF0 0x7FFFFFFF -0x80000000 0x100000000 0x10000000000"
                      + " 0x4000000000000000 0x7FFFFFFFFFFFFFFF -0x8000000000000000")
                  .split(" ", -1))
          .mapToLong(Long::decode)
          .toArray();

  private static final int BLOCK = 512;

  private Mutations() {}

  static byte[] mutant(byte[] file, Random random) {
    byte[] mutant = file.clone();
    int changes = 1 + (random.nextInt(3) == 0 ? random.nextInt(4) : 0);
    for (int i = 0; i < changes; i++) {
      mutant = change(mutant, random);
    }
    if (random.nextInt(4) > 0) {
      repair(mutant);
    }
    return mutant;
  }

  private static byte[] change(byte[] file, Random random) {
    if (file.length == 0) {
      return new byte[1 + random.nextInt(16)];
    }
    int at = place(file, random);
    int span = 1 + random.nextInt(Math.min(file.length - at, 1 << random.nextInt(10)));
    switch (random.nextInt(14)) {
      case 0, 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
      case 2, 3 -> file[at] = (byte) random.nextInt();
      case 4, 5, 6, 7 -> number(file, at, random);
      case 8 -> {
        return Arrays.copyOf(file, random.nextInt(file.length));
      }
      case 9 -> {
        return spliced(file, at, at + span, new byte[0]);
      }
      case 10 -> {
        byte[] part = Arrays.copyOfRange(file, at, at + span);
        return spliced(file, at, at, repeated(part, 1 + random.nextInt(3)));
      }
      case 11 -> {
        byte[] part = Arrays.copyOfRange(file, at, at + span);
        System.arraycopy(part, 0, file, random.nextInt(file.length - span + 1), span);
      }
      case 12 -> {
        // Deep nesting, and long texts.
        byte[] part = Arrays.copyOfRange(file, at, Math.min(file.length, at + 1 + span % 8));
        return spliced(file, at, at, repeated(part, 1 << random.nextInt(15)));
      }
      default -> {
        return text(file, random);
      }
    }
    return file;
  }

  /** Anywhere, and more often near the ends, where headers and footers are. */
  private static int place(byte[] file, Random random) {
    int reach = Math.min(file.length, 1 << (4 + random.nextInt(8)));
    return switch (random.nextInt(3)) {
      case 0 -> random.nextInt(reach);
      case 1 -> file.length - 1 - random.nextInt(reach);
      default -> random.nextInt(file.length);
    };
  }

  private static void number(byte[] file, int at, Random random) {
    int bytes = 1 << random.nextInt(4);
    int aligned = random.nextBoolean() ? at / bytes * bytes : at;
    if (aligned + bytes > file.length) {
      return;
    }
    long word =
        switch (random.nextInt(4)) {
          case 0 -> file.length + random.nextInt(3) - 1;
          case 1 -> file[aligned] + random.nextInt(9) - 4;
          default -> WORDS[random.nextInt(WORDS.length)];
        };
    boolean little = random.nextInt(3) > 0;
    for (int i = 0; i < bytes; i++) {
      file[aligned + (little ? i : bytes - 1 - i)] = (byte) (word >> (8 * i));
    }
  }

  /** Another number in place of one that is written in digits. */
  private static byte[] text(byte[] file, Random random) {
    Matcher numbers = NUMBER.matcher(new String(file, ISO_8859_1));
    int from = random.nextInt(file.length);
    if (!numbers.find(from) && !numbers.find(0)) {
      return file;
    }
    byte[] other = NUMBERS[random.nextInt(NUMBERS.length)].getBytes(ISO_8859_1);
    return spliced(file, numbers.start(), numbers.end(), other);
  }

  private static byte[] repeated(byte[] part, int times) {
    byte[] all = new byte[part.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(part, 0, all, i * part.length, part.length);
    }
    return all;
  }

  private static byte[] spliced(byte[] file, int from, int to, byte[] between) {
    return ByteBuffer.allocate(from + between.length + file.length - to)
        .put(file, 0, from)
        .put(between)
        .put(file, to, file.length - to)
        .array();
  }

  /** Makes checksums right again, so that what lies behind them is read. */
  private static void repair(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    if (new String(file, 0, Math.min(file.length, 7), ISO_8859_1).equals("FLTFIDX")) {
      index(bytes);
    } else if (file.length >= BLOCK && isTarHeader(file, 0)) {
      for (int at = 0; at + BLOCK <= file.length; at += BLOCK) {
        if (isTarHeader(file, at)) {
          tarHeader(file, at);
        }
      }
    } else {
      records(bytes);
    }
  }

  private static boolean isTarHeader(byte[] file, int at) {
    return new String(file, at + 257, 5, ISO_8859_1).equals("ustar");
  }

  private static void tarHeader(byte[] file, int at) {
    Arrays.fill(file, at + 148, at + 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += file[at + i] & 0xFF;
    }
    byte[] digits = "%06o\0 ".formatted(sum).getBytes(ISO_8859_1);
    System.arraycopy(digits, 0, file, at + 148, digits.length);
  }

  private static void index(ByteBuffer index) {
    if (index.capacity() >= 56) {
      CRC32C crc = new CRC32C();
      crc.update(index.slice(0, 32));
      crc.update(index.slice(40, index.capacity() - 40));
      index.putLong(32, crc.getValue());
    }
  }

  /** Changes lengths and bytes of TFRecords, record after record. */
  private static void records(ByteBuffer file) {
    if (file.capacity() < 16 || (file.getInt(8) == 0 && file.getLong(0) != 0)) {
      return;
    }
    boolean likely = false;
    int at = 0;
    while (at + 16 <= file.capacity()) {
      long length = file.getLong(at);
      boolean fits = length >= 0 && length <= file.capacity() - at - 16;
      likely |= file.getInt(at + 8) == masked(file, at, 8);
      if (!likely) {
        return;
      }
      file.putInt(at + 8, masked(file, at, 8));
      if (!fits) {
        return;
      }
      file.putInt(at + 12 + (int) length, masked(file, at + 12, (int) length));
      at += 16 + (int) length;
    }
  }

  private static int masked(ByteBuffer file, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(file.slice(at, length));
    return Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
  }
}
