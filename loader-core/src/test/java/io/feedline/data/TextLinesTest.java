package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static io.feedline.data.StreamOperationsTest.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.Samples;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLinesTest extends IterableDatasetContract<String> {

  @TempDir private Path directory;

  @Override
  protected IterableDataset<String> dataset() throws IOException {
    return IterableDataset.lines(
        file("a.txt", lines(0, 17) + "last, unended"),
        file("empty.txt", ""),
        file("b.txt", "\uFEFF" + lines(17, 40).replace("\n", "\r\n")));
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "line " + i + " \u00e4\u20ac\ud83d\ude00" + "x".repeat(i) + "\n")
        .collect(Collectors.joining());
  }

  private Path file(String name, String text) throws IOException {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private List<String> readText(String text) throws Exception {
    return read(IterableDataset.lines(file("text.txt", text)));
  }

  @Test
  void shouldEndLinesAsTextFilesDo() throws Exception {
    assertThat(readText("")).isEmpty();
    assertThat(readText("\n")).containsExactly("");
    assertThat(readText("a")).containsExactly("a");
    assertThat(readText("a\nb\r\n\nc\r\n\r\nd")).containsExactly("a", "b", "", "c", "", "d");
    assertThat(readText("a\rb\r\r\nc\r")).containsExactly("a\rb\r", "c\r");
    assertThat(readText("\uFEFFa\n\uFEFFb")).containsExactly("a", "\uFEFFb");
    assertThat(readText("\uFEFF")).isEmpty();
    assertThat(readText("\uFFFD is meant\n")).containsExactly("\uFFFD is meant");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "x-UTF-16LE-BOM"})
  void shouldNameUtf16(String charset) throws Exception {
    Path file = file("wide.txt", "a\nb\n".getBytes(charset));
    assertThatThrownBy(() -> read(IterableDataset.lines(file)))
        .hasMessageContainingAll(file.toString(), "UTF-16", "iconv");
  }

  @Test
  void shouldReadLinesThatCrossTheBlocksThatAreRead() throws Exception {
    for (int length : new int[] {65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 1 << 20}) {
      List<String> lines = List.of("x".repeat(length), "", "\u00e4".repeat(length), "end");
      assertThat(readText(String.join("\n", lines))).isEqualTo(lines);
      assertThat(readText(String.join("\r\n", lines))).isEqualTo(lines);
    }
  }

  @Test
  void shouldNameFileLineAndOffsetOfMalformedBytes() throws Exception {
    Path file =
        file(
            "bad.txt",
            "good\nba\u00ff\u00fed\ngood\ncut \u00c3".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(read(IterableDataset.lines(file)))
        .containsExactly(
            "good",
            "! " + file + ":2: not UTF-8 at byte offset 7 of the file, found 0xff",
            "good",
            "! " + file + ":4: not UTF-8 at byte offset 20 of the file, found 0xc3");

    List<String> story;
    try (DataLoader<Integer> loader =
        DataLoader.builder(IterableDataset.lines(file).map(String::length)).numWorkers(1).build()) {
      story =
          Samples.story(
              loader,
              batch -> "" + batch.tensor("data").toLongArray()[0],
              e -> {
                assertThat(e.dataset()).isEqualTo("lines(" + file + ")");
                assertThat(e).hasCauseInstanceOf(IOException.class);
                return e.stage() + " " + e.description();
              });
    }
    assertThat(story)
        .containsExactly(
            "4",
            "reading position 1 of the stream, " + file + ":2",
            "4",
            "reading position 3 of the stream, " + file + ":4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void shouldNameTheOptionWhereALineIsTooLong(String end) throws Exception {
    Path file = file("long.txt", String.join(end, "12345", "123456", "1234", "1234567"));
    String tooLong =
        "! %s:%d: the line at byte offset %d is longer than 5 bytes, which maxLineBytes allows; raise it in IterableDataset.lines(files, maxLineBytes) if the line is meant to be";
    assertThat(read(IterableDataset.lines(List.of(file), 5)))
        .containsExactly(
            "12345",
            tooLong.formatted(file, 2, 5 + end.length()),
            "1234",
            tooLong.formatted(file, 4, Files.size(file) - 7));
  }

  /** Reading all of the line would take hours. */
  @Test
  void shouldNoticeALineThatIsTooLongAtTheLimitAndHearAnInterruptBehindIt() throws Exception {
    Path file = directory.resolve("endless.txt");
    try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.write("first\n".getBytes(StandardCharsets.UTF_8));
      hole.setLength(1L << 40);
    }
    try (SampleStream<String> stream = IterableDataset.lines(file).open(0, 0)) {
      assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo("first");
      assertThatThrownBy(stream::next).hasMessageContaining("maxLineBytes");
      Thread.currentThread().interrupt();
      assertThrown(InterruptedException.class, stream::next);
    }
    try (SampleStream<String> stream = IterableDataset.lines(file).open(0, 0)) {
      Thread.currentThread().interrupt();
      assertThrown(InterruptedException.class, () -> stream.skip(10));
    }
  }

  @Test
  void shouldContinueBehindALineThatWasTooLong() throws Exception {
    Path file = file("long.txt", "a\n" + "x".repeat(200_000) + "\nb\nc");
    IterableDataset<String> lines = IterableDataset.lines(List.of(file), 5);
    try (SampleStream<String> stream = lines.open(0, 0);
        SampleStream<String> other = lines.open(0, 0)) {
      stream.next();
      assertThatThrownBy(stream::next).hasMessageContaining(file + ":2");
      other.goTo(2, stream.mark());
      assertThat(other.next().get(new SampleContext(0, 0, 2))).isEqualTo("b");
      assertThat(other.mark()).hasSize(1);
    }
  }

  /** Reading what lies before the place would take hours. */
  @Test
  void shouldGoToAPlaceWithoutReadingWhatLiesBefore() throws Exception {
    long place = 1L << 40;
    Path file = directory.resolve("sparse.txt");
    try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.seek(place - 1);
      hole.write("\nhere\nand here".getBytes(StandardCharsets.UTF_8));
    }
    try (SampleStream<String> stream = IterableDataset.lines(file).open(0, 0)) {
      stream.goTo(7, List.of(place));
      assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo("here");
      assertThat(stream.mark()).containsExactly(place + 5);
      assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo("and here");
      assertThat(stream.next()).isNull();
    }
  }

  @Test
  void shouldRefuseAPlaceInAFileThatHasChanged() throws Exception {
    Path file = file("changed.txt", "0123\n5678\n");
    IterableDataset<String> lines = IterableDataset.lines(file);
    try (SampleStream<String> stream = lines.open(0, 0);
        SampleStream<String> other = lines.open(0, 0)) {
      assertThrown(
          IOException.class,
          () -> stream.goTo(1, List.of(4L)),
          file + ": no line begins at byte 4, where line 2 began: the file has been changed");
      assertThrown(
          EOFException.class,
          () -> other.goTo(5, List.of(11L)),
          file + " ends before byte 11, where line 6 began: the file has been cut off");
    }
  }

  @Test
  void shouldRefuseWhatItCannotRead() throws Exception {
    Path file = file("text.txt", "text\n");
    assertRefused(() -> IterableDataset.lines(), "one file or more");
    assertRefused(() -> IterableDataset.lines(List.of(file), 0), "maxLineBytes", "was 0");
    Path none = directory.resolve("none.txt");
    assertThrown(NoSuchFileException.class, () -> IterableDataset.lines(file, none), "none.txt");
    assertThrown(
        IOException.class,
        () -> IterableDataset.lines(directory),
        directory.toString(),
        "not a regular file",
        "once");
    assertPacked("gzip", 0x1f, 0x8b, 8, 0, 10, 10);
    assertPacked("Zstandard", 0x28, 0xb5, 0x2f, 0xfd, 10);
  }

  private void assertPacked(String compression, int... start) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(start.length);
    Arrays.stream(start).forEach(each -> bytes.put((byte) each));
    IterableDataset<String> packed = IterableDataset.lines(file("packed", bytes.array()));
    assertThrown(
        IOException.class,
        () -> packed.open(0, 0),
        "packed",
        compression,
        "io.feedline:loader-text");
  }

  /** A line without an end may be passed over for long. */
  @Test
  void shouldGoOnWithALineThatIsTooLongWhereAnInterruptHasStoppedIt() throws Exception {
    Path file = directory.resolve("long.txt");
    Files.writeString(file, "one\n" + "x".repeat(1 << 20) + "\ntwo\n");
    try (SampleStream<String> stream = IterableDataset.lines(List.of(file), 10).open(0, 0)) {
      assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo("one");
      assertThrown(IOException.class, stream::next, ":2:");
      for (int i = 0; i < 3; i++) {
        Thread.currentThread().interrupt();
        assertThrown(InterruptedException.class, stream::next);
      }
      assertThat(stream.next().get(new SampleContext(0, 0, 2))).isEqualTo("two");
    }
  }

  @Test
  void shouldTellFilesApartByNameAndSize() throws Exception {
    Set<String> fingerprints = new HashSet<>();
    for (String name : List.of("a.txt", "bc.txt", "b.txt")) {
      fingerprints.add(IterableDataset.lines(file(name, "1\n")).fingerprint());
    }
    fingerprints.add(IterableDataset.lines(file("a.txt", "1\n2\n")).fingerprint());
    assertThat(fingerprints).hasSize(4);
  }
}
