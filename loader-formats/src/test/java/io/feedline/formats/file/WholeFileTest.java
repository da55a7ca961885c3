package io.feedline.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path directory;

  @Test
  void shouldReplaceAFileWhole() throws IOException {
    Path file = directory.resolve("list");
    WholeFile.write(file, new byte[] {1, 2, 3});
    WholeFile.write(file, new byte[] {4});

    assertThat(file).hasBinaryContent(new byte[] {4});
    assertThat(names()).containsExactly("list");
  }

  @Test
  void shouldKeepTheOldFileAndNothingElseWhenItFails() throws IOException {
    Path file = directory.resolve("list");
    WholeFile.write(file, new byte[] {1, 2, 3});

    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    channel -> {
                      WholeFile.writeFully(channel, ByteBuffer.wrap(new byte[] {9}));
                      throw new IOException("no more");
                    }))
        .hasMessage("no more");

    assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
    assertThat(names()).containsExactly("list");
  }

  private Stream<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).toList().stream();
    }
  }
}
