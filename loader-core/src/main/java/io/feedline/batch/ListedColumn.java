package io.feedline.batch;

import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.ListCollator.SampleCollationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** One entry of a batch whose tensors stay apart: each writes itself into memory of its own. */
final class ListedColumn {

  private ListedColumn() {}

  /** Returns the name of a row's tensor. */
  static String nameOf(String entry, int row) {
    return entry + "." + row;
  }

  static void write(String name, List<Object> entries, BatchAssembler batch) throws Exception {
    DType dtype = PaddedColumn.dtype(name, entries.get(0));
    for (int row = 0; row < entries.size(); row++) {
      Object entry = entries.get(row);
      DType found = PaddedColumn.dtype(name, entry);
      if (found != dtype) {
        throw new IllegalArgumentException(
            "entry '%s' is %s in row %d of the batch and %s in row 0"
                .formatted(name, found, row, dtype));
      }
      Shape shape = PaddedColumn.shape(name, entry);
      ByteBuffer target = batch.tensor(nameOf(name, row), dtype, shape);
      try {
        PaddedColumn.write(entry, target);
      } catch (IOException | RuntimeException e) {
        throw new SampleCollationException(row, e);
      }
    }
  }
}
