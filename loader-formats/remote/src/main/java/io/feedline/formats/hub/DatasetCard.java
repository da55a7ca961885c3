package io.feedline.formats.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/** A reader of {@code configs} in a repository's {@code .huggingface.yaml} or {@code README.md}. */
final class DatasetCard {

  private static final int MOST_BYTES = 1 << 24;

  /** The pattern of {@code huggingface_hub} for the YAML of a card. */
  private static final Pattern YAML =
      Pattern.compile("\\A\\uFEFF?\\s*---[\\r\\n]+([\\S\\s]*?)[\\r\\n]+---(\\r\\n|\\r|\\n|\\z)");

  private DatasetCard() {}

  /** A configuration; the patterns by split are null if names of files decide on the splits. */
  record Config(
      String name,
      String directory,
      @Nullable Map<String, List<String>> patterns,
      boolean isDefault) {}

  /** Reads the configurations of a repository; returns an empty list if the card has no configs. */
  static List<Config> read(Path repository) throws IOException {
    for (String name : List.of(".huggingface.yaml", "README.md")) {
      Path file = repository.resolve(name);
      String text = Presence.isFile(file) ? text(file) : "";
      Matcher yaml = YAML.matcher(text);
      if (name.equals("README.md")) {
        text = yaml.find() ? yaml.group(1) : "";
      }
      Object configs = text.isBlank() ? null : yaml(file, text).get("configs");
      if (configs != null && !configs.equals("")) {
        return configs(file, configs);
      }
    }
    return List.of();
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Channels.newInputStream(OpenFiles.open(file))) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw FormatException.in(file, "a card has %d bytes at most".formatted(MOST_BYTES));
      }
      return new String(bytes, UTF_8);
    }
  }

  private static Map<?, ?> yaml(Path file, String text) throws FormatException {
    try {
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new FailsafeSchema())
              .setCodePointLimit(MOST_BYTES)
              .build();
      return new Load(settings).loadFromString(text) instanceof Map<?, ?> map ? map : Map.of();
    } catch (MarkedYamlEngineException broken) {
      String place =
          broken.getProblemMark().map(mark -> ", line " + (mark.getLine() + 1)).orElse("");
      throw FormatException.in(
          file, "its YAML is broken%s: %s".formatted(place, broken.getProblem()), broken);
    } catch (YamlEngineException broken) {
      throw FormatException.in(file, "its YAML is broken: " + broken.getMessage(), broken);
    }
  }

  private static List<Config> configs(Path file, Object configs) throws FormatException {
    Map<String, Config> found = new LinkedHashMap<>();
    for (Object each : configs instanceof List<?> list ? list : List.of("")) {
      if (!(each instanceof Map<?, ?> config)
          || !(config.get("config_name") instanceof String name)) {
        throw FormatException.in(
            file, "its configs must be a list of mappings with config_name, and one is not");
      }
      Object directory = config.get("data_dir");
      Object files = config.get("data_files");
      found.put(
          name,
          new Config(
              name,
              directory instanceof String text ? text : "",
              files == null ? null : patterns(file, name, files),
              "true".equalsIgnoreCase(String.valueOf(config.get("default")))));
    }
    return List.copyOf(found.values());
  }

  private static Map<String, List<String>> patterns(Path file, String config, Object files)
      throws FormatException {
    if (isTextOrTexts(files)) {
      return Map.of("train", texts(files));
    }
    Map<String, List<String>> splits = new LinkedHashMap<>();
    for (Object each : files instanceof List<?> list ? list : List.of("")) {
      if (!(each instanceof Map<?, ?> split)
          || !(split.get("split") instanceof String name)
          || split.size() != 2
          || !DataFiles.isSplit(name)
          || !isTextOrTexts(split.get("path"))) {
        throw FormatException.in(
            file,
            "data_files of the configuration '%s' must be a pattern, a list of patterns, or a list of mappings with split (letters, digits and '_') and path, and are not"
                .formatted(config));
      }
      if (splits.put(name, texts(split.get("path"))) != null) {
        throw FormatException.in(
            file, "the configuration '%s' has the split '%s' twice".formatted(config, name));
      }
    }
    return splits;
  }

  private static boolean isTextOrTexts(@Nullable Object value) {
    return value instanceof String
        || (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance));
  }

  private static List<String> texts(Object value) {
    List<String> texts = new ArrayList<>();
    (value instanceof List<?> list ? list : List.of(value)).forEach(each -> texts.add("" + each));
    return texts;
  }
}
