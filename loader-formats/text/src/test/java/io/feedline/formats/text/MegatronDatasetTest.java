package io.feedline.formats.text;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.Strength;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MegatronDatasetTest {

  private static final String GPT2 = "gpt2_text_document";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {GPT2, "modes_text_document"})
  void shouldReadWhatMegatronWrites(String name) throws Exception {
    List<String> expected = Fixtures.lines(name + ".txt");
    Path index = Fixtures.path(name + ".idx");
    for (Path path :
        List.of(index, index.resolveSibling(name), index.resolveSibling(name + ".bin"))) {
      try (MegatronDataset tokens = MegatronDataset.of(path)) {
        assertThat(tokens.size()).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
          assertThat(tokens.get(i).ids()).isEqualTo(Fixtures.ids(expected.get(i)));
        }
        assertThat(tokens.lengths()).containsExactly(5, 1, 7, 3, 12, 1, 9);
        assertThat(tokens.documents()).containsExactly(0, 2, 3, 3, 6, 7);
        assertThat(tokens.type())
            .isEqualTo(name.equals(GPT2) ? TokenFile.Type.UINT16 : TokenFile.Type.INT32);
      }
    }
  }

  @Test
  void shouldDescribeItself() throws Exception {
    try (MegatronDataset tokens = MegatronDataset.of(Fixtures.path(GPT2 + ".idx"));
        MegatronDataset same = MegatronDataset.of(Fixtures.path(GPT2 + ".idx"));
        MegatronDataset other = MegatronDataset.of(Fixtures.path("modes_text_document.idx"))) {
      assertThat(tokens)
          .hasToString("MegatronDataset(gpt2_text_document.bin), 7 sequences of UINT16 tokens");
      assertThat(tokens.describe(3)).endsWith("gpt2_text_document.bin, sequence 3");
      assertThat(tokens.fingerprint())
          .isEqualTo(same.fingerprint())
          .isNotEqualTo(other.fingerprint());
    }
  }

  private Path changed(Consumer<ByteBuffer> change) throws IOException {
    ByteBuffer index =
        ByteBuffer.wrap(Files.readAllBytes(Fixtures.path(GPT2 + ".idx")))
            .order(ByteOrder.LITTLE_ENDIAN);
    change.accept(index);
    Files.write(directory.resolve("changed.bin"), Files.readAllBytes(Fixtures.path(GPT2 + ".bin")));
    return Files.write(directory.resolve("changed.idx"), index.array());
  }

  private void shouldRefuse(String words, Consumer<ByteBuffer> change) throws IOException {
    Path index = changed(change);
    assertThrown(IOException.class, () -> MegatronDataset.of(index), index.toString(), words);
  }

  @Test
  void shouldRefuseIndexesThatLie() throws Exception {
    shouldRefuse("does not begin with MMIDIDX", index -> index.put(3, (byte) 'X'));
    shouldRefuse("version 2", index -> index.putLong(9, 2));
    shouldRefuse("float32", index -> index.put(17, (byte) 7));
    shouldRefuse("unknown, code 0", index -> index.put(17, (byte) 0));
    shouldRefuse("do not take", index -> index.putLong(18, 8));
    shouldRefuse("do not take", index -> index.putLong(18, 1L << 40));
    shouldRefuse("do not take", index -> index.putLong(26, Long.MAX_VALUE));
    shouldRefuse("sequence 0 has -1 tokens", index -> index.putInt(34, -1));
    shouldRefuse("sequence 6 has 2147483647", index -> index.putInt(34 + 24, Integer.MAX_VALUE));
    shouldRefuse("byte offset -8", index -> index.putLong(34 + 28, -8));
    shouldRefuse("sequence 1", index -> index.putLong(34 + 36, 1 << 20));
    shouldRefuse("document 1 begins with sequence 9", index -> index.putLong(34 + 84 + 8, 9));
    shouldRefuse("document 2 begins with sequence 0", index -> index.putLong(34 + 84 + 16, 0));
  }

  @Test
  void shouldNameTheFileThatIsMissing() throws Exception {
    Path index = changed(all -> {});
    Files.delete(directory.resolve("changed.bin"));
    assertThrown(IOException.class, () -> MegatronDataset.of(index), "changed.bin");
    assertThrown(
        IOException.class, () -> MegatronDataset.of(directory.resolve("none")), "none.idx");
  }

  @Test
  void shouldEndTenThousandMutantsInSamplesOrErrors() throws Exception {
    byte[] sound = Files.readAllBytes(Fixtures.path(GPT2 + ".idx"));
    Random random = new Random(9);
    int refused = 0;
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Files.copy(Fixtures.path(GPT2 + ".bin"), memory.getPath("/m.bin"));
      for (int round = 0; round < Strength.of(10_000); round++) {
        Files.write(memory.getPath("/m.idx"), Fixtures.mutant(sound, random));
        try (MegatronDataset tokens = MegatronDataset.of(memory.getPath("/m"))) {
          for (long i = 0; i < tokens.size(); i++) {
            assertThat(tokens.get(i).size()).isEqualTo(tokens.lengths()[(int) i]);
          }
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("/m.");
          refused++;
        }
      }
    }
    assertThat(refused).isBetween(1, Strength.of(10_000));
  }
}
