package io.feedline.formats.store.internal.files;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.Together;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.Place;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(name = "{0}")
@EnumSource(value = Place.class, mode = EnumSource.Mode.EXCLUDE, names = "ZIPFS")
class OpenFilesTest {

  @Parameter Place place;
  @TempDir Path scratch;
  private FileSystem fileSystem;
  private Path root;

  @BeforeEach
  void openThePlace() throws Exception {
    fileSystem = place.open(scratch);
    root = place.directory(fileSystem, scratch);
  }

  @AfterEach
  void closeThePlace() throws Exception {
    if (place != Place.DISK) {
      fileSystem.close();
    }
  }

  private Path file(int number) throws Exception {
    return Files.write(root.resolve("f" + number), new byte[] {0, (byte) number, 2});
  }

  private static int second(OpenFiles files, Path file) throws Exception {
    ByteBuffer target = ByteBuffer.allocate(1);
    files.read(file, 1, target);
    return target.get(0);
  }

  @Test
  void shouldHaveABoundedNumberOfFilesOpen() throws Exception {
    try (OpenFiles files = new OpenFiles(3)) {
      for (int i = 0; i < 50; i++) {
        assertThat(second(files, file(i % 10))).isEqualTo(i % 10);
        assertThat(files.openFiles()).isLessThanOrEqualTo(3);
      }
    }
  }

  @Test
  void shouldServeTheReadsOfOneThreadFromTheRangeThatItWasLent() throws Exception {
    Path file = Files.write(root.resolve("lent"), new byte[] {0, 1, 2, 3, 4, 5});
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (OpenFiles files = new OpenFiles(3);
        OpenFiles others = new OpenFiles(3)) {
      Closeable lent = files.openRange(new FileRange(file, 1, 3));
      assertThat(meter.counted()).as("bytes count when they are taken").isFalse();
      Files.write(file, new byte[] {9, 9, 9, 9, 9, 9});
      byte[] bytes = new byte[3];
      files.read(file, 1, bytes, 0, 3);
      assertThat(bytes).containsExactly(1, 2, 3);
      files.read(file, 2, bytes, 1, 2);
      assertThat(bytes).containsExactly(1, 2, 3);
      assertThat(meter.take()).isEqualTo(5);
      // Beyond the range, through other files, by another thread, and afterwards: the file.
      files.read(file, 2, bytes, 0, 3);
      assertThat(bytes).containsOnly(9);
      Arrays.fill(bytes, (byte) 0);
      others.read(file, 1, bytes, 0, 3);
      assertThat(bytes).containsOnly(9);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        assertThat(thread.submit(() -> second(files, file)).get()).isEqualTo(9);
      } finally {
        thread.shutdown();
      }
      assertThat(second(files, file)).isEqualTo(1);
      lent.close();
      assertThat(second(files, file)).isEqualTo(9);
      refused(EOFException.class, () -> files.openRange(new FileRange(file, 4, 3)), "lent");
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldTellHowLargeAFileIsBeforeItIsRead() throws Exception {
    List<Long> expected = new ArrayList<>();
    ReadMeter before = new ReadMeter((LongConsumer) expected::add).enter();
    try (OpenFiles files = new OpenFiles(3)) {
      files.readAll(file(1), 100);
      assertThat(expected).containsExactly(3L);
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldServeManyThreadsWithFewFilesOpen() throws Exception {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      paths.add(file(i));
    }
    try (OpenFiles files = new OpenFiles(2)) {
      Together.inEightThreads(
          first -> {
            for (int i = 0; i < 500; i++) {
              int number = (first + i) % 10;
              assertThat(second(files, paths.get(number))).isEqualTo(number);
            }
            return null;
          });
    }
  }

  @Test
  void shouldReadEachPositionForThreadsOfOneFile() throws Exception {
    byte[] content = new byte[1 << 16];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i >> 8);
    }
    Path path = Files.write(root.resolve("large"), content);
    try (OpenFiles files = new OpenFiles(1)) {
      Together.inEightThreads(
          first -> {
            for (int i = 0; i < 2000; i++) {
              int block = (first * 31 + i * 7) & 0xFF;
              byte[] target = new byte[256];
              files.read(path, block << 8, target, 0, target.length);
              assertThat(target).containsOnly((byte) block);
            }
            return null;
          });
      assertThat(files.openFiles()).isEqualTo(1);
    }
  }

  @Test
  void shouldSayThatTheFileSystemIsClosed() throws Exception {
    assumeTrue(place != Place.DISK, "the default file system cannot be closed");
    Path path = file(1);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThat(second(files, path)).isEqualTo(1);
      fileSystem.close();

      assertThatThrownBy(() -> second(files, path))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(path.toString(), "its file system", "is closed");
      assertThatThrownBy(() -> files.readAll(path, 10))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(path.toString(), "its file system", "is closed");
    }
  }

  @Test
  void shouldNotOpenAFileForAnInterruptedThread() throws Exception {
    Path path = file(1);
    try (OpenFiles files = new OpenFiles(1)) {
      Thread.currentThread().interrupt();

      refused(InterruptedIOException.class, () -> files.readAll(path, 10), path.toString());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(files.readAll(path, 10)).containsExactly(0, 1, 2);
    }
  }

  @Test
  void shouldGoOnForAllOthersWhenReadersAreInterrupted() throws Exception {
    assumeTrue(
        place != Place.WINDOWS && place != Place.MAC_OS,
        "a file channel of Jimfs that is closed interrupts its other readers");
    Path path = file(7);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger interrupted = new AtomicInteger();
    try (OpenFiles files = new OpenFiles(2)) {
      Thread victim =
          new Thread(
              () -> {
                while (!done.get()) {
                  try {
                    assertThat(second(files, path)).isEqualTo(7);
                  } catch (Exception e) {
                    assertThat(e).isInstanceOf(IOException.class);
                    assertThat(Thread.interrupted()).isTrue();
                    interrupted.incrementAndGet();
                  }
                }
              });
      victim.start();
      for (int i = 0; i < 20_000 && (i < 2000 || interrupted.get() < 3); i++) {
        victim.interrupt();
        assertThat(second(files, path)).isEqualTo(7);
      }
      done.set(true);
      victim.join();
      assertThat(files.size(path)).isEqualTo(3);
    }
    assertThat(interrupted).hasPositiveValue();
  }

  @Test
  void shouldFillAPartOfAnArray() throws Exception {
    byte[] target = {9, 9, 9, 9};
    try (OpenFile file = OpenFile.of(file(5))) {
      file.read(1, target, 1, 2);
      assertThat(file.length()).isEqualTo(3);
    }
    assertThat(target).containsExactly(9, 5, 2, 9);
  }

  @Test
  void shouldNameAFileThatIsMissingOrTooShort() throws Exception {
    Path path = file(1);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThatThrownBy(() -> files.read(path, 2, ByteBuffer.allocate(4)))
          .isInstanceOf(EOFException.class)
          .hasMessageContainingAll(
              path.toString(), "ends at byte 3; 4 bytes are expected at offset 2");
      refused(FileNotFoundException.class, () -> files.size(root.resolve("none")), "none");
    }
  }

  @Test
  void shouldReadAFileAnewOnceItIsForgotten() throws Exception {
    Path path = file(1);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThat(second(files, path)).isEqualTo(1);
      Files.delete(path);
      Files.write(path, new byte[] {0, 9});
      files.forget(path);
      assertThat(second(files, path)).isEqualTo(9);
    }
  }

  @Test
  void shouldRefuseToReadOnceItIsClosed() throws Exception {
    Path path = file(1);
    OpenFiles files = new OpenFiles(1);
    files.close();
    files.close();
    assertThatThrownBy(() -> second(files, path)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new OpenFiles(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
