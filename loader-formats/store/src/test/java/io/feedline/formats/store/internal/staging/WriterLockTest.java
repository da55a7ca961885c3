package io.feedline.formats.store.internal.staging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterLockTest {

  @TempDir private Path directory;

  private int taken;

  /** Another writer ends between the opening of the file and its locking, and a third may begin. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLockTheFileThatHasTheName(boolean replaced) throws IOException {
    Path file = directory.resolve("out.lock");
    WriterLock.Taking taking =
        channel -> {
          if (taken++ == 0) {
            Files.delete(file);
            if (replaced) {
              Files.writeString(file, "another writer");
            }
          }
          return channel.tryLock() != null;
        };
    try (WriterLock lock = WriterLock.open(directory.resolve("out"), file, taking)) {
      assertThat(lock).isNotNull();
      assertThat(taken).isEqualTo(2);
      assertThat(file).content().isNotBlank().isNotEqualTo("another writer");
    }
  }
}
