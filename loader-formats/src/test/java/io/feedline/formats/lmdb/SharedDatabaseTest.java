package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedDatabaseTest {

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void write() throws IOException {
    path = Databases.ofPictures(folder.resolve("x.lmdb"));
  }

  @AfterEach
  void shouldLeaveNothingOpen() {
    assertThat(SharedDatabase.openCount()).isZero();
  }

  @Test
  void shouldOpenAFileOnceForAllWhoReadIt() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);
    try (LmdbImages first = LmdbImages.of(path)) {
      try (LmdbImages second = LmdbImages.of(link)) {
        assertThat(SharedDatabase.openCount()).isEqualTo(1);
        assertThat(second.encoded(1).bytes()).isEqualTo(first.encoded(1).bytes());
      }
      assertThat(first.encoded(2).label()).as("still open").isZero();
    }
  }

  @Test
  void shouldRefuseToReadAfterClosing() throws IOException {
    LmdbImages first = LmdbImages.of(path);
    LmdbImages second = LmdbImages.of(path);
    first.close();
    first.close();

    assertThatThrownBy(() -> first.encoded(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("x.lmdb");
    assertThat(second.encoded(0).key()).isEqualTo("folder/0");
    second.close();
    assertThatThrownBy(() -> second.encoded(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldStayMappedUntilTheLastReadIsOver() throws IOException {
    SharedDatabase database = SharedDatabase.open(path);
    try (SharedDatabase.Reader reader = database.reader()) {
      ByteBuffer value = reader.get(0);
      database.close();

      assertThat(value.get(4)).as("the length of the key folder/0").isEqualTo((byte) 8);
      assertThatThrownBy(database::reader).isInstanceOf(IllegalStateException.class);
      assertThat(SharedDatabase.openCount()).isEqualTo(1);
    }
    assertThat(SharedDatabase.openCount()).isZero();
  }

  @Test
  void shouldLetOthersJoinWhileTheLastReadIsUnderWay() throws IOException {
    SharedDatabase database = SharedDatabase.open(path);
    SharedDatabase.Reader reader = database.reader();
    database.close();

    SharedDatabase again = SharedDatabase.open(path);
    reader.close();

    assertThat(again).isSameAs(database);
    try (SharedDatabase.Reader another = again.reader()) {
      assertThat(another.get(2)).isNotNull();
    }
    again.close();
  }

  @Test
  void shouldNotCrashWhereReadersAndClosersMeet() throws Exception {
    int readers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try {
      for (int round = 0; round < 100; round++) {
        LmdbImages images = LmdbImages.of(path);
        AtomicBoolean refused = new AtomicBoolean();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < readers - 1; i++) {
          work.add(
              () -> {
                try {
                  while (!refused.get()) {
                    assertThat(images.encoded(1).label()).isEqualTo(1);
                  }
                } catch (IllegalStateException closed) {
                  refused.set(true);
                }
                return null;
              });
        }
        work.add(
            () -> {
              images.encoded(0);
              images.close();
              return null;
            });
        for (Future<Void> each : threads.invokeAll(work)) {
          each.get();
        }
        assertThat(SharedDatabase.openCount()).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldNotUseUpReadersByThreadsThatEnd() throws Exception {
    // LMDB has places for 126 readers by default, and for 1022 here.
    try (LmdbImages images = LmdbImages.of(path)) {
      for (int i = 0; i < 2000; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    images.encoded(0);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        AtomicBoolean failed = new AtomicBoolean();
        thread.setUncaughtExceptionHandler((t, e) -> failed.set(true));
        thread.start();
        thread.join();
        assertThat(failed).isFalse();
      }
    }
  }

  @Test
  void shouldOpenWhatReplacedADatabaseThatIsStillOpen() throws IOException {
    try (LmdbImages before = LmdbImages.of(path)) {
      Files.move(path, folder.resolve("old.lmdb"));
      Files.move(Databases.unpack("caffe", folder), path);
      try (LmdbImages after = LmdbImages.of(path)) {
        assertThat(after.layout()).isEqualTo(LmdbLayout.CAFFE);
        assertThat(before.encoded(0).key()).isEqualTo("folder/0");
      }
      assertThat(before.encoded(1).key()).isEqualTo("folder/1");
    }
  }

  @Test
  void shouldRefuseAReplacedFileWhoseLockIsStillInUse() throws IOException {
    Path other = Databases.unpack("caffe", folder);
    try (LmdbImages before = LmdbImages.of(path)) {
      Files.move(
          other.resolve("data.mdb"), path.resolve("data.mdb"), StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(() -> LmdbImages.of(path))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("x.lmdb", "replaced", "close that first");
      assertThat(before.encoded(0).key()).isEqualTo("folder/0");
    }
    try (LmdbImages after = LmdbImages.of(path)) {
      assertThat(after.layout()).isEqualTo(LmdbLayout.CAFFE);
    }
  }

  @Test
  void shouldReadFromAJvmWithoutAnyFlag() throws Exception {
    Forked.Result result = Forked.run(Forked.java(Flagless.class, path.toString()));

    assertThat(result.output()).contains("read 3 images, labels 0 1 0");
    assertThat(result.status()).isZero();
  }

  /** Reads a database, in a JVM that was started with nothing but a class path. */
  static final class Flagless {
    private Flagless() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
      try (LmdbImages images = LmdbImages.of(Path.of(arguments[0]))) {
        StringBuilder labels = new StringBuilder();
        for (long i = 0; i < images.size(); i++) {
          labels.append(' ').append(images.encoded(i).label());
        }
        System.out.println("read " + images.size() + " images, labels" + labels);
      }
    }
  }
}
