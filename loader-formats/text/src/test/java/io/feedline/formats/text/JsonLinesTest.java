package io.feedline.formats.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.GsonBuilder;
import com.google.gson.annotations.SerializedName;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.ExpectedLog;
import io.feedline.Strength;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class JsonLinesTest {

  @TempDir private Path directory;

  record Meta(String source) {}

  record Row(
      String text,
      @SerializedName(value = "label", alternate = "y") long target,
      boolean good,
      int[] tokens,
      Meta meta,
      String absent) {}

  /** As {@code make_fixtures.py} writes what Python's json has read. */
  private static void flatten(String path, Object value, List<String> into) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> flatten(path + "/" + key, each, into));
    } else if (value instanceof List<?> list) {
      into.add(path + " list " + list.size());
      for (int i = 0; i < list.size(); i++) {
        flatten(path + "/" + i, list.get(i), into);
      }
    } else if (value instanceof Long) {
      into.add(path + " int " + value);
    } else if (value instanceof Double number) {
      into.add("%s float %016x".formatted(path, Double.doubleToLongBits(number)));
    } else if (value instanceof String text) {
      into.add(path + " str " + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
    } else {
      into.add(path + (value == null ? " none" : " " + value));
    }
  }

  @Test
  void shouldReadWhatPythonReads() throws Exception {
    Transform<String, Map<String, Object>> maps = JsonLines.maps();
    List<String> values = new ArrayList<>();
    int number = 0;
    for (String line : Fixtures.lines("lines.jsonl")) {
      flatten(String.valueOf(number++), maps.apply(line), values);
    }
    assertThat(values).isEqualTo(Fixtures.lines("values.txt"));
  }

  @Test
  void shouldMakeRecordsThatHaveWhatMapsHave() throws Exception {
    for (String line : Fixtures.lines("lines.jsonl")) {
      Map<String, Object> map = JsonLines.maps().apply(line);
      Row row = JsonLines.records(Row.class).apply(line);
      assertThat(row.text()).isEqualTo(map.get("text"));
      assertThat(row.target()).isEqualTo(map.get("label"));
      assertThat(row.good()).isEqualTo(map.get("good"));
      assertThat(row.tokens()).hasSize(((List<?>) map.get("tokens")).size());
      assertThat(row.meta().source()).isIn("wiki", "books");
      assertThat(row.absent()).isNull();
    }
    String other = "{\"y\": 3, \"good\": true}";
    assertThat(JsonLines.records(Row.class).apply(other).target()).isEqualTo(3);
  }

  @Test
  void shouldTakeAParserOfTheUsers() throws Exception {
    record Word(String text) {}
    var upper =
        new GsonBuilder()
            .registerTypeAdapter(
                String.class,
                (com.google.gson.JsonDeserializer<String>)
                    (json, type, context) -> json.getAsString().toUpperCase(java.util.Locale.ROOT))
            .create();
    assertThat(JsonLines.records(Word.class, upper).apply("{\"text\": \"ab\"}").text())
        .isEqualTo("AB");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "3",
        "[]",
        "\"a\"",
        "{",
        "{\"a\": 1",
        "{\"a\": 1} x",
        "{\"a\": NaN}",
        "{'a': 1}",
        "{\"a\": 1,}",
        "{\"a\": 1e999}",
        "[[1, 2]]",
        "{\"a\": tru}"
      })
  void shouldRefuseWhatIsNoObject(String line) {
    assertThatThrownBy(() -> JsonLines.maps().apply(line))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the line is ");
    assertThatThrownBy(() -> JsonLines.records(Row.class).apply(line))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldNotMakeANumberOfWhatIsNotThere() {
    Transform<String, Row> rows = JsonLines.records(Row.class);
    assertThatThrownBy(() -> rows.apply("{\"text\": \"a\", \"good\": true}"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the line has no value for 'label', a number or truth value of Row; it has [text, good]");
    assertThatThrownBy(() -> rows.apply("{\"label\": 1, \"good\": null}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'good'");
    assertThatThrownBy(() -> rows.apply("{\"label\": 1.5, \"good\": true}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the line is not a Row");
    assertThatThrownBy(() -> rows.apply("{\"label\": [1], \"good\": true}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the line is not a Row");
  }

  @Test
  void shouldTakeTheLastOfTwoMembersWithOneName() throws Exception {
    assertThat(JsonLines.maps().apply("{\"a\": 1, \"b\": 0, \"a\": 2}"))
        .isEqualTo(Map.of("a", 2L, "b", 0L));
  }

  @Test
  void shouldEndDeepNestingInAnError() {
    String deep = "{\"a\":".repeat(100_000);
    assertThatThrownBy(() -> JsonLines.maps().apply(deep))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("255");
    assertThatThrownBy(() -> JsonLines.records(Row.class).apply(deep))
        .isInstanceOf(IOException.class);
  }

  @Test
  @ExpectedLog("SKIP: ")
  void shouldNameFileAndLineOfABrokenRow() throws Exception {
    Path file = directory.resolve("rows.jsonl");
    Files.writeString(
        file,
        "{\"label\": 1, \"good\": true}\n{\"label\": 2, \"good\"\n{\"good\": true}\n{\"label\": 4, \"good\": true}\n");
    IterableDataset<Long> labels =
        IterableDataset.lines(file).map(JsonLines.records(Row.class)).map(Row::target);
    List<String> story = new ArrayList<>();
    try (DataLoader<Long> loader = DataLoader.builder(labels).numWorkers(1).build()) {
      BatchIterator batches = loader.iterator();
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          story.add("" + batch.tensor("data").toLongArray()[0]);
        } catch (LoaderException e) {
          story.add(
              e.description() + ": " + e.getCause().getMessage().replaceAll("at line.*", "..."));
        }
      }
    }
    assertThat(story).hasSize(4).startsWith("1").endsWith("4");
    assertThat(story.get(1)).contains(file + ":2: the line is not a JSON object");
    assertThat(story.get(2)).contains(file + ":3: the line has no value for 'label'");

    try (DataLoader<Long> loader =
        DataLoader.builder(labels).errorPolicy(ErrorPolicy.skip()).build()) {
      loader.forEach(Batch::close);
      assertThat(loader.quarantine().entries())
          .extracting(Quarantine.Entry::description)
          .allMatch(place -> place.contains("rows.jsonl:"));
    }
  }

  @Test
  void shouldEndTenThousandMutantsInSamplesOrErrors() throws Exception {
    List<String> lines = Fixtures.lines("lines.jsonl");
    Random random = new Random(5);
    int broken = 0;
    for (int round = 0; round < Strength.of(10_000); round++) {
      byte[] sound = lines.get(round % lines.size()).getBytes(StandardCharsets.UTF_8);
      String line = new String(Fixtures.mutant(sound, random), StandardCharsets.UTF_8);
      try {
        assertThat(JsonLines.maps().apply(line)).isNotNull();
        assertThat(JsonLines.records(Row.class).apply(line)).isNotNull();
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("the line ");
        broken++;
      }
    }
    assertThat(broken).isBetween(1, Strength.of(10_000));
  }
}
