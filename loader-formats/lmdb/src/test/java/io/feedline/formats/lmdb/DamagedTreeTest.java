package io.feedline.formats.lmdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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

  /** The page of the root, by the newest meta page. */
  private static long root(Path database) throws IOException {
    return RawDatabase.snapshot(database).root();
  }

  @Test
  void shouldNameThePageThatIsCorrupt() throws IOException {
    Path path = raw("x", 2000, 30);
    long root = root(path);
    change(path, root * PAGE + 14, 2, 0xFFFF);

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "page " + root, "a branch", "free space");
  }

  @Test
  void shouldRefuseATreeThatLeadsBackToItself() throws IOException {
    Path path = raw("x", 2000, 30);
    long root = root(path);
    byte[] data = Files.readAllBytes(path.resolve("data.mdb"));
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 18));
    change(path, node, 4, root);

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("page " + root, "twice");
  }

  @Test
  void shouldRefuseAPageWhoseKeysAreNotInOrder() throws IOException {
    Path path = raw("x", 3, 30);
    long root = root(path);
    byte[] data = Files.readAllBytes(path.resolve("data.mdb"));
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
    int pointers = (int) root * PAGE + 16;
    change(path, pointers + 2, 2, buffer.getShort(pointers + 4));
    change(path, pointers + 4, 2, buffer.getShort(pointers + 2));

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("page " + root, "the keys 1 and 2 are not in order");
  }

  @Test
  void shouldRefuseValuesOutsideOfTheFile() throws IOException {
    Path path = raw("x", 1, 10_000);
    long root = root(path);
    byte[] data = Files.readAllBytes(path.resolve("data.mdb"));
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 16));
    change(path, node + 8 + 6, 8, 1L << 40);

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("page " + root, "a value of 3 pages", "page 1099511627776");
  }

  @Test
  void shouldFindDamageAtTheFirstPageOfALargeValueWhenItIsRead() throws IOException {
    Path path = raw("x", 3, 10_000);
    long second = RawDatabase.snapshot(path).lastPage() - 3;
    for (long page = 2; page <= second + 3; page++) {
      byte[] data = Files.readAllBytes(path.resolve("data.mdb"));
      ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
      if (buffer.getShort((int) page * PAGE + 10) == 4) {
        change(path, page * PAGE + 12, 4, 77);
        break;
      }
    }

    SharedDatabase database = SharedDatabase.open(path);
    try (SharedDatabase.Reader reader = database.reader()) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 3; i++) {
                  reader.get("%06d".formatted(i).getBytes(US_ASCII));
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("data.mdb", "a value of 3 pages", "77 pages");
      assertThatThrownBy(database::checkTree).hasMessageContainingAll("data.mdb", "77 pages");
    } finally {
      database.close();
    }
  }

  @Test
  void shouldFindOutThatADatabaseWasDamagedSinceItWasChecked() throws IOException {
    Path path = raw("x", 2000, 30);
    SharedDatabase.open(path).close();
    change(path, root(path) * PAGE + 10, 2, 7);

    assertThatThrownBy(() -> SharedDatabase.open(path)).hasMessageContaining("corrupt");
  }

  @Test
  void shouldRefuseSeveralValuesOfAKey() throws IOException {
    Path path = RawDatabase.write(folder.resolve("x"), new TreeMap<>(), DbiFlags.MDB_DUPSORT);

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "MDB_DUPSORT", "one value for a key");
  }

  @Test
  void shouldNameADatabaseWithinTheDatabase() throws IOException {
    Path path = RawDatabase.writeNamed(folder.resolve("x"), "train");

    assertThatThrownBy(() -> SharedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "'train'", "a name of its own");
  }

  @Test
  void shouldAcceptEveryTreeThatLmdbMakes() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      Path path = folder.resolve("random" + seed);
      SortedMap<String, byte[]> expected = RawDatabase.writeAtRandom(path, new Random(seed));

      SharedDatabase database = SharedDatabase.open(path);
      try (SharedDatabase.Reader reader = database.reader()) {
        List<String> keys = new ArrayList<>();
        reader.forEachKey(key -> keys.add(LmdbLayout.shown(key)));
        assertThat(keys).as("seed %d", seed).containsExactlyElementsOf(expected.keySet());
        for (var entry : expected.entrySet()) {
          assertThat(reader.get(entry.getKey().getBytes(US_ASCII)))
              .as("seed %d, key %s", seed, entry.getKey())
              .isEqualTo(ByteBuffer.wrap(entry.getValue()));
        }
        assertThat(reader.get("absent".getBytes(US_ASCII))).isNull();
        database.checkTree();
      } finally {
        database.close();
      }
    }
  }

  @Test
  void shouldReadWhatAnotherTransactionCommits() throws IOException {
    Path path = folder.resolve("x");
    RawDatabase.write(path, new TreeMap<>());
    RawDatabase.reserve(path, 1 << 20);
    SharedDatabase database = SharedDatabase.open(path);
    try {
      try (SharedDatabase.Reader reader = database.reader()) {
        assertThat(reader.get("a".getBytes(US_ASCII))).isNull();
      }
      for (int i = 0; i < 5; i++) {
        Forked.Result result =
            Forked.run(Forked.java(RawDatabase.Adding.class, path.toString(), "key" + i));
        assertThat(result.status()).as(result.output()).isZero();
        try (SharedDatabase.Reader reader = database.reader()) {
          assertThat(reader.get(("key" + i).getBytes(US_ASCII))).isNotNull();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      database.close();
    }
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
}
