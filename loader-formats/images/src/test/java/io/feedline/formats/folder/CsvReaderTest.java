package io.feedline.formats.folder;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvReaderTest {

  @TempDir private Path directory;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("a.csv"), bytes);
  }

  private List<List<String>> rows(String text) throws IOException {
    return rows(file(text.getBytes(UTF_8)), ',');
  }

  private static List<List<String>> rows(Path file, char delimiter) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (CsvReader reader = new CsvReader(file, delimiter)) {
      for (List<String> row = reader.next(); row != null; row = reader.next()) {
        rows.add(row);
      }
      assertThat(reader.next()).isNull();
    }
    return rows;
  }

  /** The examples of RFC 4180, section 2. */
  @Test
  void shouldReadWhatTheRfcShows() throws IOException {
    for (String text :
        List.of(
            "aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n",
            "aaa,bbb,ccc\r\nzzz,yyy,xxx",
            "\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx")) {
      assertThat(rows(text))
          .containsExactly(List.of("aaa", "bbb", "ccc"), List.of("zzz", "yyy", "xxx"));
    }
    assertThat(rows("\"aaa\",\"b\r\nbb\",\"c\"\"cc\"\r\nzzz,yyy,xxx"))
        .containsExactly(List.of("aaa", "b\r\nbb", "c\"cc"), List.of("zzz", "yyy", "xxx"));
  }

  @Test
  void shouldKeepEmptyFieldsAndSpacesAndLeaveEmptyLinesOut() throws IOException {
    assertThat(rows("\n\r\n a ,b\n\n,\n\"\",\"\"\nc,d\n\n"))
        .containsExactly(List.of(" a ", "b"), List.of("", ""), List.of("", ""), List.of("c", "d"));
    assertThat(rows("a,")).containsExactly(List.of("a", ""));
    assertThat(rows("")).isEmpty();
    assertThat(rows("\n\n")).isEmpty();
  }

  @Test
  void shouldLeaveAByteOrderMarkOutAtTheBeginningOnly() throws IOException {
    assertThat(rows("\uFEFFa,b\n\uFEFFc,d"))
        .containsExactly(List.of("a", "b"), List.of("\uFEFFc", "d"));
    assertThat(rows("\uFEFF\"a\",b")).containsExactly(List.of("a", "b"));
  }

  @Test
  void shouldReadNamesOfAnyScriptAndOtherDelimiters() throws IOException {
    Path file = file("n\u00E4me;\uD83D\uDE00\n\"a;b\";1,5\n".getBytes(UTF_8));

    assertThat(rows(file, ';'))
        .containsExactly(List.of("n\u00E4me", "\uD83D\uDE00"), List.of("a;b", "1,5"));
    assertThat(rows(file("a\tb".getBytes(UTF_8)), '\t')).containsExactly(List.of("a", "b"));
  }

  @Test
  void shouldSayInWhichLineARowBegan() throws IOException {
    try (CsvReader reader = new CsvReader(file("a\r\n\n\"b\nb\r\nb\"\nc".getBytes(UTF_8)), ',')) {
      List<Long> lines = new ArrayList<>();
      while (reader.next() != null) {
        lines.add(reader.line());
      }
      assertThat(lines).containsExactly(1L, 3L, 6L);
      assertThat(reader.problem("odd")).hasMessageEndingWith("a.csv: line 6: odd");
    }
  }

  private void requireRefused(String text, String... words) throws IOException {
    Path file = file(text.getBytes(UTF_8));
    assertThatThrownBy(() -> rows(file, ','))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(file + ": line ")
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefuseWhatTheRfcDoesNotAllow() throws IOException {
    requireRefused("a\nb\"c\n", "line 2", "a quote within the field 'b'");
    requireRefused("a\n \"b\"\n", "line 2", "a quote within the field ' '");
    requireRefused("a\n\"b\"c\n", "line 2", "'c' behind the closing quote of the field 'b'");
    requireRefused("a\n\"b\n\nc", "line 2", "a quote is opened and not closed");
    requireRefused("a\rb", "line 1", "a carriage return without a line feed");
    requireRefused("a\n\rb", "line 2", "a carriage return without a line feed");
  }

  @Test
  void shouldRefuseFieldsThatAreTooLongAndTextThatIsNotUtf8() throws IOException {
    String longest = "x".repeat(CsvReader.MAX_FIELD_CHARS);
    assertThat(rows(longest)).containsExactly(List.of(longest));
    requireRefused("a\n\"" + "x,y\n".repeat(1 << 20), "line 2", "65536", "is a quote not closed?");
    Path file = file("a\nb\nM\u00FCller\n".getBytes(ISO_8859_1));

    refused(FormatException.class, () -> rows(file, ','), file.toString(), "not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"absent.csv", "."})
  void shouldNameAFileThatIsNotThere(String name) {
    Path file = directory.resolve(name);

    assertThatThrownBy(() -> new CsvReader(file, ','))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll(
            file.toString(), name.equals(".") ? "is not a file" : "no such file");
  }
}
