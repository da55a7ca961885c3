package io.feedline.formats.lmdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Turns single bits in the pages of trees, opens the databases and reads all that is in them. A
 * value is wrong where it is not the one that was written, unless that one bit of it has turned:
 * LMDB has no checksum for that, nor for the length of a large value within its pages, of which it
 * may have more than it needs.
 *
 * <p>Run in a JVM of its own: {@code DIRECTORY FLIPS SEED}.
 */
final class TreeFuzzer {

  private static final int PAGE = 4096;

  /** A value of more bytes has pages of its own, with the keys that there are here. */
  private static final int LARGE = 1800;

  private final Path database;
  private final Map<String, byte[]> expected;
  private final byte[] whole;
  private final List<Integer> pages = new ArrayList<>();
  private int refusedAtOpening;
  private int refusedAtReading;
  private int unnoticed;
  private int wrong;

  private TreeFuzzer(Path database, Map<String, byte[]> expected) throws IOException {
    this.database = RawDatabase.write(database, expected);
    this.expected = expected;
    this.whole = Files.readAllBytes(database.resolve("data.mdb"));
    ByteBuffer data = ByteBuffer.wrap(whole).order(ByteOrder.nativeOrder());
    int meta = RawDatabase.snapshot(database).transaction() % 2 == 0 ? 0 : 1;
    pages.add(meta);
    for (int page = 2; page < whole.length / PAGE; page++) {
      int flags = data.getShort(page * PAGE + 10);
      if (data.getLong(page * PAGE) == page && (flags == 1 || flags == 2)) {
        pages.add(page);
      }
    }
  }

  private void flip(Random random) throws IOException {
    int page = pages.get(random.nextInt(pages.size()));
    // Headers and tables of nodes are where damage is worst.
    int at =
        random.nextInt(
            switch (random.nextInt(3)) {
              case 0 -> 32;
              case 1 -> 400;
              default -> PAGE;
            });
    int bit = 1 << random.nextInt(8);
    int position = page * PAGE + at;
    write(position, (byte) (whole[position] ^ bit));
    boolean opened = false;
    try {
      MappedDatabase mapped = MappedDatabase.open(database);
      opened = true;
      try (mapped) {
        read(mapped, "page %d, byte %d, bit %d".formatted(page, at, bit));
        unnoticed++;
      }
    } catch (IOException refused) {
      if (opened) {
        refusedAtReading++;
      } else {
        refusedAtOpening++;
      }
    } finally {
      write(position, whole[position]);
    }
  }

  private void write(int position, byte value) throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(database.resolve("data.mdb").toFile(), "rw")) {
      file.seek(position);
      file.write(value);
    }
  }

  private void read(MappedDatabase mapped, String flip) throws IOException {
    mapped.read(
        reader -> {
          read(reader, flip);
          return null;
        });
  }

  @SuppressWarnings("SystemOut")
  private void read(MappedDatabase.Reader reader, String flip) throws IOException {
    int[] keys = new int[1];
    reader.forEachKey(key -> ++keys[0] > 0);
    if (keys[0] != expected.size()) {
      throw new IOException(keys[0] + " keys");
    }
    for (var entry : expected.entrySet()) {
      ByteBuffer value = reader.get(entry.getKey().getBytes(US_ASCII));
      if (value == null) {
        throw new IOException("no key " + entry.getKey());
      }
      byte[] bytes = new byte[value.remaining()];
      value.get(bytes);
      if (!isAllowed(entry.getValue(), bytes)) {
        wrong++;
        System.out.println("wrong: " + flip + ", " + entry.getKey());
      }
    }
  }

  private static boolean isAllowed(byte[] wanted, byte[] found) {
    if (wanted.length > LARGE) {
      int pages = (wanted.length + 15) / PAGE;
      return pages >= (found.length + 15) / PAGE && prefix(wanted, found);
    }
    int bits = 0;
    for (int i = 0; i < wanted.length && wanted.length == found.length; i++) {
      bits += Integer.bitCount((wanted[i] ^ found[i]) & 0xFF);
    }
    return wanted.length == found.length && bits <= 1;
  }

  private static boolean prefix(byte[] one, byte[] other) {
    for (int i = 0; i < Math.min(one.length, other.length); i++) {
      if (one[i] != other[i]) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int flips = Integer.parseInt(arguments[1]);
    Random random = new Random(Long.parseLong(arguments[2]));
    List<TreeFuzzer> fuzzers =
        List.of(
            new TreeFuzzer(folder.resolve("small"), entries(3000, i -> 40 + i % 9, 60)),
            new TreeFuzzer(folder.resolve("large"), entries(300, i -> 4 * PAGE - 100, 0)),
            new TreeFuzzer(folder.resolve("mixed"), entries(200, i -> i * i, 200)));
    for (int i = 0; i < flips; i++) {
      fuzzers.get(i % fuzzers.size()).flip(random);
    }
    int wrong = 0;
    for (TreeFuzzer fuzzer : fuzzers) {
      wrong += fuzzer.wrong;
      System.out.printf(
          Locale.ROOT,
          "%s: %d tree pages; refused at opening %d, at reading %d, unnoticed %d%n",
          fuzzer.database.getFileName(),
          fuzzer.pages.size(),
          fuzzer.refusedAtOpening,
          fuzzer.refusedAtReading,
          fuzzer.unnoticed);
    }
    System.out.println(flips + " flips, " + wrong + " wrong");
  }

  private static Map<String, byte[]> entries(int count, IntUnaryOperator bytes, int keyBytes) {
    Map<String, byte[]> entries = new TreeMap<>();
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[bytes.applyAsInt(i)];
      random.nextBytes(value);
      entries.put("%06d%s".formatted(i, "x".repeat(keyBytes)), value);
    }
    return entries;
  }
}
