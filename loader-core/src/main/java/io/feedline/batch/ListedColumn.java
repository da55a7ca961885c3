package io.feedline.batch;

import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.ListCollator.SampleCollationException;
import io.feedline.internal.Majority;
import java.util.ArrayList;
import java.util.List;

/** An entry of a batch that stays a list of tensors, each in its own memory. */
final class ListedColumn {

  private ListedColumn() {}

  static String nameOf(String entry, int row) {
    return entry + "." + row;
  }

  static void write(String name, List<Object> entries, BatchAssembler batch) throws Exception {
    List<DType> dtypes = new ArrayList<>();
    List<Shape> shapes = new ArrayList<>();
    for (Object entry : entries) {
      SampleCollationException.guard(
          shapes.size(),
          () -> {
            dtypes.add(PaddedColumn.dtype(name, entry));
            shapes.add(PaddedColumn.shape(name, entry));
          });
    }
    int usual = Majority.first(dtypes);
    for (int row = 0; row < entries.size(); row++) {
      if (dtypes.get(row) != dtypes.get(usual)) {
        throw SampleCollationException.of(
            row,
            "entry '%s' is %s in row %d of the batch and %s in row %d"
                .formatted(name, dtypes.get(row), row, dtypes.get(usual), usual));
      }
    }
    for (int row = 0; row < entries.size(); row++) {
      Object entry = entries.get(row);
      var target = batch.tensor(nameOf(name, row), dtypes.get(row), shapes.get(row));
      SampleCollationException.guard(row, () -> PaddedColumn.write(entry, target));
    }
  }
}
