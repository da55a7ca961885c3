package io.feedline.formats.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a directory, grouped by split as in data_files.py of {@code datasets} 5.0. */
final class DataFiles {

  /** The names of files that are data only if a pattern names them. */
  private static final Set<String> IGNORED =
      Set.of(
          "README.md",
          "config.json",
          "dataset_info.json",
          "dataset_infos.json",
          "dummy_data.zip",
          "dataset_dict.json");

  private static final Set<String> METADATA =
      Set.of("metadata.csv", "metadata.jsonl", "metadata.parquet");

  /** The extension of an archive; it may contain files of any kind. */
  private static final String ARCHIVE = ".zip";

  private static final Pattern COUNTED = Pattern.compile("(.+)-[0-9]{5}-of-[0-9]{5}.*\\..*");
  private static final String COUNTED_GLOB =
      "data/%s-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]*.*";

  private static final Pattern SPLIT =
      Pattern.compile("\\w+(\\.\\w+)*", Pattern.UNICODE_CHARACTER_CLASS);

  private static final Map<String, List<String>> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("train", List.of("train", "training"));
    WORDS.put("validation", List.of("validation", "valid", "dev", "val"));
    WORDS.put("test", List.of("test", "testing", "eval", "evaluation"));
  }

  private static final List<String> IN_DIRECTORY =
      List.of(
          "**/%s/**", "**/%s[-._ 0-9]*/**", "**/*[-._ 0-9]%s/**", "**/*[-._ 0-9]%s[-._ 0-9]*/**");

  private static final List<String> IN_NAME =
      List.of("**/%s[-._ 0-9]*", "**/*[-._ 0-9]%s[-._ 0-9]*");

  /** The patterns of each split, in several tables; the first table that matches a file applies. */
  private static final List<Map<String, List<String>>> TABLES =
      List.of(
          Map.of("logs", List.of("**/*.eval")),
          table(IN_DIRECTORY),
          table(IN_NAME),
          Map.of("train", List.of("**")));

  private static final Map<String, Kind> KINDS = kinds();

  /** A kind of data such as csv; {@code isFolder}: files of metadata may lie beside the data. */
  private record Kind(String name, Set<String> extensions, boolean isFolder) {}

  private final List<String> paths;

  DataFiles(List<String> paths) {
    this.paths = paths.stream().sorted().toList();
  }

  private static Map<String, List<String>> table(List<String> patterns) {
    Map<String, List<String>> table = new LinkedHashMap<>();
    WORDS.forEach(
        (split, words) ->
            table.put(
                split,
                words.stream()
                    .flatMap(word -> patterns.stream().map(each -> each.formatted(word)))
                    .toList()));
    return table;
  }

  /**
   * Reads the kinds from a resource; each line has the name of a kind and its extensions. If the
   * name ends in {@code folder}, each extension also counts in capitals.
   */
  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new HashMap<>();
    try (InputStream in =
        Objects.requireNonNull(DataFiles.class.getResourceAsStream("data-files.txt"))) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        String[] words = line.split(" ");
        boolean isFolder = words[0].endsWith("folder");
        Set<String> extensions =
            Arrays.stream(words)
                .skip(1)
                .flatMap(
                    each ->
                        isFolder ? Stream.of(each, each.toUpperCase(Locale.ROOT)) : Stream.of(each))
                .collect(Collectors.toSet());
        Kind kind = new Kind(words[0], extensions, isFolder);
        extensions.forEach(each -> kinds.put(each, kind));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Map.copyOf(kinds);
  }

  static boolean isSplit(String name) {
    return SPLIT.matcher(name).matches();
  }

  /** Returns the files below a directory; their paths become relative to that directory. */
  DataFiles below(String directory) {
    String prefix = directory.replaceFirst("^(\\./)+", "").replaceFirst("/*$", "/");
    return prefix.equals("/") || prefix.equals("./")
        ? this
        : new DataFiles(
            paths.stream()
                .filter(each -> each.startsWith(prefix))
                .map(each -> each.substring(prefix.length()))
                .toList());
  }

  /** Finds the splits by the names of the files; returns the patterns of files by split. */
  Map<String, List<String>> patterns() throws FormatException {
    Set<String> counted = new TreeSet<>();
    for (String each : matching(COUNTED_GLOB.formatted("*"))) {
      Matcher name = COUNTED.matcher(each.substring("data/".length()));
      if (name.matches()) {
        counted.add(name.group(1));
      }
    }
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (String split : inOrder(counted)) {
      if (!isSplit(split)) {
        throw new FormatException(
            "data/%s-00000-of-... is no name of a split, which has letters, digits and '_'"
                .formatted(split));
      }
      found.put(split, List.of(COUNTED_GLOB.formatted(split)));
    }
    for (int i = 0; found.isEmpty() && i < TABLES.size(); i++) {
      for (String split : inOrder(TABLES.get(i).keySet())) {
        List<String> patterns = TABLES.get(i).get(split);
        for (String each : patterns) {
          if (!matching(each).isEmpty()) {
            found.put(split, patterns);
            break;
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw new FormatException("there are no files of data");
    }
    return found;
  }

  /** Sorts splits: train, validation and test first, and then any others by their names. */
  private static List<String> inOrder(Set<String> splits) {
    Stream<String> usual = WORDS.keySet().stream().filter(splits::contains);
    Stream<String> others = splits.stream().filter(each -> !WORDS.containsKey(each)).sorted();
    return Stream.concat(usual, others).toList();
  }

  private List<String> matching(String pattern) throws FormatException {
    String name = pattern.substring(pattern.lastIndexOf('/') + 1);
    Predicate<String> glob = Glob.of(pattern);
    long special = special(pattern);
    long hidden = hidden(pattern);
    return paths.stream()
        .filter(glob)
        .filter(each -> nameOf(each).equals(name) || !IGNORED.contains(nameOf(each)))
        .filter(each -> special(each) == special && hidden(each) == hidden)
        .toList();
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Counts the directories in a path whose names begin with {@code __}, as {@code __pycache__}. */
  private static long special(String path) {
    String[] parts = path.split("/", -1);
    return Arrays.stream(parts, 0, parts.length - 1).filter(each -> each.startsWith("__")).count();
  }

  private static long hidden(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(each -> each.matches("(?s)\\.+[^.].*"))
        .count();
  }

  /** Returns all extensions of a path: {@code .tar} and {@code .gz} for {@code a.tar.gz}. */
  private static Stream<String> extensions(String path) {
    return Arrays.stream(path.split("\\.", -1)).skip(1).map(each -> "." + each);
  }

  /** Returns the files of data that match at least one pattern; a file is returned once. */
  List<String> matching(List<String> patterns) throws FormatException {
    Set<String> found = new LinkedHashSet<>();
    for (String each : patterns) {
      if (each.startsWith("/") || each.contains("://") || each.contains("::")) {
        throw new FormatException(
            "'%s' names no files of the repository: only those are read".formatted(each));
      }
      List<String> files =
          matching(each.replaceFirst("^(\\./)+", "")).stream()
              .filter(file -> extensions(nameOf(file)).anyMatch(KINDS::containsKey))
              .toList();
      if (files.isEmpty() && !Glob.isPattern(each)) {
        throw new FormatException("there is no file '%s' of data".formatted(each));
      }
      found.addAll(files);
    }
    return List.copyOf(found);
  }

  /** Finds the splits by the names of the files; returns the files by split, all of one kind. */
  Map<String, List<String>> bySplits() throws FormatException {
    Map<String, List<String>> splits = new LinkedHashMap<>();
    Set<String> kinds = new LinkedHashSet<>();
    Kind kind = null;
    for (Map.Entry<String, List<String>> each : patterns().entrySet()) {
      List<String> files = matching(each.getValue());
      kind = kind(files);
      kinds.add(kind == null ? "none that is known" : kind.name);
      splits.put(each.getKey(), files);
    }
    if (kind == null || kinds.size() > 1) {
      throw new FormatException(
          "the splits %s have files of several kinds or of none that is known: %s"
              .formatted(splits.keySet(), kinds));
    }
    Kind all = kind;
    splits.replaceAll((split, files) -> files.stream().filter(each -> isOf(all, each)).toList());
    return splits;
  }

  private static boolean isOf(Kind kind, String path) {
    return extensions(path).anyMatch(each -> kind.extensions.contains(each) || each.equals(ARCHIVE))
        || (kind.isFolder && METADATA.stream().anyMatch(path::endsWith));
  }

  /** Returns the kind of the most frequent known extension (a preferred one at a tie), or null. */
  private static @Nullable Kind kind(List<String> files) {
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Integer> ofMetadata = new HashMap<>();
    for (String each : files) {
      Map<String, Integer> counted = METADATA.contains(nameOf(each)) ? ofMetadata : counts;
      extensions(nameOf(each))
          .forEach(found -> counted.merge(found.toLowerCase(Locale.ROOT), 1, Integer::sum));
    }
    List<String> preferred = List.of(".csv", ".json", ".jsonl", ".arrow", ".lance", ".parquet");
    for (Map<String, Integer> counted : List.of(counts, ofMetadata)) {
      List<String> sorted =
          counted.keySet().stream()
              .filter(KINDS::containsKey)
              .sorted(
                  Comparator.<String>comparingInt(counted::get)
                      .thenComparingInt(preferred::indexOf)
                      .thenComparing(Comparator.naturalOrder())
                      .reversed())
              .toList();
      if (!sorted.isEmpty()) {
        return KINDS.get(sorted.get(0));
      }
    }
    return null;
  }
}
