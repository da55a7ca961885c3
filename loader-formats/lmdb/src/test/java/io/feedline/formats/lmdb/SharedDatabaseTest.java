package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
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
    try (ImageDataset first = LmdbImages.of(path)) {
      try (ImageDataset second = LmdbImages.of(link)) {
        assertThat(SharedDatabase.openCount()).isEqualTo(1);
        assertThat(second.encoded(1).bytes()).isEqualTo(first.encoded(1).bytes());
      }
      assertThat(first.encoded(2).label()).as("still open").isZero();
    }
  }

  @Test
  void shouldRefuseToReadAfterClosing() throws IOException {
    ImageDataset first = LmdbImages.of(path);
    ImageDataset second = LmdbImages.of(path);
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
  void shouldResetATransactionOnceItHasNotBeenUsedForAWhile() throws IOException {
    SharedDatabase database = SharedDatabase.open(path);
    database.reader().close();
    database.releaseIdle();
    assertThat(database.openWhileIdle()).as("used since the last time").isEqualTo(1);

    database.releaseIdle();

    assertThat(database.openWhileIdle()).isZero();
    try (SharedDatabase.Reader reader = database.reader()) {
      assertThat(reader.get(1)).isNotNull();
      database.releaseIdle();
      database.releaseIdle();
      assertThat(reader.get(2)).as("not reset while it is read").isNotNull();
    }
    database.close();
  }

  @Test
  void shouldShowAnImageWhereItLies() throws IOException {
    try (ImageStore store = new LmdbImages().open(path, StoreOptions.NONE)) {
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
  void shouldNotReadAnImageAfterItsViewWasClosed() throws IOException {
    try (ImageStore store = new LmdbImages().open(path, StoreOptions.NONE)) {
      StoredImage image = store.view(0).orElseThrow();
      image.close();
      image.close();
      assertThatThrownBy(image::copy)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("after it was closed");
    }
  }

  @Test
  void shouldKeepAViewToItsThread() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (ImageStore store = new LmdbImages().open(path, StoreOptions.NONE);
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
    ImageStore store = new LmdbImages().open(path, StoreOptions.NONE);
    try (StoredImage image = store.view(0).orElseThrow()) {
      store.close();
      assertThat(image.copy()).isEqualTo(Databases.image(Databases.PICTURES.get(0)));
      assertThatThrownBy(() -> store.view(0)).isInstanceOf(IllegalStateException.class);
      assertThat(SharedDatabase.openCount()).isEqualTo(1);
    }
    assertThat(SharedDatabase.openCount()).isZero();
  }

  @Test
  void shouldNotCrashWhereViewsAndClosersMeet() throws Exception {
    shouldEndWithoutACrash(
        images -> {
          try (StoredImage image = images.view(1).orElseThrow()) {
            assertThat(image.label()).isEqualTo(1);
            assertThat(image.copy()).hasSize(image.length());
          }
        });
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
    shouldEndWithoutACrash(images -> assertThat(images.read(1).label()).isEqualTo(1));
  }

  /** An action of readers while another one closes. */
  private interface Use {
    void of(ImageStore images) throws IOException;
  }

  private void shouldEndWithoutACrash(Use use) throws Exception {
    int readers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    try {
      for (int round = 0; round < 100; round++) {
        ImageStore images = new LmdbImages().open(path, StoreOptions.NONE);
        AtomicBoolean refused = new AtomicBoolean();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < readers - 1; i++) {
          work.add(
              () -> {
                try {
                  while (!refused.get()) {
                    use.of(images);
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
        assertThat(SharedDatabase.openCount()).isZero();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldNotUseUpReadersByThreadsThatEnd() throws Exception {
    // LMDB has places for 126 readers by default, and for 1022 here.
    try (ImageDataset images = LmdbImages.of(path)) {
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
    try (ImageDataset before = LmdbImages.of(path)) {
      Files.move(path, folder.resolve("old.lmdb"));
      Files.move(Databases.unpack("caffe", folder), path);
      try (ImageDataset after = LmdbImages.of(path)) {
        assertThat(LmdbLayout.detect(after.path())).isEqualTo(LmdbLayout.CAFFE);
        assertThat(before.encoded(0).key()).isEqualTo("folder/0");
      }
      assertThat(before.encoded(1).key()).isEqualTo("folder/1");
    }
  }

  @Test
  void shouldRefuseAReplacedFileWhoseLockIsStillInUse() throws IOException {
    Path other = Databases.unpack("caffe", folder);
    try (ImageDataset before = LmdbImages.of(path)) {
      Files.move(
          other.resolve("data.mdb"), path.resolve("data.mdb"), StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(() -> LmdbImages.of(path))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("x.lmdb", "replaced", "close that first");
      assertThat(before.encoded(0).key()).isEqualTo("folder/0");
    }
    try (ImageDataset after = LmdbImages.of(path)) {
      assertThat(LmdbLayout.detect(after.path())).isEqualTo(LmdbLayout.CAFFE);
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
      try (ImageDataset images = LmdbImages.of(Path.of(arguments[0]))) {
        StringBuilder labels = new StringBuilder();
        for (long i = 0; i < images.size(); i++) {
          labels.append(' ').append(images.encoded(i).label());
        }
        System.out.println("read " + images.size() + " images, labels" + labels);
      }
    }
  }
}
