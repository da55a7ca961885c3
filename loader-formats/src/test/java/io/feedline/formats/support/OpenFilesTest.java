package io.feedline.formats.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {

  @TempDir Path root;

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
        assertThat(files.open()).isLessThanOrEqualTo(3);
      }
    }
  }

  @Test
  void shouldServeManyThreadsWithFewFilesOpen() throws Exception {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      paths.add(file(i));
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (OpenFiles files = new OpenFiles(2)) {
      List<Future<Boolean>> readers = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int first = thread;
        readers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    int number = (first + i) % 10;
                    assertThat(second(files, paths.get(number))).isEqualTo(number);
                  }
                  return true;
                }));
      }
      for (Future<Boolean> reader : readers) {
        assertThat(reader.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldNotLetAnInterruptedThreadDisturbOthers() throws Exception {
    Path path = file(7);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThat(second(files, path)).isEqualTo(7);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> second(files, path)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();

      assertThat(second(files, path)).isEqualTo(7);
      assertThat(files.size(path)).isEqualTo(3);
    }
  }

  @Test
  void shouldNameAFileThatIsMissingOrTooShort() throws Exception {
    Path path = file(1);
    try (OpenFiles files = new OpenFiles(1)) {
      assertThatThrownBy(() -> files.read(path, 2, ByteBuffer.allocate(4)))
          .isInstanceOf(EOFException.class)
          .hasMessageContainingAll(path.toString(), "3 bytes are missing at offset 3");
      assertThatThrownBy(() -> files.size(root.resolve("none")))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("none");
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
