package io.feedline.formats.store.internal.samples;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table file, and the texts that programs have put beside them.
 *
 * @param <C> a column
 */
public interface TableSchema<C extends TableColumn> {

  /** The file. */
  Path file();

  /** All columns that have values, by name, in the order of the file; unmodifiable. */
  Map<String, C> leaves();

  /** A text that a program has put into the metadata; null if it has no text of that name. */
  @Nullable String text(String key);
}
