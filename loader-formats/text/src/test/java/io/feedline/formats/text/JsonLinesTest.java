package io.feedline.formats.text;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    assertThat(maps.apply("{\"a\": 1, \"b\": 0, \"a\": 2}")).isEqualTo(Map.of("a", 2L, "b", 0L));
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
    JsonDeserializer<String> upper =
        (json, type, context) -> json.getAsString().toUpperCase(Locale.ROOT);
    Gson gson = new GsonBuilder().registerTypeAdapter(String.class, upper).create();
    assertThat(JsonLines.records(Word.class, gson).apply("{\"text\": \"ab\"}").text())
        .isEqualTo("AB");
  }

  @Test
  void shouldRefuseWhatIsNoObject() {
    String lines =
        """

        null
        3
        []
        "a"
        {
        {"a": 1
        {"a": 1} x
        {"a": NaN}
        {'a': 1}
        {"a": 1,}
        {"a": 1e999}
        [[1, 2]]
        {"a": tru}""";
    for (String line : lines.split("\n", -1)) {
      assertThrown(IOException.class, () -> JsonLines.maps().apply(line), "the line is ");
      assertThrown(IOException.class, () -> JsonLines.records(Row.class).apply(line));
    }
  }

  @Test
  void shouldNotMakeANumberOfWhatIsNotThere() {
    assertRefused(
        "{'text': 'a', 'good': true}",
        "the line has no value for 'label', a number or truth value of Row; it has [text, good]");
    assertRefused("{'label': 1, 'good': null}", "'good'");
    assertRefused("{'label': 1.5, 'good': true}", "the line is not a Row");
    assertRefused("{'label': [1], 'good': true}", "the line is not a Row");
  }

  private static void assertRefused(String line, String words) {
    assertThrown(
        IOException.class,
        () -> JsonLines.records(Row.class).apply(line.replace('\'', '"')),
        words);
  }

  @Test
  void shouldEndDeepNestingInAnError() {
    String deep = "{\"a\":".repeat(100_000);
    assertThrown(IOException.class, () -> JsonLines.maps().apply(deep), "255");
    assertThrown(IOException.class, () -> JsonLines.records(Row.class).apply(deep));
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
