package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.DbiFlags;

/** Trees whose pages are not what LMDB believes them to be, and trees that it makes. */
class DamagedTreeTest {

  private static final int PAGE = 4096;

  @TempDir Path folder;

  private Path raw(String name, int entries, int valueBytes) throws IOException {
    TreeMap<String, byte[]> content = new TreeMap<>();
    for (int i = 0; i < entries; i++) {
      content.put("%06d".formatted(i), Content.noise(valueBytes));
    }
    return RawDatabase.write(folder.resolve(name), content);
  }

  private static void change(Path database, long at, int bytes, long value) throws IOException {
    Path data = database.resolve("data.mdb");
    byte[] all = Files.readAllBytes(data);
    ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.nativeOrder());
    switch (bytes) {
      case 2 -> buffer.putShort((int) at, (short) value);
      case 4 -> buffer.putInt((int) at, (int) value);
      default -> buffer.putLong((int) at, value);
    }
    Files.write(data, all);
  }

  private static ByteBuffer pages(Path database) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(database.resolve("data.mdb")))
        .order(ByteOrder.nativeOrder());
  }

  /** The page of the root, by the newest meta page. */
  private static long root(Path database) throws IOException {
    return RawDatabase.snapshot(database).root();
  }

  private static void requireRefused(Path path, String... words) {
    refused(IOException.class, () -> MappedDatabase.open(path), words);
  }

  @Test
  void shouldNameThePageThatIsCorrupt() throws IOException {
    Path path = raw("x", 2000, 30);
    long root = root(path);
    change(path, root * PAGE + 14, 2, 0xFFFF);

    requireRefused(path, "data.mdb", "page " + root, "a branch", "free space");
  }

  @Test
  void shouldRefuseATreeThatLeadsBackToItself() throws IOException {
    Path path = raw("x", 2000, 30);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 18));
    change(path, node, 4, root);

    requireRefused(path, "page " + root, "twice");
  }

  @Test
  void shouldRefuseAPageWhoseKeysAreNotInOrder() throws IOException {
    Path path = raw("x", 3, 30);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int pointers = (int) root * PAGE + 16;
    change(path, pointers + 2, 2, buffer.getShort(pointers + 4));
    change(path, pointers + 4, 2, buffer.getShort(pointers + 2));

    requireRefused(path, "page " + root, "the keys 1 and 2 are not in order");
  }

  @Test
  void shouldRefuseValuesOutsideOfTheFile() throws IOException {
    Path path = raw("x", 1, 10_000);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 16));
    change(path, node + 8 + 6, 8, 1L << 40);

    requireRefused(path, "page " + root, "a value of 3 pages", "page 1099511627776");
  }

  @Test
  void shouldFindDamageAtTheFirstPageOfALargeValueWhenItIsRead() throws IOException {
    Path path = raw("x", 3, 10_000);
    long second = RawDatabase.snapshot(path).lastPage() - 3;
    for (long page = 2; page <= second + 3; page++) {
      ByteBuffer buffer = pages(path);
      if (buffer.getShort((int) page * PAGE + 10) == 4) {
        change(path, page * PAGE + 12, 4, 77);
        break;
      }
    }

    try (MappedDatabase database = MappedDatabase.open(path)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 3; i++) {
                  byte[] key = "%06d".formatted(i).getBytes(US_ASCII);
                  database.read(reader -> reader.get(key));
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("data.mdb", "a value of 3 pages", "77 pages");
      assertThatThrownBy(database::checkTree).hasMessageContainingAll("data.mdb", "77 pages");
    }
  }

  @Test
  void shouldFindOutThatADatabaseWasDamagedSinceItWasChecked() throws IOException {
    Path path = raw("x", 2000, 30);
    MappedDatabase.open(path).close();
    change(path, root(path) * PAGE + 10, 2, 7);

    requireRefused(path, "corrupt");
  }

  @Test
  void shouldRefuseSeveralValuesOfAKey() throws IOException {
    Path path = RawDatabase.write(folder.resolve("x"), new TreeMap<>(), DbiFlags.MDB_DUPSORT);

    requireRefused(path, "data.mdb", "MDB_DUPSORT", "one value for a key");
  }

  @Test
  void shouldNameADatabaseWithinTheDatabase() throws IOException {
    Path path = RawDatabase.writeNamed(folder.resolve("x"), "train");

    requireRefused(path, "data.mdb", "'train'", "a name of its own");
  }

  @Test
  void shouldAcceptEveryTreeThatLmdbMakes() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      Path path = folder.resolve("random" + seed);
      SortedMap<String, byte[]> expected = RawDatabase.writeAtRandom(path, new Random(seed));

      try (MappedDatabase database = MappedDatabase.open(path)) {
        List<String> keys = new ArrayList<>();
        database.read(
            reader -> {
              reader.forEachKey(key -> keys.add(LmdbLayout.shown(key)));
              return null;
            });
        assertThat(keys).as("seed %d", seed).containsExactlyElementsOf(expected.keySet());
        for (var entry : expected.entrySet()) {
          assertThat(value(database, entry.getKey()))
              .as("seed %d, key %s", seed, entry.getKey())
              .isEqualTo(ByteBuffer.wrap(entry.getValue()));
        }
        assertThat(value(database, "absent")).isNull();
        database.checkTree();
      }
    }
  }

  @Test
  void shouldReadWhatAnotherProcessCommitsThoughTheFileGrows() throws Exception {
    Path path = folder.resolve("x");
    RawDatabase.write(path, new TreeMap<>());
    try (MappedDatabase database = MappedDatabase.open(path)) {
      assertThat(value(database, "a")).isNull();
      for (int i = 0; i < 5; i++) {
        Forked.Result result =
            Forked.run(Forked.java(RawDatabase.Adding.class, path.toString(), "key" + i));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(value(database, "key" + i)).isNotNull();
      }
    }
  }

  private static ByteBuffer value(MappedDatabase database, String key) throws IOException {
    return database.read(reader -> reader.get(key.getBytes(US_ASCII)));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void shouldNeitherCrashNorHangNorGiveAnotherValueForAnyBitThatTurned() throws Exception {
    int flips = Strength.of(3000);
    Forked.Result result =
        Forked.run(Forked.java(TreeFuzzer.class, folder.toString(), Integer.toString(flips), "1"));

    assertThat(result.status()).as(result.output()).isZero();
    assertThat(result.output()).contains(flips + " flips").contains(" 0 wrong");
  }

  /**
   * Turns single bits in the pages of trees, opens the databases and reads all that is in them. A
   * value is wrong where it is not the one that was written, unless that one bit of it has turned:
   * LMDB has no checksum for that, nor for the length of a large value within its pages, of which
   * it may have more than it needs.
   *
   * <p>Run in a JVM of its own: {@code DIRECTORY FLIPS SEED}.
   */
  static final class TreeFuzzer {

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
}
