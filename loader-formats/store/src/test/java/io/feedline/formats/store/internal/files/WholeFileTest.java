package io.feedline.formats.store.internal.files;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir Path root;

  private Iterable<String> names() throws IOException {
    try (var files = Files.list(root)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void shouldReplaceAFileAndLeaveNothingElse() throws Exception {
    Path file = root.resolve("a");

    WholeFile.write(file, new byte[] {1});
    WholeFile.write(file, new byte[] {2, 3});

    assertThat(file).hasBinaryContent(new byte[] {2, 3});
    assertThat(names()).containsExactly("a");
  }

  @Test
  void shouldNameTheFileThatItCannotWriteAndLeaveNothing() throws Exception {
    Path taken = Files.createDirectories(root.resolve("taken/full")).getParent();

    refused(
        IOException.class, () -> WholeFile.write(taken, new byte[1]), taken + " cannot be written");
    assertThatThrownBy(() -> WholeFile.write(root.resolve("none/a"), new byte[1]))
        .hasMessageContaining("none/a cannot be written");
    assertThat(names()).containsExactly("taken");
  }

  @Test
  void shouldKeepTheOldFileAndNothingElseWhenItFails() throws Exception {
    Path file = root.resolve("list");
    WholeFile.write(file, new byte[] {1, 2, 3});

    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    channel -> {
                      WholeFile.writeFully(channel, ByteBuffer.wrap(new byte[] {9}));
                      throw new IOException("no more");
                    }))
        .hasMessageContainingAll(file.toString(), "no more");

    assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
    assertThat(names()).containsExactly("list");
  }
}
