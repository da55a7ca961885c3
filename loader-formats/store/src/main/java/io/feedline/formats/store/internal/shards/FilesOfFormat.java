package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The rule by which a format recognizes its files: a pattern for their names. */
public record FilesOfFormat(Pattern name) {

  public static FilesOfFormat matching(String regex) {
    return new FilesOfFormat(Pattern.compile(regex));
  }

  /**
   * Returns the path if it matches; for a directory, its matching, not hidden files, sorted. An
   * entry that is a directory is no file of a format, whatever its name.
   */
  public List<Path> at(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return Presence.exists(path) && matches(path) ? List.of(path) : List.of();
    }
    List<Path> files = new ArrayList<>();
    try (var entries = Files.list(path)) {
      for (Path entry : (Iterable<Path>) entries.sorted()::iterator) {
        if (matches(entry) && !isHidden(entry) && !Presence.isDirectory(entry)) {
          files.add(entry);
        }
      }
    }
    return files;
  }

  /** Tests for a leading dot, as in names that macOS adds to archives and foreign disks. */
  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }

  public boolean matches(Path file) {
    return name.matcher(String.valueOf(file.getFileName())).matches();
  }

  public boolean anyAt(Path path) throws IOException {
    return !at(path).isEmpty();
  }

  public boolean anyMatching(Path pattern) throws IOException {
    for (Path file : ShardSet.matching(pattern)) {
      if (anyAt(file)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a dataset's files; see {@link ShardSet#requireOneSplit} for {@code eachUncounted}. */
  public List<Path> ofDataset(Path path, boolean allowMissing, boolean eachUncounted)
      throws IOException {
    boolean directory = Presence.isDirectory(path);
    List<Path> files = directory ? allAt(path) : ShardSet.resolve(path);
    if (!allowMissing) {
      ShardSet.requireComplete(files);
    }
    if (directory) {
      ShardSet.requireOneSplit(path, files, eachUncounted);
    }
    return files;
  }

  public static boolean beginsWith(Path path, int... bytes) throws IOException {
    if (!Presence.isFile(path)) {
      return false;
    }
    try (OpenFile file = OpenFile.of(path)) {
      byte[] first = new byte[bytes.length];
      if (file.length() < first.length) {
        return false;
      }
      file.read(0, first, 0, first.length);
      for (int i = 0; i < bytes.length; i++) {
        if (first[i] != (byte) bytes[i]) {
          return false;
        }
      }
      return true;
    }
  }

  /** Returns the path if it is a file of any name; for a directory, its only matching file. */
  public Path onlyAt(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return path;
    }
    List<Path> files = at(path);
    if (files.size() != 1) {
      throw FormatException.in(
          path,
          "there are %d files whose names match %s: give one of them"
              .formatted(files.size(), name));
    }
    return files.get(0);
  }

  /** Returns the path if it is a file of any name; for a directory, all its matching files. */
  public List<Path> allAt(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> files = at(path);
    if (files.isEmpty()) {
      throw FormatException.in(path, "there is no file whose name matches " + name);
    }
    return files;
  }
}
