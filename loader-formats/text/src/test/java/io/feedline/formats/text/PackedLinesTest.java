package io.feedline.formats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.DataLoader;
import io.feedline.Strength;
import io.feedline.data.IterableDataset;
import io.feedline.data.IterableDatasetContract;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of files that are compressed, or of another file system. */
@Timeout(120)
class PackedLinesTest {

  @TempDir private Path directory;

  @Nested
  @ParameterizedClass
  @ValueSource(strings = {"lines.jsonl.gz", "lines.jsonl.zst"})
  class Packed extends IterableDatasetContract<String> {
    @Parameter String name;

    @Override
    protected IterableDataset<String> dataset() throws IOException {
      return IterableDataset.lines(Fixtures.path(name));
    }

    /** Three members of gzip, two frames of Zstandard with others between them. */
    @Test
    void shouldReadAllThatAFileConsistsOf() throws Exception {
      List<String> expected = Fixtures.lines("lines.jsonl");
      assertThat(read(Fixtures.path(name))).isEqualTo(expected);
      try (FileSystem other = Jimfs.newFileSystem(Configuration.unix())) {
        for (String each : List.of(name, "lines.jsonl")) {
          Path copy = Files.copy(Fixtures.path(each), other.getPath("/" + each));
          assertThat(read(copy)).isEqualTo(expected);
        }
      }
    }

    @Test
    void shouldNameTheFileWhereItIsCutOff() throws Exception {
      byte[] whole = Files.readAllBytes(Fixtures.path(name));
      Path cut = directory.resolve(name);
      for (int length = whole.length - 1; length > whole.length - 60; length -= 7) {
        Files.write(cut, Arrays.copyOf(whole, length));
        assertThat(read(cut)).last().asString().startsWith("! " + cut + ":").contains("failed");
      }
    }
  }

  /** The lines of one file; a failure shows as its message. */
  private static List<String> read(Path file) throws Exception {
    List<String> lines = new ArrayList<>();
    try (SampleStream<String> stream = IterableDataset.lines(file).open(0, 0)) {
      while (true) {
        try {
          PendingSample<String> line = stream.next();
          if (line == null) {
            return lines;
          }
          lines.add(line.get(new SampleContext(0, 0, 0)));
        } catch (IOException e) {
          lines.add("! " + e.getMessage());
        }
      }
    }
  }

  /** Damaged, cut off, or something else, where another member should begin; Python refuses it. */
  @Test
  void shouldNameTheFileWhereALaterMemberIsDamaged() throws Exception {
    byte[] member = gzip("one\ntwo\n");
    byte[] other = member.clone();
    other[0] ^= 1;
    byte[] method = member.clone();
    method[2] = 9;
    for (byte[] second :
        List.of(
            other, method, Arrays.copyOf(member, 5), "<html>".getBytes(StandardCharsets.UTF_8))) {
      Path file = directory.resolve("damaged.jsonl.gz");
      Files.write(file, member);
      Files.write(file, second, StandardOpenOption.APPEND);
      assertThat(read(file))
          .last()
          .asString()
          .startsWith("! " + file + ":")
          .containsAnyOf("member", "cut off");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BZh91AY&SY", "\u00fd7zXZ\0"})
  void shouldNameACompressionThatIsNotRead(String start) throws Exception {
    Path file =
        Files.write(
            directory.resolve("x.jsonl"), (start + "...").getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> read(file))
        .hasMessageContainingAll(file.toString(), "compressed with", "gzip or Zstandard");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void shouldCountTheBytesOfTheFile() throws Exception {
    Path file = Fixtures.path("lines.jsonl.gz");
    try (DataLoader<Integer> loader =
        DataLoader.builder(IterableDataset.lines(file).map(String::length)).numWorkers(1).build()) {
      loader.forEach(batch -> batch.close());
      assertThat(loader.stats().total().bytesRead()).isEqualTo(Files.size(file));
    }
  }

  /** 64 MiB of one line in 64 KiB: what it unpacks to is read, and not kept. */
  @Test
  void shouldNotTakeMemoryForALineThatUnpacksToTooMuch() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < 64; i++) {
        out.write(block);
      }
      out.write("\nlast".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(directory.resolve("bomb.gz"), packed.toByteArray());
    assertThat(read(file))
        .hasSize(2)
        .endsWith("last")
        .element(0)
        .asString()
        .contains(":1", "maxLineBytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines.jsonl", "lines.jsonl.gz", "lines.jsonl.zst"})
  void shouldEndTenThousandMutantsInLinesOrErrors(String name) throws Exception {
    byte[] sound = Files.readAllBytes(Fixtures.path(name));
    Random random = new Random(7);
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path file = memory.getPath("/" + name);
      for (int round = 0; round < Strength.of(10_000); round++) {
        Files.write(file, Fixtures.mutant(sound, random));
        try {
          assertThat(read(file))
              .allMatch(line -> !line.startsWith("! ") || line.contains("/" + name));
        } catch (IOException e) {
          assertThat(e).hasMessageContaining(file.toString());
        }
      }
    }
  }
}
