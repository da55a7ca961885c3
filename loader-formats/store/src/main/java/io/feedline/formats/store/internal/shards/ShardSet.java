package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The files of a dataset, which are given as a file, a pattern like {@code train-*}, or a list.
 * Names like {@code train-00007-of-01024} contain the number of files, which is checked.
 */
public final class ShardSet {

  public static final String INDEX_SUFFIX = ".tfindex";

  /** A shard's name; Hugging Face's hub adds a digest, which differs from shard to shard. */
  private static final Pattern SHARD =
      Pattern.compile("(.*)-([0-9]{5,9})-of-([0-9]{5,9})(-[0-9a-f]{8,64})?(.*)");

  private static final Pattern WORD = Pattern.compile("\\p{Lu}+\\p{Ll}*|[\\p{L}&&[^\\p{Lu}]]+");

  private static final Set<String> SPLITS =
      Set.of(
          ("train training trainset trn val valid validation valset dev devel test testing testset"
                  + " tst eval evaluation holdout")
              .split(" "));

  private static final int NAMED = 5;

  private ShardSet() {}

  /** Returns the files of a pattern, sorted by name; only the path's last name is a pattern. */
  public static List<Path> resolve(Path pattern) throws IOException {
    if (Presence.exists(pattern)) {
      if (Presence.isDirectory(pattern)) {
        throw new IOException(
            "%s is a directory; name its shards, for example %s*"
                .formatted(pattern, pattern.resolve("train-")));
      }
      return List.of(pattern);
    }
    List<Path> files = matching(pattern);
    if (files.isEmpty()) {
      throw new FileNotFoundException(
          "there is no file %s in %s"
              .formatted(pattern.getFileName(), pattern.toAbsolutePath().getParent()));
    }
    return files;
  }

  public static List<Path> matching(Path pattern) throws IOException {
    Path directory = pattern.toAbsolutePath().getParent();
    List<Path> files = new ArrayList<>();
    if (!String.valueOf(pattern.getFileName()).matches("(?s).*[*?\\[{\\\\].*")
        || !Presence.isDirectory(directory)) {
      return files;
    }
    String glob = pattern.getFileName().toString();
    try (DirectoryStream<Path> matching = Files.newDirectoryStream(directory, glob)) {
      for (Path path : matching) {
        if (isShard(path) && !Presence.isDirectory(path)) {
          files.add(pattern.resolveSibling(path.getFileName()));
        }
      }
    } catch (PatternSyntaxException aName) {
      return files;
    }
    Collections.sort(files);
    return files;
  }

  private static boolean isShard(Path path) {
    String name = path.getFileName().toString();
    return !name.startsWith(".")
        && !name.matches(".*\\.(tfindex|feedline-index|scan-index)")
        && !name.endsWith(ClassList.SUFFIX)
        && !name.endsWith(StagedOutput.SUFFIX)
        && !name.contains(StagedOutput.SUFFIX + ".");
  }

  public static String name(String base, int shard, int shards) {
    return String.format(Locale.ROOT, "%s-%05d-of-%05d", base, shard, shards);
  }

  public static String unfinishedName(String base, int shard) {
    return String.format(Locale.ROOT, "%s-%05d", base, shard);
  }

  /** Returns a shard's path without {@code -00007-of-01024} and the rest of the name. */
  public static Path base(Path shard) {
    Matcher name = SHARD.matcher(shard.getFileName().toString());
    return name.matches() ? shard.resolveSibling(name.group(1)) : shard;
  }

  /**
   * Checks that the files of a directory, of any format, are of one split: a training must not read
   * the test data. Splits are recognized by names: counted files have the same name except for the
   * number, and a word such as {@code train} or {@code val} is in the names of all files, or of
   * none.
   *
   * @param eachUncounted whether a file whose name does not count files is a split of its own
   */
  public static void requireOneSplit(Path directory, List<Path> files, boolean eachUncounted)
      throws FormatException {
    Map<String, List<String>> splits = new TreeMap<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      Matcher counted = SHARD.matcher(name);
      String split = counted.matches() ? counted.group(1) : eachUncounted ? name : splitWords(name);
      splits.computeIfAbsent(split, first -> new ArrayList<>()).add(name);
    }
    if (splits.size() > 1) {
      List<String> others = splits.remove("");
      throw FormatException.in(
          directory,
          "there are files of several splits, %s%s: name one, such as %s"
              .formatted(
                  splits.keySet(),
                  others == null ? "" : " and others, such as " + others.get(0),
                  directory.resolve(pattern(splits.values().iterator().next()))));
    }
  }

  private static String pattern(List<String> names) {
    Matcher counted = SHARD.matcher(names.get(0));
    if (counted.matches()) {
      return counted.group(1) + "-*" + counted.group(5);
    }
    return names.size() == 1 ? names.get(0) : names.get(0).replaceAll("[0-9]+", "*");
  }

  public static void requireNoSplits(Path root, Collection<String> names, String instead)
      throws FormatException {
    List<String> splits =
        names.stream()
            .filter(name -> !splitWords(name).isEmpty() && SPLITS.containsAll(words(name)))
            .toList();
    if (splits.size() > 1) {
      throw FormatException.in(
          root,
          "there are directories of several splits, %s: give one, such as %s; %s"
              .formatted(splits, root.resolve(splits.get(0)), instead));
    }
  }

  private static String splitWords(String name) {
    return String.join(" ", words(name).stream().filter(SPLITS::contains).toList());
  }

  /** Returns a name's words in lower case: {@code [my, train, tar]} of {@code myTrain-007.tar}. */
  private static Set<String> words(String name) {
    Set<String> words = new LinkedHashSet<>();
    WORD.matcher(name).results().forEach(word -> words.add(word.group().toLowerCase(Locale.ROOT)));
    return words;
  }

  /** Checks that no shard is missing, given twice, or of another set with the same name. */
  public static void requireComplete(List<Path> files) throws IOException {
    Set<Path> seen = new HashSet<>();
    Map<SetName, Integer> totals = new HashMap<>();
    Map<SetName, Set<Integer>> present = new LinkedHashMap<>();
    for (Path file : files) {
      if (!seen.add(file.toAbsolutePath().normalize())) {
        throw new IllegalArgumentException(file + " is given twice");
      }
      Matcher name = SHARD.matcher(file.getFileName().toString());
      if (!name.matches()) {
        continue;
      }
      SetName set = SetName.of(file, name.group(1) + "-*" + name.group(5));
      int shard = Integer.parseInt(name.group(2));
      int total = Integer.parseInt(name.group(3));
      if (shard >= total) {
        throw new IOException("%s: there is no shard %d of %d".formatted(file, shard, total));
      }
      Integer other = totals.putIfAbsent(set, total);
      if (other != null && other != total) {
        throw new IOException(
            "%s: a set of %s is mixed with one of %d"
                .formatted(file, Counts.of(total, "shard"), other));
      }
      present.computeIfAbsent(set, key -> new TreeSet<>()).add(shard);
    }
    for (Map.Entry<SetName, Set<Integer>> each : present.entrySet()) {
      requireAll(each.getKey(), each.getValue(), totals.get(each.getKey()));
    }
  }

  /** The pattern of the names of a set of shards; a text, as Windows' paths have no asterisk. */
  private record SetName(FileSystem files, String pattern) {

    static SetName of(Path shard, String name) {
      String path = shard.toString();
      int directory = path.length() - shard.getFileName().toString().length();
      return new SetName(shard.getFileSystem(), path.substring(0, directory) + name);
    }
  }

  private static void requireAll(SetName set, Set<Integer> present, int total)
      throws FileNotFoundException {
    int missing = total - present.size();
    if (missing == 0) {
      return;
    }
    List<Integer> some = new ArrayList<>();
    for (int i = 0; some.size() < Math.min(NAMED, missing); i++) {
      if (!present.contains(i)) {
        some.add(i);
      }
    }
    throw new FileNotFoundException(
        "%s: %d of %d shards are missing: %s%s. allowMissingShards(true) reads the others"
            .formatted(
                set.pattern(), missing, total, some, missing > some.size() ? " and more" : ""));
  }
}
