package io.feedline.formats.lmdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.StoreException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

class MappedDatabaseTest {

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() throws IOException {
    path = Databases.ofPictures(folder.resolve("x.lmdb"));
  }

  @Test
  void shouldShowAnImageWhereItLies() throws IOException {
    try (ImageStore store = new LmdbFormat().open(path, StoreOptions.NONE)) {
      byte[] expected = Databases.image(Databases.PICTURES.get(1));
      byte[] part = new byte[9];
      try (StoredImage image = store.view(1).orElseThrow()) {
        assertThat(image.label()).isEqualTo(1);
        assertThat(image.length()).isEqualTo(expected.length);
        image.read(5, part, 2, 6);
        assertThat(image.copy()).isEqualTo(expected);
        assertThatThrownBy(() -> image.read(expected.length - 3, part, 0, 4))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> image.read(-1, part, 0, 1))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThat(Arrays.copyOfRange(part, 2, 8)).isEqualTo(Arrays.copyOfRange(expected, 5, 11));
    }
  }

  @Test
  void shouldKeepAViewToItsThread() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (ImageStore store = new LmdbFormat().open(path, StoreOptions.NONE);
        StoredImage image = store.view(0).orElseThrow()) {
      assertThatThrownBy(() -> other.submit(image::copy).get())
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("belongs to '" + Thread.currentThread().getName() + "'");
      assertThatThrownBy(() -> other.submit(image::close).get())
          .hasCauseInstanceOf(IllegalStateException.class);
      assertThat(image.copy()).isNotEmpty();
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void shouldKeepAViewReadableWhileItsStoreIsClosed() throws IOException {
    ImageStore store = new LmdbFormat().open(path, StoreOptions.NONE);
    try (StoredImage image = store.view(0).orElseThrow()) {
      store.close();
      assertThat(image.copy()).isEqualTo(Databases.image(Databases.PICTURES.get(0)));
      assertThatThrownBy(() -> store.view(0)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldNotCrashWhereReadersAndClosersMeet() throws Exception {
    int readers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try {
      for (int round = 0; round < 100; round++) {
        ImageStore images = new LmdbFormat().open(path, StoreOptions.NONE);
        AtomicBoolean refused = new AtomicBoolean();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < readers - 1; i++) {
          work.add(
              () -> {
                try {
                  while (!refused.get()) {
                    assertThat(images.read(1).label()).isEqualTo(1);
                    try (StoredImage image = images.view(1).orElseThrow()) {
                      assertThat(image.label()).isEqualTo(1);
                      assertThat(image.copy()).hasSize(image.length());
                    }
                  }
                } catch (IllegalStateException closed) {
                  refused.set(true);
                }
                return null;
              });
        }
        work.add(
            () -> {
              images.read(0);
              images.close();
              return null;
            });
        for (Future<Void> each : threads.invokeAll(work)) {
          each.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldOpenWhatReplacedADatabaseThatIsStillOpen() throws IOException {
    try (ImageDataset before = LmdbDataset.images(path)) {
      Files.move(path, folder.resolve("old.lmdb"));
      Files.move(Databases.unpack("caffe", folder), path);
      try (ImageDataset after = LmdbDataset.images(path)) {
        assertThat(LmdbLayout.detect(after.path())).isEqualTo(LmdbLayout.CAFFE);
        assertThat(before.encoded(0).key()).isEqualTo("folder/0");
      }
      assertThat(before.encoded(1).key()).isEqualTo("folder/1");
    }
  }

  @Test
  void shouldLeaveNothingBesideTheDatabase() throws IOException {
    try (ImageDataset images = LmdbDataset.images(path)) {
      assertThat(images.encoded(1).label()).isEqualTo(1);
      assertThat(path.toFile().list()).containsExactly("data.mdb");
    }
  }

  /** All values of a state are the number of its round, and so is their length. */
  @Test
  void shouldGiveValuesOfOneStateWhileAnotherProcessCommits() throws Exception {
    Path changing = folder.resolve("changing.lmdb");
    Rewriting.write(changing, 0, 1);
    Process writer =
        new ProcessBuilder(Forked.java(Rewriting.class, changing.toString()))
            .redirectErrorStream(true)
            .start();
    try (MappedDatabase database = MappedDatabase.open(changing)) {
      int last = 0;
      while (writer.isAlive() || last < Rewriting.ROUNDS) {
        List<Integer> rounds = database.read(Rewriting::rounds);
        assertThat(rounds).hasSize(Rewriting.KEYS).containsOnly(rounds.get(0));
        assertThat(rounds.get(0)).isGreaterThanOrEqualTo(last);
        last = rounds.get(0);
      }
      assertThat(last).isEqualTo(Rewriting.ROUNDS);
      String output = new String(writer.getInputStream().readAllBytes(), UTF_8);
      assertThat(writer.waitFor()).as(output).isZero();
    } finally {
      writer.destroyForcibly();
    }
  }

  @Test
  void shouldRefuseAViewThatAnotherProcessMayHaveOverwritten() throws Exception {
    try (ImageStore store = new LmdbFormat().open(path, StoreOptions.NONE);
        StoredImage image = store.view(0).orElseThrow()) {
      byte[] expected = image.copy();
      addKeys(1);
      assertThat(image.copy()).as("its pages are not used again yet").isEqualTo(expected);

      addKeys(1);

      assertThatThrownBy(image::copy)
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("x.lmdb", "changed by another process", "read it again");
      assertThat(store.read(0).bytes()).isEqualTo(expected);
    }
  }

  private void addKeys(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Forked.Result added =
          Forked.run(
              Forked.java(RawDatabase.Adding.class, path.toString(), "a" + System.nanoTime()));
      assertThat(added.status()).as(added.output()).isZero();
    }
  }

  /** Writes all values of a database anew, in many transactions. */
  static final class Rewriting {
    static final int KEYS = 20;
    static final int ROUNDS = 2000;

    private Rewriting() {}

    static void write(Path database, int from, int to) throws IOException {
      Files.createDirectories(database);
      try (Env<byte[]> env =
          Env.create(ByteArrayProxy.PROXY_BA)
              .setMapSize(64 << 20)
              .open(database.toFile(), EnvFlags.MDB_NOSYNC)) {
        Dbi<byte[]> dbi = env.openDbi((byte[]) null);
        for (int round = from; round < to; round++) {
          try (Txn<byte[]> txn = env.txnWrite()) {
            for (int key = 0; key < KEYS; key++) {
              dbi.put(txn, key(key), value(round));
            }
            txn.commit();
          }
        }
      }
    }

    private static byte[] key(int number) {
      return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** A value of 100 bytes, or with pages of its own. */
    private static byte[] value(int round) {
      byte[] value = new byte[round % 2 == 0 ? 100 : 9000];
      ByteBuffer numbers = ByteBuffer.wrap(value);
      while (numbers.hasRemaining()) {
        numbers.putInt(round);
      }
      return value;
    }

    /** The round of each value; fails where a value has several. */
    static List<Integer> rounds(MappedDatabase.Reader reader) throws IOException {
      List<Integer> rounds = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        ByteBuffer value = reader.get(key);
        int round = value.getInt(0);
        if (!value.equals(ByteBuffer.wrap(value(round)))) {
          throw new IOException("the value of key " + key + " is of several rounds");
        }
        rounds.add(round);
      }
      return rounds;
    }

    public static void main(String[] arguments) throws IOException {
      write(Path.of(arguments[0]), 1, ROUNDS + 1);
    }
  }
}
