package io.feedline.formats.text;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TokenFileTest {

  @TempDir private Path directory;

  private static TokenFile open(TokenFile.Type type, int length, int stride) throws IOException {
    Path file = Fixtures.path(type.name().toLowerCase(Locale.ROOT) + ".bin");
    return TokenFile.of(file, type, length, stride);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadWhatNumpyWrites(TokenFile.Type type) throws Exception {
    String name = type.name().toLowerCase(Locale.ROOT);
    int[] expected = Fixtures.ids(Fixtures.lines(name + ".txt").get(0));
    try (TokenFile tokens = open(type, 50, 50)) {
      assertThat(tokens.get(0).ids()).isEqualTo(expected);
      assertThat(tokens.tokens()).isEqualTo(50);
    }
    try (FileSystem other = Jimfs.newFileSystem(Configuration.unix())) {
      Path copy = Files.copy(Fixtures.path(name + ".bin"), other.getPath("/copy.bin"));
      try (TokenFile tokens = TokenFile.of(copy, type, 50)) {
        assertThat(tokens.get(0).ids()).isEqualTo(expected);
        assertThat(tokens.prefersReadAhead()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"7,7", "7,6", "7,1", "7,20", "1,1", "50,1", "51,1"})
  void shouldCutSequencesByLengthAndStride(int length, int stride) throws Exception {
    int[] all = Fixtures.ids(Fixtures.lines("uint16.txt").get(0));
    try (TokenFile tokens = open(TokenFile.Type.UINT16, length, stride)) {
      int count = 0;
      for (int from = 0; from + length <= 50; from += stride) {
        assertThat(tokens.get(count++).ids())
            .isEqualTo(Arrays.copyOfRange(all, from, from + length));
      }
      assertThat(tokens.size()).isEqualTo(count);
      assertThrown(IndexOutOfBoundsException.class, () -> tokens.get(tokens.size()));
    }
  }

  /** The 2^31st byte lies in a file that takes no room on the disk. */
  @Test
  void shouldReadBehindTwoGibibytes() throws Exception {
    Path file = directory.resolve("large.bin");
    long place = (1L << 32) + 6;
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.seek(place);
      sparse.write(new byte[] {1, 2});
    }
    try (TokenFile tokens = TokenFile.of(file, TokenFile.Type.UINT16, 1)) {
      assertThat(tokens.get(place / 2).ids()).containsExactly(0x201);
    }
  }

  @Test
  void shouldRefuseWhatItCannotRead() throws Exception {
    Path odd = Files.write(directory.resolve("odd.bin"), new byte[7]);
    Path none = directory.resolve("none");
    assertThrown(
        IOException.class,
        () -> TokenFile.of(odd, TokenFile.Type.UINT16, 2),
        "odd.bin",
        "7 bytes",
        "UINT16");
    assertThrown(IOException.class, () -> TokenFile.of(none, TokenFile.Type.UINT8, 1), "none");
    assertRefused(() -> TokenFile.of(odd, TokenFile.Type.UINT8, 0), "was 0");
    assertRefused(() -> TokenFile.of(odd, TokenFile.Type.UINT8, 1, 0), "was 0");
    ByteBuffer large = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putLong(8, 1L << 31);
    Path wide = Files.write(directory.resolve("wide.bin"), large.array());
    try (TokenFile tokens = TokenFile.of(wide, TokenFile.Type.INT64, 3)) {
      assertThrown(
          IOException.class,
          () -> tokens.get(0),
          wide + ": the token at byte offset 8 is 2147483648, which does not fit into 32 bits");
    }
    TokenFile closed = TokenFile.of(odd, TokenFile.Type.UINT8, 2);
    closed.close();
    closed.close();
    assertThrown(IllegalStateException.class, () -> closed.get(0));
  }

  @Test
  void shouldTellFilesAndCutsApart() throws Exception {
    try (TokenFile one = open(TokenFile.Type.UINT16, 5, 5);
        TokenFile other = open(TokenFile.Type.UINT16, 5, 4);
        TokenFile same = open(TokenFile.Type.UINT16, 5, 5)) {
      assertThat(one.fingerprint()).isEqualTo(same.fingerprint()).isNotEqualTo(other.fingerprint());
      assertThat(one).hasToString("TokenFile(uint16.bin), 10 sequences of 5 UINT16 tokens");
      assertThat(other.describe(2)).endsWith("uint16.bin, tokens 8 to 12");
    }
  }
}
