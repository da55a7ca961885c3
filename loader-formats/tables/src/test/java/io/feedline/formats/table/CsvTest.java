package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows, fields and numbers of CSV files at their edges. */
@Timeout(60)
class CsvTest {

  private static final SampleContext CONTEXT = new SampleContext(0, 0, 0);

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("t.csv"), text);
  }

  private static TableDataset<Map<String, Object>> open(Path file) throws IOException {
    return TableDataset.builder(file).build();
  }

  /** All fields, row by row. */
  private static List<List<Object>> rows(Path file) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (TableDataset<Map<String, Object>> table = open(file)) {
      for (long row = 0; row < table.size(); row++) {
        rows.add(List.copyOf(table.get(row).values()));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n", "\r", "\n\n\r\n"})
  void shouldEndTheLastRowAtTheEndOfTheFile(String end) throws Exception {
    assertThat(rows(file("a,b\n1,2\n3," + end)))
        .containsExactly(List.of("1", "2"), List.of("3", ""));
    assertThat(rows(file("a,b\n\"1\",\"2\"" + end))).containsExactly(List.of("1", "2"));
  }

  @Test
  void shouldLeaveOutTheMarkOfUtf8() throws Exception {
    try (TableDataset<Map<String, Object>> table = open(file("\uFEFFa,b\n\uFEFF1,2\n"))) {
      assertThat(table.get(0)).containsOnlyKeys("a", "b").containsEntry("a", "\uFEFF1");
    }
  }

  /** Reading all of the row would take hours. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\""})
  void shouldNoticeARowThatIsTooLongAtTheLimitAndHearAnInterruptBehindIt(String quote)
      throws Exception {
    Path file = file("a\n1\n" + quote);
    try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.setLength(1L << 40);
    }
    try (SampleStream<Map<String, Object>> stream = stream(file).open(0, 0)) {
      assertThat(stream.next().get(CONTEXT)).containsEntry("a", "1");
      PendingSample<Map<String, Object>> tooLong = stream.next();
      assertThatThrownBy(() -> tooLong.get(CONTEXT)).hasMessageContaining("line 3: more than");
      Thread.currentThread().interrupt();
      assertThatThrownBy(stream::next).isInstanceOf(InterruptedException.class);
    }
  }

  /** The rest of the row has line breaks, which a stream and random access see alike. */
  @Test
  void shouldContinueBehindARowThatWasTooLong() throws Exception {
    String line = "x".repeat(999) + "\n";
    Path file = file("a\n" + "1\n".repeat(1000) + '"' + line.repeat(20_000) + "2\n3\n");
    try (TableDataset<Map<String, Object>> table = open(file);
        SampleStream<Map<String, Object>> stream = stream(file).open(0, 0)) {
      List<Long> mark = List.of();
      for (long row = 0; row < table.size(); row++) {
        if (row == 1001) {
          mark = stream.mark();
        }
        PendingSample<Map<String, Object>> next = stream.next();
        long number = row;
        if (row == 1000) {
          assertThatThrownBy(() -> next.get(CONTEXT)).hasMessageContaining("more than 16777216");
          assertThatThrownBy(() -> table.get(number)).hasMessageContaining("more than 16777216");
        } else {
          assertThat(next.get(CONTEXT)).isEqualTo(table.get(row));
        }
      }
      assertThat(stream.next()).isNull();
      assertThat(table.get(table.size() - 1)).containsEntry("a", "3");
      try (SampleStream<Map<String, Object>> resumed = stream(file).open(0, 0)) {
        resumed.goTo(1001, mark);
        assertThat(resumed.next().get(CONTEXT)).isEqualTo(table.get(1001));
      }
    }
  }

  private static IterableDataset<Map<String, Object>> stream(Path file) throws IOException {
    return TableDataset.builder(file).stream();
  }

  /** Python's gzip refuses it too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldRefuseAFileWhoseSecondGzipMemberIsDamaged(int at) throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    int first = 0;
    for (String part : List.of("a,b\n1,2\n", "3,4\n")) {
      first = packed.size();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(part.getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] damaged = packed.toByteArray();
    damaged[first + at] ^= 1;
    Path file = Files.write(directory.resolve("t.csv.gz"), damaged);
    assertThatThrownBy(
            () -> {
              try (SampleStream<Map<String, Object>> stream = stream(file).open(0, 0)) {
                while (stream.next() != null) {
                  assertThat(stream.mark()).isNotNull();
                }
              }
            })
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(file.toString(), "gzip member");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE"})
  void shouldNameUtf16(String charset) throws Exception {
    Path file = Files.write(directory.resolve("t.csv"), "a,b\n1,2\n".getBytes(charset));
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("t.csv", "UTF-16", "iconv");
  }

  @Test
  void shouldReadOtherColumnsWhereSeveralHaveOneName() throws Exception {
    Path file = file("a,b,a\n1,2,3\n");
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).columns("b").build()) {
      assertThat(table.get(0)).containsEntry("b", "2");
    }
    for (TableDataset.Builder<?> builder :
        List.of(TableDataset.builder(file), TableDataset.builder(file).columns("a"))) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("t.csv", "several columns are called 'a'");
    }
  }

  @Test
  void shouldCountTheLinesOfQuotedFields() throws Exception {
    Path file = file("a,b\n\"one\ntwo\r\n\"\"three\"\"\",2\n\n3,x\n");
    assertThat(rows(file).get(0)).containsExactly("one\ntwo\r\n\"three\"", "2");
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).features("b").build()) {
      assertThatThrownBy(() -> table.get(1))
          .hasMessage(file + ": line 6: column 'b': 'x' is not a number");
      assertThat(table.describe(1)).isEqualTo(file + ", row 1");
    }
  }

  @Test
  void shouldRefuseATextThatIsNotUtf8() throws Exception {
    Path file = directory.resolve("latin.csv");
    Files.write(file, "a\n\u00fc\n".getBytes(StandardCharsets.ISO_8859_1));
    try (TableDataset<Map<String, Object>> table = open(file)) {
      assertThatThrownBy(() -> table.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("line 2", "'a'", "not UTF-8");
    }
    assertThat(rows(file("a\n\uFFFD\n"))).containsExactly(List.of("\uFFFD"));
  }

  /** Three blocks of 256 KiB, which are read in pieces of 64 KiB. */
  private static final int MANY = 25_000;

  private static String field(int row) {
    String text = "row %d, \"%s\"\n".formatted(row, "x".repeat(row % 17));
    return row % 3 == 0 ? "\"" + text.replace("\"", "\"\"") + "\"" : "plain " + row + " text of it";
  }

  private Path large() throws IOException {
    StringBuilder text = new StringBuilder("number,text\n");
    for (int row = 0; row < MANY; row++) {
      text.append(row == MANY - 7 ? "none" : row).append(',').append(field(row)).append('\n');
    }
    return file(text.toString());
  }

  private static int lines() {
    int lines = 2;
    for (int row = 0; row < MANY - 7; row++) {
      lines += row % 3 == 0 ? 2 : 1;
    }
    return lines;
  }

  @Test
  void shouldReadAnyRowOfAFileOfSeveralBlocks() throws Exception {
    Path file = large();
    try (TableDataset<Map<String, Object>> table = open(file)) {
      assertThat(table.size()).isEqualTo(MANY);
      assertThat(table.groupSizes()).hasSizeGreaterThan(2);
      assertThat(Arrays.stream(table.groupSizes()).sum()).isEqualTo(MANY);
      for (int step = 0; step < 200; step++) {
        int row = (int) (step * 7919L % MANY);
        assertThat(table.get(row)).containsEntry("number", String.valueOf(row));
        String text = row % 3 == 0 ? field(row).substring(1, field(row).length() - 1) : field(row);
        assertThat(table.get(row)).containsEntry("text", text.replace("\"\"", "\""));
        assertThat(table.describe(row)).isEqualTo("%s, row %d".formatted(file, row));
      }
    }
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).features("number").build()) {
      assertThatThrownBy(() -> table.get(MANY - 7))
          .hasMessage(
              "%s: line %d: column 'number': 'none' is not a number".formatted(file, lines()));
    }
  }

  /** From the last block, as a loader does that resumes. */
  @Test
  void shouldNameTheLineOfARowBehindAPlaceThatItWentTo() throws Exception {
    Path file = large();
    IterableDataset<Map<String, Object>> stream =
        TableDataset.builder(file).features("number").stream();
    List<Long> mark;
    try (SampleStream<Map<String, Object>> rows = stream.open(0, 0)) {
      assertThat(rows.skip(MANY - 10)).isEqualTo(MANY - 10);
      mark = rows.mark();
    }
    try (SampleStream<Map<String, Object>> rows = stream.open(0, 0)) {
      rows.goTo(MANY - 10, mark);
      for (int row = MANY - 10; row < MANY - 7; row++) {
        assertThat(rows.next().get(new SampleContext(0, 0, row))).containsKey("features");
      }
      PendingSample<Map<String, Object>> broken = rows.next();
      assertThatThrownBy(() -> broken.get(new SampleContext(0, 0, 0)))
          .hasMessage(
              "%s: line %d: column 'number': 'none' is not a number".formatted(file, lines()));
    }
  }

  @Test
  void shouldNoticeThatTheFileHasChanged() throws Exception {
    Path file = file("a,b\n1,2\n3,4\n");
    try (TableDataset<Map<String, Object>> table = open(file)) {
      Files.writeString(file, "a,b\n1,2 3,4\n");
      assertThatThrownBy(() -> table.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("line 2: 1 row instead of 2", "has been changed");
    }
  }

  // ---- numbers ------------------------------------------------------------------------------

  private double real(String text) throws Exception {
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file("a,b\n" + text + ",\n"))
            .tensor("x", DType.FLOAT64, "a")
            .build()) {
      return written(table).getDouble(0);
    }
  }

  private long whole(String text) throws Exception {
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file("a,b\n" + text + ",\n")).tensor("x", DType.INT64, "a").build()) {
      return written(table).getLong(0);
    }
  }

  private static ByteBuffer written(TableDataset<Map<String, Object>> table) throws Exception {
    ByteBuffer target = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    ((TensorSource) table.get(0).get("x")).writeTo(target);
    return target;
  }

  @Test
  void shouldRoundDecimalsToTheNearestDouble() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    for (int digits = 1; digits < 24; digits++) {
      for (int i = 0; i < 8; i++) {
        StringBuilder text = new StringBuilder(i % 2 == 0 ? "-" : "");
        int point = random.nextInt(digits);
        for (int at = 0; at < digits; at++) {
          text.append(at == point ? "." : "").append(random.nextInt(10));
        }
        assertThat(real(text.toString())).as("%s", text).isEqualTo(Double.parseDouble("" + text));
      }
    }
    assertThat(real("-0")).isEqualTo(-0.0);
    assertThat(real("+1.5e-3")).isEqualTo(0.0015);
    assertThat(real(" -Inf ")).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x1p3", "-0X10", "1f", "2D", "1,5", "--1", ".", "-", "1 2", "+-1"})
  void shouldRefuseWhatIsNoNumber(String text) {
    assertThatThrownBy(() -> real("\"" + text + "\"")).hasMessageContaining("is not a number");
  }

  @Test
  void shouldReadWholeNumbersOfSixtyFourBitsAndNoOthers() throws Exception {
    for (long number : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 999_999_999_999_999_999L, -1}) {
      assertThat(whole(Long.toString(number))).isEqualTo(number);
    }
    for (String text : List.of("9223372036854775808", "-9223372036854775809", "1.0", "1e3", "")) {
      assertThatThrownBy(() -> whole(text)).isInstanceOf(FormatException.class);
    }
  }

  record Truth(boolean a) {}

  @Test
  void shouldRefuseATruthValueOfTwo() throws Exception {
    try (TableDataset<Truth> table =
        TableDataset.records(file("a\n1\nfalse\n2\n"), Truth.class).build()) {
      assertThat(table.get(0).a()).isTrue();
      assertThat(table.get(1).a()).isFalse();
      assertThatThrownBy(() -> table.get(2)).hasMessageContaining("2 is not from 0 to 1");
    }
  }
}
