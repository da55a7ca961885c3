package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
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

  private static ByteBuffer pages(Path database) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(database.resolve("data.mdb")))
        .order(ByteOrder.nativeOrder());
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

    assertThatThrownBy(() -> MappedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "page " + root, "a branch", "free space");
  }

  @Test
  void shouldRefuseATreeThatLeadsBackToItself() throws IOException {
    Path path = raw("x", 2000, 30);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 18));
    change(path, node, 4, root);

    refused(IOException.class, () -> MappedDatabase.open(path), "page " + root, "twice");
  }

  @Test
  void shouldRefuseAPageWhoseKeysAreNotInOrder() throws IOException {
    Path path = raw("x", 3, 30);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int pointers = (int) root * PAGE + 16;
    change(path, pointers + 2, 2, buffer.getShort(pointers + 4));
    change(path, pointers + 4, 2, buffer.getShort(pointers + 2));

    assertThatThrownBy(() -> MappedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("page " + root, "the keys 1 and 2 are not in order");
  }

  @Test
  void shouldRefuseValuesOutsideOfTheFile() throws IOException {
    Path path = raw("x", 1, 10_000);
    long root = root(path);
    ByteBuffer buffer = pages(path);
    int node = (int) root * PAGE + Short.toUnsignedInt(buffer.getShort((int) root * PAGE + 16));
    change(path, node + 8 + 6, 8, 1L << 40);

    assertThatThrownBy(() -> MappedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("page " + root, "a value of 3 pages", "page 1099511627776");
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

    assertThatThrownBy(() -> MappedDatabase.open(path)).hasMessageContaining("corrupt");
  }

  @Test
  void shouldRefuseSeveralValuesOfAKey() throws IOException {
    Path path = RawDatabase.write(folder.resolve("x"), new TreeMap<>(), DbiFlags.MDB_DUPSORT);

    assertThatThrownBy(() -> MappedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "MDB_DUPSORT", "one value for a key");
  }

  @Test
  void shouldNameADatabaseWithinTheDatabase() throws IOException {
    Path path = RawDatabase.writeNamed(folder.resolve("x"), "train");

    assertThatThrownBy(() -> MappedDatabase.open(path))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("data.mdb", "'train'", "a name of its own");
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
}
