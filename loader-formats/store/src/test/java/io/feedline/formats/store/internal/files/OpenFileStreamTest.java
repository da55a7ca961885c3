package io.feedline.formats.store.internal.files;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFileStreamTest {

  @TempDir private Path directory;

  private Path file() throws IOException {
    return Files.write(directory.resolve("x"), new byte[] {1, 2, -1, 4, 5});
  }

  @Test
  void shouldReadAFileFromFrontToBack() throws IOException {
    try (InputStream stream = OpenFile.of(file()).stream()) {
      assertThat(stream.read()).isEqualTo(1);
      assertThat(stream.skip(1)).isEqualTo(1);
      assertThat(stream.available()).isEqualTo(3);
      assertThat(stream.read()).isEqualTo(255);
      assertThat(stream.read(new byte[0])).isZero();
      assertThat(stream.readAllBytes()).containsExactly(4, 5);
      assertThat(stream.read()).isEqualTo(-1);
      assertThat(stream.skip(1)).isZero();
    }
  }

  @Test
  void shouldNameAFileThatIsMissingOrBecomesShorter() throws IOException {
    Path absent = directory.resolve("absent");
    refused(FileNotFoundException.class, () -> OpenFile.of(absent).stream(), absent.toString());
    Path file = file();
    try (InputStream stream = OpenFile.of(file).stream()) {
      Files.write(file, new byte[2]);
      refused(EOFException.class, stream::readAllBytes, file + " ends at byte 2");
    }
  }

  @Test
  void shouldCloseTheFileWithTheStream() throws IOException {
    OpenFile file = OpenFile.of(file());
    InputStream stream = file.stream();
    stream.close();
    stream.close();

    assertThat(file.files().openFiles()).isZero();
    assertThatThrownBy(stream::read).isInstanceOf(IllegalStateException.class);
  }
}
