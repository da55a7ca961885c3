package io.feedline.formats.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
        assertThat(files.openFiles()).isLessThanOrEqualTo(3);
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
  void shouldGoOnForAllOthersWhenReadersAreInterrupted() throws Exception {
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
