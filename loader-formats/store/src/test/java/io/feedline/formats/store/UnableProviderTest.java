package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading through a provider that gives no channel. */
class UnableProviderTest {

  static Stream<Throwable> failures() {
    return Stream.of(
        new UnsupportedOperationException("no channels"),
        new OutOfMemoryError("Required array size too large"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldNameTheProviderAndAdviseACopy(Throwable failure) throws IOException {
    try (FileSystem unable = new UnableFileSystem(() -> failure);
        OpenFiles files = new OpenFiles(1)) {
      Path path = unable.getPath("/data/x.tar");

      assertThatThrownBy(() -> files.read(path, 0, new byte[1], 0, 1))
          .isInstanceOf(IOException.class)
          .hasCause(failure)
          .hasMessageContainingAll(
              "/data/x.tar", "'unable'", failure.getMessage(), "copy it to a local path");
    }
  }
}
