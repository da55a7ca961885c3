package io.feedline.formats.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.FormatException;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The splits of repositories: those that Hugging Face's datasets finds (make_fixtures.py). */
class HubSplitsTest {

  private final FileSystem disk = Jimfs.newFileSystem(Configuration.unix());
  private int repositories;

  @AfterEach
  void close() throws IOException {
    disk.close();
  }

  private Path repository(Iterable<?> files, String card) throws IOException {
    Path root = disk.getPath("/" + repositories++);
    Files.createDirectories(root);
    for (Object each : files) {
      Path file = root.resolve(each.toString());
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    if (card != null) {
      Files.writeString(root.resolve("README.md"), card);
    }
    return root;
  }

  private static List<?> cases() throws IOException {
    try (InputStream in = HubSplitsTest.class.getResourceAsStream("splits.json")) {
      return (List<?>) Json.readValue(new String(in.readAllBytes(), UTF_8));
    }
  }

  /** The files are those of datasets, each once: it gives a file twice that two patterns match. */
  @Test
  void shouldFindTheFilesThatDatasetsFinds() throws IOException {
    int compared = 0;
    for (Object each : cases()) {
      Map<?, ?> wanted = (Map<?, ?>) each;
      if (wanted.containsKey("error")) {
        continue;
      }
      Path root = repository((List<?>) wanted.get("files"), (String) wanted.get("card"));
      HubSplits found = HubSplits.of(root);
      Map<String, Map<String, List<String>>> configs = new LinkedHashMap<>();
      for (String config : found.configurations()) {
        Map<String, List<String>> splits = new LinkedHashMap<>();
        for (String split : found.splits(config)) {
          splits.put(split, paths(root, found, config, split));
        }
        configs.put(config, splits);
      }
      assertThat(configs)
          .as(wanted.toString())
          .isEqualTo(distinct((Map<?, ?>) wanted.get("configs")));
      if (wanted.get("default") != null) {
        assertThat(found.splits()).isEqualTo(found.splits((String) wanted.get("default")));
      }
      compared++;
    }
    assertThat(compared).isGreaterThan(90);
  }

  /** A split of the card that no file matches is an error where its files are asked for. */
  private static List<String> paths(Path root, HubSplits found, String config, String split)
      throws IOException {
    try {
      return found.files(config, split).stream().map(file -> "" + root.relativize(file)).toList();
    } catch (FormatException none) {
      assertThat(none).hasMessageContaining("has no file of the split '" + split + "'");
      return List.of();
    }
  }

  private static Map<String, Map<String, List<?>>> distinct(Map<?, ?> configs) {
    Map<String, Map<String, List<?>>> distinct = new LinkedHashMap<>();
    configs.forEach(
        (config, splits) -> {
          Map<String, List<?>> each = new LinkedHashMap<>();
          ((Map<?, ?>) splits)
              .forEach(
                  (split, files) ->
                      each.put((String) split, ((List<?>) files).stream().distinct().toList()));
          distinct.put((String) config, each);
        });
    return distinct;
  }

  @Test
  void shouldTakeTheYamlOfACardAsItIsWritten() throws IOException {
    String card =
        """
        ---
        license: mit
        configs:
        - config_name: no # Norwegian
          data_files: "no/*.parquet"
        - config_name: 2024
          default: true
          data_files:
          - split: train
            path:
            - a.parquet
            - b/*.parquet
          - split: test_2
            path: 'c.parquet'
        dataset_info: &info
          features: []
        ---
        # Title
        """;
    Path root = repository(List.of("no/1.parquet", "a.parquet", "b/1.parquet", "c.parquet"), card);
    HubSplits found = HubSplits.of(root);
    assertThat(found.configurations()).containsExactly("no", "2024");
    assertThat(found.splits()).containsExactly("train", "test_2");
    assertThat(found.files("train"))
        .containsExactly(root.resolve("a.parquet"), root.resolve("b/1.parquet"));
    assertThat(found.files("no", "train")).containsExactly(root.resolve("no/1.parquet"));
    assertThat(found).hasToString("HubSplits(" + root + ", [no, 2024])");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "configs: {a: 1} | must be a list of mappings with config_name",
        "configs: [{data_files: x}] | must be a list of mappings with config_name",
        "configs: [{config_name: a, data_files: {train: x}}] | data_files of the configuration 'a'",
        "configs: [{config_name: a, data_files: [{split: b-c, path: x}]}] | (letters, digits and '_')",
        "configs: [{config_name: a, data_files: [{split: b, path: x}, {split: b, path: x}]}] | 'b' twice",
        "configs: [ | its YAML is broken, line 1",
        "configs: [{config_name: a, config_name: b}] | its YAML is broken, line 1",
      })
  void shouldSayWhatIsWrongWithACard(String yaml, String words) throws IOException {
    Path root = repository(List.of("x"), "---\n" + yaml + "\n---\n");
    assertThatThrownBy(() -> HubSplits.of(root))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(root.resolve("README.md").toString(), words);
  }

  @Test
  void shouldSayWhichConfigurationsSplitsAndFilesThereAre() throws IOException {
    String card =
        "---\nconfigs: [{config_name: a, data_files: x.csv}, {config_name: b, data_files:"
            + " ['https://other/x.csv']}]\n---\n";
    HubSplits found = HubSplits.of(repository(List.of("train.csv"), card));
    assertThatThrownBy(() -> found.files("train"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name one of the configurations [a, b]");
    assertThatThrownBy(() -> found.files("c", "train"))
        .hasMessageContaining("has no configuration 'c'; there are [a, b]");
    assertThatThrownBy(() -> found.files("a", "train"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("configuration 'a'", "there is no file 'x.csv'");
    assertThatThrownBy(() -> found.splits("b"))
        .hasMessageContaining("'https://other/x.csv' names no files of the repository");
    assertThatThrownBy(() -> HubSplits.of(repository(List.of("train.csv"), null)).files("test"))
        .hasMessageContaining("has no split 'test'; there are [train]");
    assertThatThrownBy(
            () -> HubSplits.of(repository(List.of("train.csv", "test.png"), null)).splits())
        .hasMessageContainingAll("[train, test]", "[csv, imagefolder]");
    assertThatThrownBy(() -> HubSplits.of(repository(List.of("LICENSE"), null)).splits())
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> HubSplits.of(disk.getPath("/none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
