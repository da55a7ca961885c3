package io.feedline.formats.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store of images promises, whatever its format. */
public abstract class StoreContract {

  @TempDir private Path directory;
  private Path path;

  /** The format. */
  protected abstract StoreFormat format();

  /**
   * Makes a store of six images or more.
   *
   * @param directory empty
   * @return where it is: a file or directory in there
   */
  protected abstract Path make(Path directory) throws Exception;

  @BeforeEach
  void makeAStore() throws Exception {
    path = make(Files.createDirectories(directory.resolve("here")));
  }

  private ImageStore open() throws IOException {
    return format().open(path, StoreOptions.NONE);
  }

  @Test
  void shouldBeRecognized() throws IOException {
    assertThat(StoreFormat.of(path).name()).isEqualTo(format().name());
  }

  @Test
  void shouldGiveLabelsAsReadingDoes() throws IOException {
    try (ImageStore store = open()) {
      assertThat(store.size()).isGreaterThanOrEqualTo(6);
      for (long i = 0; i < store.size(); i++) {
        assertThat(store.label(i)).isEqualTo(store.read(i).label());
      }
    }
  }

  @Test
  void shouldNameThePlaceOfASample() throws IOException {
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        assertThat(store.path(i)).isRegularFile().isReadable();
        assertThat(store.describe(i)).contains(store.path(i).getFileName().toString());
      }
      assertThat(store.describe(0)).isNotEqualTo(store.describe(1));
      assertThat(store.describe(-1)).isEqualTo("index -1");
      assertThat(store.describe(store.size())).isEqualTo("index " + store.size());
      assertThat(store.name()).contains(store.path().toString());
    }
  }

  @Test
  void shouldHaveNoSampleOutsideItsSize() throws IOException {
    try (ImageStore store = open()) {
      for (long index : new long[] {-1, store.size(), Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> store.read(index)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> store.label(index)).isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void shouldCountTheSamplesOfItsShards() throws IOException {
    try (ImageStore store = open()) {
      assertThat(Arrays.stream(store.shardSizes()).sum()).isEqualTo(store.size());
    }
  }

  @Test
  void shouldHaveTheFingerprintOfACopyElsewhere() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Trees.copy(directory.resolve("here"), elsewhere);
    Path copy = elsewhere.resolve(directory.resolve("here").relativize(path).toString());
    try (ImageStore store = open();
        ImageStore copied = format().open(copy, StoreOptions.NONE)) {
      assertThat(copied.fingerprint()).isEqualTo(store.fingerprint()).isNotBlank();
    }
  }

  @Test
  void shouldBeReadByThreadsAtOnce() throws Exception {
    List<byte[]> alone = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        alone.add(store.read(i).bytes());
      }
      List<Callable<Boolean>> readers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int step = 1 + 2 * thread;
        readers.add(
            () -> {
              for (int i = 0; i < 200; i++) {
                int index = (int) ((long) i * step % store.size());
                EncodedImage image = store.read(index);
                if (!Arrays.equals(image.bytes(), alone.get(index))) {
                  return false;
                }
              }
              return true;
            });
      }
      for (Future<Boolean> each : threads.invokeAll(readers)) {
        assertThat(each.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldSurviveThatOneOfItsReadersIsInterrupted() throws Exception {
    try (ImageStore store = open()) {
      byte[] before = store.read(0).bytes();
      Thread reader =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  store.read(1);
                } catch (IOException | RuntimeException interrupted) {
                  assertThat(interrupted).isNotNull();
                }
              });
      reader.start();
      reader.join();

      assertThat(store.read(0).bytes()).isEqualTo(before);
      assertThat(store.read(1).bytes()).isNotEmpty();
    }
  }

  @Test
  void shouldRefuseToReadOnceItIsClosed() throws IOException {
    ImageStore store = open();
    store.close();
    store.close();

    assertThatThrownBy(() -> store.read(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseOptionsThatItDoesNotHave() {
    StoreOptions options = StoreOptions.NONE.with("color-of-the-sky", "blue");

    assertThatThrownBy(() -> format().open(path, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(format().name(), "color-of-the-sky");
  }

  @Test
  void shouldSayWhatIsMissingWhereNothingLies() {
    Path nothing = directory.resolve("nothing");

    assertThatThrownBy(() -> StoreFormat.of(nothing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nothing.toString());
  }
}
