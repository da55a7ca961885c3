package io.feedline.formats.store.internal.samples;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column with values in a table file; a structure, which only contains columns, is not one. */
public interface TableColumn {

  enum Kind {
    BYTES,
    /** Texts, if the file distinguishes them from byte strings. */
    TEXT,
    INTEGER,
    NOTHING,
    OTHER
  }

  List<String> path();

  Kind kind();

  String type();

  boolean isRepeated();

  default String name() {
    return String.join(".", path());
  }

  /** Returns the name in {@link TableFile#columns}: a list's name, not that of its elements. */
  default String tableName() {
    return name();
  }

  default boolean isText() {
    return kind() == Kind.TEXT;
  }

  /** Returns the unit in which a date or a timestamp counts since 1970; null for other columns. */
  default @Nullable Duration timeUnit() {
    return null;
  }

  default String described() {
    return described(name());
  }

  default String described(String name) {
    return name + " (" + type() + (isRepeated() ? ", repeated)" : ")");
  }
}
