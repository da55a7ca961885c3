package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** A format of tables of numbers, texts or images; found by {@link ServiceLoader}. Thread-safe. */
public interface TableFormat {

  String name();

  FilesOfFormat names();

  default List<String> beginnings() {
    return List.of();
  }

  /** Tests whether files without numbers in their names are splits, not parts of one table. */
  default boolean splitsByName() {
    return false;
  }

  default boolean recognizes(Path path) throws IOException {
    if (!Presence.exists(path)) {
      return names().anyMatching(path);
    }
    boolean found = names().anyAt(path);
    for (String beginning : beginnings()) {
      found = found || FilesOfFormat.beginsWith(path, beginning.chars().toArray());
    }
    return found;
  }

  default List<Path> files(Path path, boolean allowMissing) throws IOException {
    return names().ofDataset(path, allowMissing, splitsByName());
  }

  static List<Path> listed(List<Path> files, boolean allowMissing) throws IOException {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("a table needs one file or more, and none is listed");
    }
    if (!allowMissing) {
      ShardSet.requireComplete(files);
    }
    return files;
  }

  /** Opens a file. Only formats of text use the options. */
  TableFile open(OpenFiles files, Path file, TextOptions options) throws IOException;

  /**
   * The form of tables that are texts.
   *
   * @param delimiter the character between fields; 0 for a tab in .tsv files and a comma in others
   * @param columns the names of the columns; empty if the first line has them
   */
  record TextOptions(char delimiter, List<String> columns) {
    public static final TextOptions DEFAULT = new TextOptions('\0', List.of());
  }

  static Optional<TableFormat> find(Path path) throws IOException {
    for (TableFormat format : all()) {
      if (format.recognizes(path)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  static TableFormat of(Path path) throws IOException {
    Optional<TableFormat> found = find(path);
    if (found.isPresent()) {
      return found.get();
    }
    if (!Presence.exists(path)) {
      throw MissingPaths.at(path);
    }
    List<String> names = new ArrayList<>();
    all().forEach(format -> names.add(format.name()));
    throw FormatException.in(
        path,
        "this is not a table; expected one of %s, or a directory with files of one of them"
            .formatted(names));
  }

  private static ServiceLoader<TableFormat> all() {
    return ServiceLoader.load(TableFormat.class, TableFormat.class.getClassLoader());
  }
}
