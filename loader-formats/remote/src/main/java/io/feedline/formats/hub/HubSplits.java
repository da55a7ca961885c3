package io.feedline.formats.hub;

import io.feedline.data.FormatException;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of each configuration and split of a dataset's repository, found by the rules of
 * Hugging Face's {@code datasets}:
 *
 * <pre>{@code
 * HubSplits mnist = HubSplits.of(Path.of(URI.create("hf://datasets/ylecun/mnist")));
 * ImageDataset train = TableImages.builder(mnist.files("train")).build();
 * }</pre>
 *
 * <p>The configurations are the {@code configs} in the YAML of the repository's card, {@code
 * README.md}, with their {@code data_files} and {@code data_dir}. A card without {@code configs}
 * means one configuration, {@code default}. The splits of {@code default} follow from the names of
 * files and directories: {@code data/train-00000-of-00002.parquet}, a directory such as {@code
 * test} or {@code my-dev}, or a file such as {@code val_1.csv}. Words such as {@code training},
 * {@code dev} and {@code eval} stand for {@code train}, {@code validation} and {@code test}. If no
 * name has such a word, all files are {@code train}. At the revision {@code refs/convert/parquet}
 * the names of files are {@code CONFIGURATION/SPLIT/0000.parquet}.
 *
 * <p>A repository is a directory of the hub, or a copy of such a directory anywhere. It is listed
 * once, with everything below it. Files without an extension of data are left out. A file that
 * several patterns match is returned once.
 *
 * <p>Thread-safe. Changes of the repository after {@link #of} are not seen.
 */
public final class HubSplits {

  /** The paths of the hub's own Parquet files; "partial-" if the hub converted only a part. */
  private static final Pattern CONVERTED =
      Pattern.compile("([^/]+)/(?:partial-)?([^/]+)/[0-9]+\\.parquet");

  private static final String DEFAULT = "default";

  private final Path repository;
  private final DataFiles files;
  private final Map<String, DatasetCard.Config> configs = new LinkedHashMap<>();

  /** The files by configuration and split; a configuration is added with the first call for it. */
  private final Map<String, Map<String, List<String>>> found = new ConcurrentHashMap<>();

  private HubSplits(Path repository, DataFiles files, List<DatasetCard.Config> configs) {
    this.repository = repository;
    this.files = files;
    configs.forEach(each -> this.configs.put(each.name(), each));
  }

  /**
   * Lists a repository and reads its card.
   *
   * @param repository a directory, such as {@code hf://datasets/OWNER/NAME@REVISION}
   * @throws FormatException if the card is broken
   * @throws IOException if the repository is not there or cannot be read
   */
  public static HubSplits of(Path repository) throws IOException {
    if (!Presence.exists(repository)) {
      throw new NoSuchFileException(repository.toString());
    }
    if (!Presence.isDirectory(repository)) {
      throw new NotDirectoryException(repository.toString());
    }
    List<String> paths = paths(repository);
    URI uri = repository.toUri();
    boolean isConversion =
        uri.getPath() != null
            && uri.getPath().matches("(?is).*@refs(/|%2F)convert(/|%2F)parquet/?");
    List<DatasetCard.Config> configs =
        isConversion ? converted(paths) : DatasetCard.read(repository);
    return new HubSplits(
        repository,
        new DataFiles(paths),
        configs.isEmpty() ? List.of(new DatasetCard.Config(DEFAULT, "", null, true)) : configs);
  }

  /** Returns the paths of all files, relative to the repository. */
  private static List<String> paths(Path repository) throws IOException {
    List<String> paths = new ArrayList<>();
    int names = repository.getNameCount();
    try (Stream<Path> all = Files.walk(repository)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Presence.isFile(each)) {
          List<String> parts = new ArrayList<>();
          each.subpath(names, each.getNameCount()).forEach(part -> parts.add(part.toString()));
          paths.add(String.join("/", parts));
        }
      }
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
    return paths;
  }

  private static List<DatasetCard.Config> converted(List<String> paths) {
    Map<String, Map<String, List<String>>> found = new TreeMap<>();
    for (String each : paths) {
      Matcher names = CONVERTED.matcher(each);
      if (names.matches()) {
        String directory = each.substring(0, each.lastIndexOf('/'));
        found
            .computeIfAbsent(names.group(1), config -> new TreeMap<>())
            .computeIfAbsent(names.group(2), split -> List.of(directory + "/*.parquet"));
      }
    }
    return found.entrySet().stream()
        .map(each -> new DatasetCard.Config(each.getKey(), "", each.getValue(), false))
        .toList();
  }

  /** Returns the names of the configurations (subsets), one or more, in the order of the card. */
  public List<String> configurations() {
    return List.copyOf(configs.keySet());
  }

  /**
   * Returns the splits of the default configuration: the only configuration, the configuration
   * {@code default}, or the configuration that the card marks as the default.
   *
   * @throws IllegalArgumentException if not exactly one configuration is the default
   * @throws FormatException if there are no files of data, or files of several kinds
   */
  public List<String> splits() throws FormatException {
    return splits(defaultConfiguration());
  }

  /**
   * Returns the splits of a configuration.
   *
   * @throws IllegalArgumentException if there is no such configuration; the message names the
   *     existing configurations
   * @throws FormatException if there are no files of data, or files of several kinds
   */
  public List<String> splits(String configuration) throws FormatException {
    return List.copyOf(bySplits(configuration).keySet());
  }

  /**
   * Returns the files of a split of the default configuration.
   *
   * @throws IllegalArgumentException if there is no such split, or no default configuration; the
   *     message names the existing splits or configurations
   * @throws FormatException if there are no files of data, or files of several kinds
   */
  public List<Path> files(String split) throws FormatException {
    return files(defaultConfiguration(), split);
  }

  /**
   * Returns the files of a split of a configuration.
   *
   * @return one or more files, in the order of the patterns, and sorted by path within a pattern
   * @throws IllegalArgumentException if there is no such configuration or split; the message names
   *     the existing configurations or splits
   * @throws FormatException if there are no files of data, or files of several kinds
   */
  public List<Path> files(String configuration, String split) throws FormatException {
    Map<String, List<String>> splits = bySplits(configuration);
    if (!splits.containsKey(split)) {
      throw new IllegalArgumentException(
          "%s, configuration '%s', has no split '%s'; there are %s"
              .formatted(repository, configuration, split, splits.keySet()));
    }
    String directory = config(configuration).directory();
    Path base = directory.isEmpty() ? repository : repository.resolve(directory).normalize();
    List<Path> paths = splits.get(split).stream().map(base::resolve).toList();
    if (paths.isEmpty()) {
      throw FormatException.in(
          repository,
          "configuration '%s' has no file of the split '%s'".formatted(configuration, split));
    }
    return paths;
  }

  private String defaultConfiguration() {
    List<String> defaults =
        configs.values().stream()
            .filter(each -> configs.size() == 1 || each.name().equals(DEFAULT) || each.isDefault())
            .map(DatasetCard.Config::name)
            .toList();
    if (defaults.size() != 1) {
      throw new IllegalArgumentException(
          "%s: name one of the configurations %s; %s"
              .formatted(
                  repository,
                  configs.keySet(),
                  defaults.isEmpty()
                      ? "none is the default"
                      : "several are the default, " + defaults));
    }
    return defaults.get(0);
  }

  /** Returns a configuration's files by split; paths are relative to {@code Config.directory}. */
  private Map<String, List<String>> bySplits(String configuration) throws FormatException {
    Map<String, List<String>> known = found.get(configuration);
    if (known == null) {
      known = find(configuration);
      found.put(configuration, known);
    }
    return known;
  }

  private Map<String, List<String>> find(String configuration) throws FormatException {
    DatasetCard.Config config = config(configuration);
    try {
      DataFiles below = files.below(config.directory());
      if (config.patterns() == null) {
        return below.bySplits();
      }
      Map<String, List<String>> splits = new LinkedHashMap<>();
      for (Map.Entry<String, List<String>> each : config.patterns().entrySet()) {
        splits.put(each.getKey(), below.matching(each.getValue()));
      }
      return splits;
    } catch (FormatException wrong) {
      throw FormatException.in(
          repository, "configuration '%s': %s".formatted(configuration, wrong.getMessage()));
    }
  }

  private DatasetCard.Config config(String configuration) {
    DatasetCard.Config config = configs.get(configuration);
    if (config == null) {
      throw new IllegalArgumentException(
          "%s has no configuration '%s'; there are %s"
              .formatted(repository, configuration, configs.keySet()));
    }
    return config;
  }

  /** Returns a text with the repository and the names of its configurations. */
  @Override
  public String toString() {
    return "HubSplits(%s, %s)".formatted(repository, configs.keySet());
  }
}
