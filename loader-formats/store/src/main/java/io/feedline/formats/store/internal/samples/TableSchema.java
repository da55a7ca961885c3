package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

public interface TableSchema<C extends TableColumn> {

  Path file();

  /** Returns the columns whose names are unique, in the file's order; unmodifiable. */
  Map<String, C> leaves();

  default Set<String> repeated() {
    return Set.of();
  }

  static void requireOne(Path file, Set<String> repeated, String name) throws FormatException {
    if (repeated.contains(name)) {
      throw FormatException.in(
          file,
          "several columns are called '%s', so none can be read by that name; rename them, or choose other columns"
              .formatted(name));
    }
  }

  /** Adds the columns with unique names to a map; returns the names that several columns have. */
  static <C extends TableColumn> Set<String> index(TableSchema<C> schema, Map<String, C> columns) {
    Set<String> repeated = new TreeSet<>(schema.repeated());
    for (C column : schema.leaves().values()) {
      if (columns.putIfAbsent(column.tableName(), column) != null) {
        repeated.add(column.tableName());
      }
    }
    columns.keySet().removeAll(repeated);
    return repeated;
  }

  static Set<String> names(Map<String, ?> columns, Set<String> repeated) {
    Set<String> names = new LinkedHashSet<>(columns.keySet());
    names.addAll(repeated);
    return Collections.unmodifiableSet(names);
  }

  @Nullable String text(String key);
}
