package io.feedline.formats.store.internal.samples;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassListTest {

  @TempDir private Path directory;

  @Test
  void shouldReadWhatItWrote() throws IOException {
    ClassList list =
        new ClassList(List.of("cat", "a \"b\" \\ c\n\u0001", "größer", "\uD83D\uDE00", ""), 1);
    Path target = directory.resolve("x");
    Map<String, String> identity = Map.of("format", "classes");
    try (StagedOutput output =
        StagedOutput.open(target, StagedOutput.Kind.DIRECTORY, identity, false)) {
      list.write(output, output.path().resolve(ClassList.FILE_NAME));
      output.publish(0);
    }

    assertThat(ClassList.read(target.resolve(ClassList.FILE_NAME))).isEqualTo(list);
  }

  @Test
  void shouldReadAnyJsonOfItsKind() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("x"),
            " {\"firstLabel\":2 ,\n\"classes\":[ \"\\u0041\\/\" , \"b\"]} ");

    assertThat(ClassList.read(file)).isEqualTo(new ClassList(List.of("A/", "b"), 2));
    Files.writeString(file, "{\"classes\": []}");
    assertThat(ClassList.read(file)).isEqualTo(new ClassList(List.of(), 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|expected '{'",
        "[]|expected '{'",
        "{\"classes\": [1]}|'classes[0]' must be a string",
        "{\"classes\": [\"a\"|expected ']'",
        "{\"names\": []}|'classes' is missing",
        "{\"classes\": [], \"firstLabel\": -1}|'firstLabel' must be from 0 to 2147483647, was -1",
        "{\"classes\": [], \"firstLabel\": 99999999999}|'firstLabel' must be from 0",
        "{\"firstLabel\": 1}|'classes' is missing",
        "{\"classes\": []} x|expected the end",
      })
  void shouldSayWhyAFileIsNoList(String text, String expected) throws IOException {
    Path file = Files.writeString(directory.resolve("bad.json"), text);

    refused(IOException.class, () -> ClassList.read(file), "bad.json", expected);
  }
}
