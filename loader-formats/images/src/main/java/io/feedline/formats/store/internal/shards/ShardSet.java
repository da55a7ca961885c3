package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.FormatException;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
 * Which files a dataset consists of: a file, a pattern like {@code train-*}, or a list. Names like
 * {@code train-00007-of-01024} tell how many there should be, which is checked.
 */
public final class ShardSet {

  /** The suffix of the index of a shard of TFRecord: such a file is not a shard. */
  public static final String INDEX_SUFFIX = ".tfindex";

  private static final Pattern SHARD = Pattern.compile("(.*)-([0-9]{5,9})-of-([0-9]{5,9})(.*)");
  private static final int NAMED = 5;

  private ShardSet() {}

  /**
   * The files of a pattern, sorted by name.
   *
   * @param pattern a file, or a pattern as of {@link java.nio.file.FileSystem#getPathMatcher} in
   *     its last name only
   * @throws IOException if it is a directory, or there is no such file
   */
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

  /**
   * The files that match a pattern, sorted by name; none where it is not a pattern.
   *
   * @throws IOException if the directory cannot be listed
   */
  public static List<Path> matching(Path pattern) throws IOException {
    Path directory = pattern.toAbsolutePath().getParent();
    List<Path> files = new ArrayList<>();
    if (pattern.getFileName() == null || !Presence.isDirectory(directory)) {
      return files;
    }
    String glob = pattern.getFileName().toString();
    try (DirectoryStream<Path> matching = Files.newDirectoryStream(directory, glob)) {
      matching.forEach(
          path -> {
            if (isShard(path)) {
              files.add(pattern.resolveSibling(path.getFileName()));
            }
          });
    } catch (PatternSyntaxException aName) {
      return files;
    }
    Collections.sort(files);
    return files;
  }

  private static boolean isShard(Path path) {
    String name = path.getFileName().toString();
    return !name.startsWith(".")
        && !name.endsWith(INDEX_SUFFIX)
        && !name.endsWith(ClassList.SUFFIX)
        && !name.endsWith(StagedOutput.SUFFIX)
        && !name.contains(StagedOutput.SUFFIX + ".");
  }

  /** The name of a shard. */
  public static String name(String base, int shard, int shards) {
    return String.format(Locale.ROOT, "%s-%05d-of-%05d", base, shard, shards);
  }

  /** The name of a shard as long as it is not known how many there are. */
  public static String unfinishedName(String base, int shard) {
    return String.format(Locale.ROOT, "%s-%05d", base, shard);
  }

  /**
   * Returns the common part of the names of a set's shards: the part before {@code
   * -00007-of-01024}.
   */
  public static Path base(Path shard) {
    Matcher name = SHARD.matcher(shard.getFileName().toString());
    return name.matches() ? shard.resolveSibling(name.group(1)) : shard;
  }

  /**
   * Checks that a directory's files are of one split: a directory of a Hugging Face dataset may
   * have all of them, which a training must not mix.
   *
   * @param eachUncounted whether a file whose name does not count files is a split of its own
   * @throws FormatException if there are several, naming them
   */
  public static void requireOneSplit(Path directory, List<Path> files, boolean eachUncounted)
      throws FormatException {
    Map<String, String> patterns = new TreeMap<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      Matcher counted = SHARD.matcher(name);
      if (counted.matches()) {
        patterns.put(counted.group(1), counted.group(1) + "-*" + counted.group(4));
      } else if (eachUncounted) {
        patterns.put(name, name);
      }
    }
    if (patterns.size() > 1) {
      throw FormatException.in(
          directory,
          "there are files of several splits, %s: name one, such as %s"
              .formatted(
                  patterns.keySet(), directory.resolve(patterns.values().iterator().next())));
    }
  }

  /**
   * Checks that no shard is missing, given twice, or of another set with the same name.
   *
   * @throws FileNotFoundException naming some of those that are missing
   * @throws IOException if one is of another set
   */
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
      SetName set = SetName.of(file, name.group(1) + "-*" + name.group(4));
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

  /**
   * The name of a set of shards.
   *
   * @param files where they are: two file systems may have files of one name
   * @param pattern their path with {@code *} for the numbers; not a {@link Path}, because Windows
   *     allows no asterisk in one
   */
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
