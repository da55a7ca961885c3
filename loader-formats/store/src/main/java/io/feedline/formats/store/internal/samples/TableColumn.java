package io.feedline.formats.store.internal.samples;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column of a table file that has values, and not columns of its own. */
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

  /** Returns the name in {@link TableFile#columns}, which does not show lists. */
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
