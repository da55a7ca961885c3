package io.feedline;

import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Column;

/** A description of how the layouts of two samples of a batch differ. */
final class LayoutDifference {

  private static final String SAME_ENTRIES =
      "give all samples the same entries, with Dataset.map, or set a collator";

  private LayoutDifference() {}

  /**
   * Returns a text with the entry that differs, its found and expected form, and a remedy.
   *
   * @param whose the owner of the expected layout, for example {@code row 0 of the batch}
   */
  static String between(RowCollator.Layout expected, RowCollator.Layout found, String whose) {
    for (Column column : expected.columns()) {
      Column other = column(found, column.name());
      if (other == null) {
        return "entry '%s' is missing, which %s has; expected %s, found %s; %s"
            .formatted(column.name(), whose, expected.columns(), found.columns(), SAME_ENTRIES);
      }
      if (!other.equals(column)) {
        return "entry %s differs from %s, which %s has; %s"
            .formatted(other, column, whose, remedy(other, column));
      }
    }
    for (Column other : found.columns()) {
      if (column(expected, other.name()) == null) {
        return "entry '%s' is one that %s does not have; expected %s, found %s; %s"
            .formatted(other.name(), whose, expected.columns(), found.columns(), SAME_ENTRIES);
      }
    }
    return "the entries come in another order than %s has them: expected %s, found %s; %s"
        .formatted(whose, expected.columns(), found.columns(), SAME_ENTRIES);
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

  private static Column column(RowCollator.Layout layout, String name) {
    for (Column column : layout.columns()) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    return null;
  }
}
