package io.feedline.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {

  private static final int FILES = 20;
  private static final int BYTES = 1000;

  @TempDir private Path directory;

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      byte[] content = new byte[BYTES];
      for (int j = 0; j < BYTES; j++) {
        content[j] = at(i, j);
      }
      files.add(Files.write(directory.resolve("f" + i), content));
    }
    return files;
  }

  private static byte at(int file, int position) {
    return (byte) (file * 31 + position * 7);
  }

  private static void requireRight(OpenFiles files, int file, int position) throws IOException {
    byte[] read = new byte[12];
    files.read(file, position, read, 1, 10);
    assertThat(read[0]).isZero();
    assertThat(read[11]).isZero();
    for (int i = 0; i < 10; i++) {
      assertThat(read[i + 1]).isEqualTo(at(file, position + i));
    }
  }

  @Test
  void shouldKeepNoMoreFilesOpenThanAllowedHoweverManyThreadsRead() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (OpenFiles files = new OpenFiles(files(), 3)) {
      List<Callable<Void>> readers = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int first = thread;
        readers.add(
            () -> {
              for (int i = 0; i < 400; i++) {
                requireRight(files, (first + i * 3) % FILES, i * 2);
                // Those that are being read cannot be closed.
                assertThat(files.openFiles()).isLessThanOrEqualTo(3 + 8);
              }
              return null;
            });
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
      requireRight(files, 0, 0);
      requireRight(files, 1, 0);
      requireRight(files, 2, 0);
      requireRight(files, 3, 0);
      assertThat(files.openFiles()).isLessThanOrEqualTo(3);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldGoOnForAllOthersWhenReadersAreInterrupted() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger interrupted = new AtomicInteger();
    try (OpenFiles files = new OpenFiles(files(), 2)) {
      Thread victim =
          new Thread(
              () -> {
                while (!done.get()) {
                  try {
                    requireRight(files, 0, 5);
                  } catch (IOException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    interrupted.incrementAndGet();
                  }
                }
              });
      victim.start();
      for (int i = 0; i < 20_000 && (i < 2000 || interrupted.get() < 3); i++) {
        victim.interrupt();
        requireRight(files, 0, i % 900);
      }
      done.set(true);
      victim.join();
    }
    assertThat(interrupted).hasPositiveValue();
  }

  @Test
  void shouldSayWhereAFileEnds() throws Exception {
    try (OpenFiles files = new OpenFiles(files(), 2)) {
      assertThatThrownBy(() -> files.read(7, BYTES - 4L, ByteBuffer.allocate(10)))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("f7 ends at byte 1000; 10 bytes are expected at offset 996");
    }
  }

  @Test
  void shouldNameAFileThatIsMissing() throws Exception {
    Path absent = directory.resolve("absent");
    try (OpenFiles files = new OpenFiles(List.of(absent), 2)) {
      assertThatThrownBy(() -> files.length(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(absent.toString())
          .hasMessageContaining("no such file");
    }
  }

  @Test
  void shouldRefuseToReadAfterItWasClosed() throws Exception {
    OpenFiles files = new OpenFiles(files(), 2);
    requireRight(files, 0, 0);
    files.close();
    files.close();

    assertThat(files.openFiles()).isZero();
    assertThatThrownBy(() -> files.length(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("f0 is read after it was closed");
  }

  @Test
  void shouldRefuseToKeepNothingOpen() {
    assertThatThrownBy(() -> new OpenFiles(List.of(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
  }
}
