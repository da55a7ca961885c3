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

  private static final String SAME_ENTRIES =
      "give all samples the same entries, with Dataset.map, or set a collator";

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
   * found in it and what was expected, and say what can be done.
   *
   * @param whose whose layout this is: {@code row 0 of the batch}
   */
  String difference(BatchLayout found, String whose) {
    for (Column expected : columns) {
      Column other = found.column(expected.name());
      if (other == null) {
        return "entry '%s' is missing, which %s has; expected %s, found %s; %s"
            .formatted(expected.name(), whose, columns, found.columns, SAME_ENTRIES);
      }
      if (!other.equals(expected)) {
        return "entry %s differs from %s, which %s has; %s"
            .formatted(other, expected, whose, remedy(other, expected));
      }
    }
    for (Column other : found.columns) {
      if (column(other.name()) == null) {
        return "entry '%s' is one that %s does not have; expected %s, found %s; %s"
            .formatted(other.name(), whose, columns, found.columns, SAME_ENTRIES);
      }
    }
    return "the entries come in another order than %s has them: expected %s, found %s; %s"
        .formatted(whose, columns, found.columns, SAME_ENTRIES);
  }

  private static String remedy(Column found, Column expected) {
    return found instanceof Column.OfTensor one
            && expected instanceof Column.OfTensor other
            && one.dtype() == other.dtype()
        ? "give all samples one shape (images: resize or crop them to one size, by"
            + " Resize.of(height, width), CenterCrop or RandomResizedCrop), or pad the entry with a"
            + " PaddingCollator"
        : "give all samples one type, with Dataset.map";
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
