package io.feedline;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a batch, in order. All samples of a batch share one layout; two batches of a
 * loader may differ.
 *
 * @param columns with unique names
 */
public record BatchLayout(List<Column> columns) {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if two columns have one name
   */
  public BatchLayout {
    columns = List.copyOf(columns);
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      if (!names.add(column.name())) {
        throw new IllegalArgumentException(
            "two entries of the batch are called '" + column.name() + "': " + columns);
      }
    }
  }

  /**
   * Returns in what another layout differs from this one, in words that name the entry, what was
   * found in it and what was expected.
   */
  String difference(BatchLayout found) {
    for (Column expected : columns) {
      Column other = found.column(expected.name());
      if (other == null) {
        return "entry '%s' is missing; expected %s, found %s"
            .formatted(expected.name(), columns, found.columns);
      }
      if (!other.equals(expected)) {
        return "entry %s differs from %s".formatted(other, expected);
      }
    }
    for (Column other : found.columns) {
      if (column(other.name()) == null) {
        return "entry '%s' is not in the batch's first sample; expected %s, found %s"
            .formatted(other.name(), columns, found.columns);
      }
    }
    return "the entries come in another order: expected %s, found %s"
        .formatted(columns, found.columns);
  }

  private Column column(String name) {
    for (Column column : columns) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    return null;
  }
}
