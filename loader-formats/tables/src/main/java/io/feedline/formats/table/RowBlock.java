package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The rows of a block, converted for samples: one part for each entry of a sample. {@code failures}
 * has the problem of each broken row, by the row's index in the block.
 */
record RowBlock(Path file, int rows, Part[] parts, Map<Integer, String> failures) {

  long bytes() {
    return Stream.of(parts).mapToLong(Part::bytes).sum();
  }

  sealed interface Part {
    long bytes();

    Object of(int row) throws FormatException;
  }

  /** The rows of a tensor entry, one after the other, in the machine's byte order. */
  record Tensors(DType dtype, Shape shape, byte[] memory, int rowBytes) implements Part {
    @Override
    public long bytes() {
      return memory.length;
    }

    @Override
    public Object of(int row) {
      return new Row(this, row);
    }
  }

  private record Row(Tensors all, int row) implements TensorSource {
    @Override
    public DType dtype() {
      return all.dtype;
    }

    @Override
    public Shape shape() {
      return all.shape;
    }

    @Override
    public void writeTo(ByteBuffer target) {
      target.put(all.memory, row * all.rowBytes, all.rowBytes);
    }
  }

  record Values(ColumnValues column, JavaValues form) implements Part {
    @Override
    public long bytes() {
      return column.bytes();
    }

    @Override
    public Object of(int row) throws FormatException {
      return form.of(column, row);
    }
  }
}
