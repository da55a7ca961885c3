package io.feedline.formats.store.internal.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.WriterLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocalStoreDirectoryTest {

  private static final String INDEX = "index.json";

  @TempDir private Path path;
  private StoreDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = StoreDirectory.of(path);
  }

  @Test
  void shouldReplaceAnIndexOnlyIfItIsWhatItWasTakenFor() throws IOException {
    directory.replace(INDEX, bytes("one"), ObjectOutput.ABSENT);
    String one = directory.read(INDEX).version();
    assertThatThrownBy(() -> directory.replace(INDEX, bytes("two"), ObjectOutput.ABSENT))
        .isInstanceOf(ObjectOutput.ConflictException.class)
        .hasMessageContaining(path.resolve(INDEX).toString());
    directory.replace(INDEX, bytes("two"), one);
    assertThatThrownBy(() -> directory.replace(INDEX, bytes("three"), one))
        .isInstanceOf(ObjectOutput.ConflictException.class);

    assertThat(path.resolve(INDEX)).hasContent("two");
    assertThat(directory.others()).containsExactly(INDEX);
  }

  /** The other one has the lock until its input ends. */
  @Test
  void shouldWaitForAnotherProcessThatReplacesTheIndex() throws Exception {
    Process other = holder();
    try {
      assertThat(other.inputReader(UTF_8).readLine()).isEqualTo("held");
      FutureTask<Void> replacing =
          new FutureTask<>(
              () -> {
                directory.replace(INDEX, bytes("mine"), ObjectOutput.ABSENT);
                return null;
              });
      Thread thread = new Thread(replacing, "replaces the index");
      thread.start();
      while (!replacing.isDone() && !waitsForALock(thread)) {
        Thread.onSpinWait();
      }
      other.getOutputStream().close();

      assertThat(replacing.get()).isNull();
      assertThat(other.waitFor()).isZero();
    } finally {
      other.destroyForcibly();
    }
    assertThat(path.resolve(INDEX)).hasContent("mine");
    try (var files = Files.list(path)) {
      assertThat(files).containsExactly(path.resolve(INDEX));
    }
  }

  /** Neither looking at the lock nor another attempt gives it away. */
  @Test
  void shouldExcludeOtherProcessesAsLongAsItIsHeld() throws Exception {
    Path file = path.resolve("." + INDEX + ".lock");
    WriterLock lock = WriterLock.acquire(path, file);
    try (lock) {
      assertThatThrownBy(() -> WriterLock.acquire(path, file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
      Process other = holder();
      other.getOutputStream().close();
      assertThat(new String(other.getInputStream().readAllBytes(), UTF_8))
          .contains("being written by another writer")
          .contains("process " + ProcessHandle.current().pid());
      assertThat(other.waitFor()).isNotZero();
    }
    assertThat(file).doesNotExist();
    Process other = holder();
    other.getOutputStream().close();
    assertThat(other.inputReader(UTF_8).readLine()).isEqualTo("held");
    assertThat(other.waitFor()).isZero();
  }

  private Process holder() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            path.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static boolean waitsForALock(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith("FileChannelImpl")
                    && frame.getMethodName().equals("lock"));
  }

  static final class LockHolder {
    private LockHolder() {}

    public static void main(String... args) throws IOException {
      Path store = Path.of(args[0]);
      WriterLock lock =
          WriterLock.acquire(store.resolve(INDEX), store.resolve("." + INDEX + ".lock"));
      try (lock) {
        System.out.println("held");
        int end = System.in.read();
        assert end < 0 : end;
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
