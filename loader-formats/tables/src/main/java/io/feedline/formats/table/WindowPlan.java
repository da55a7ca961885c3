package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.table.Windows.Span;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shape of windows: they have every {@code rate}-th row, and begin {@code stride} apart. */
record WindowPlan(int past, int horizon, int stride, int rate, List<Entry> entries) {

  record Entry(String name, Span of, DType dtype, List<String> columns) {
    RowPlan.Entry ofRow() {
      return new RowPlan.Entry(name, columns, dtype, false, null);
    }
  }

  /** Positions of a window whose rows are adjacent in a block, or that are all filled. */
  record Slice(TableDataset.BlockRow at, int count, boolean filled) {}

  @FunctionalInterface
  interface Rows {
    TableDataset.BlockRow at(long row) throws IOException;
  }

  /** Returns the number of rows of a series from a window's first row to its last, inclusive. */
  int rows() {
    return Math.toIntExact((past + horizon - 1L) * rate + 1);
  }

  int windows(int length) {
    return length < rows() ? 0 : (length - rows()) / stride + 1;
  }

  /** Returns the first window whose row {@code row}, from 0, is at a position or behind it. */
  int firstWindow(int row, int position) {
    long from = (long) position - (long) row * rate;
    return from <= 0 ? 0 : (int) Counts.ceilDiv(from, stride);
  }

  /** Makes a window; {@code fill} replaces missing rows; if null, the row before a gap does. */
  Map<String, Object> sample(Series series, int begin, Rows rows, @Nullable RowBlock fill)
      throws IOException {
    List<Slice> slices = new ArrayList<>(2);
    int end = begin + rows();
    for (int position = begin; position < end; ) {
      int count = Math.min(series.together(position), end - position);
      TableDataset.BlockRow at = rows.at(series.row(position));
      boolean filled = count == 0;
      count =
          filled
              ? Math.min(series.filled(position), end - position)
              : Math.min(count, at.rows().rows() - at.row());
      if (!at.rows().failures().isEmpty()) {
        requireWhole(at, filled ? 1 : count, position - begin);
      }
      slices.add(new Slice(at, count, filled));
      position += count;
    }
    String[] names = new String[entries.size()];
    Object[] values = new Object[names.length];
    for (int i = 0; i < names.length; i++) {
      Entry entry = entries.get(i);
      names[i] = entry.name();
      values[i] = tensor(entry, i, slices, fill);
    }
    return new RowMap(names, values);
  }

  private void requireWhole(TableDataset.BlockRow at, int count, int position)
      throws FormatException {
    for (Map.Entry<Integer, String> failure : at.rows().failures().entrySet()) {
      int row = failure.getKey() - at.row();
      if (row >= 0 && row < count && (position + row) % rate == 0) {
        throw FormatException.in(
            at.rows().file(), at.block().place(failure.getKey()) + ": " + failure.getValue());
      }
    }
  }

  private TensorSource tensor(
      Entry entry, int number, List<Slice> slices, @Nullable RowBlock fill) {
    int from = entry.of() == Span.FUTURE ? past : 0;
    int to = entry.of() == Span.PAST ? past : entry.of() == Span.STATIC ? 1 : past + horizon;
    Shape shape =
        entry.of() == Span.STATIC
            ? Shape.of(entry.columns().size())
            : Shape.of(to - from, entry.columns().size());
    // Static values come from a row of the table, even if the window begins in a gap.
    return new Part(
        entry.dtype(),
        shape,
        number,
        slices,
        entry.of() == Span.STATIC ? null : fill,
        from,
        to,
        rate);
  }

  private record Part(
      DType dtype,
      Shape shape,
      int number,
      List<Slice> slices,
      @Nullable RowBlock fill,
      int from,
      int to,
      int rate)
      implements TensorSource {

    @Override
    public void writeTo(ByteBuffer target) {
      int next = from * rate;
      int end = (to - 1) * rate + 1;
      int begin = 0;
      for (Slice slice : slices) {
        int behind = Math.min(end, begin + slice.count());
        if (next < behind) {
          next = write(slice, next - begin, behind - begin, target) + begin;
        }
        begin += slice.count();
      }
    }

    /** Writes every {@code rate}-th row; returns the next row's position, maybe after the slice. */
    private int write(Slice slice, int first, int behind, ByteBuffer target) {
      boolean constant = slice.filled() && fill != null;
      RowBlock block = constant ? fill : slice.at().rows();
      RowBlock.Tensors rows = (RowBlock.Tensors) block.parts()[number];
      int row = constant ? 0 : slice.at().row();
      int bytes = rows.rowBytes();
      int position = first;
      if (rate == 1 && !slice.filled()) {
        target.put(rows.memory(), (row + first) * bytes, (behind - first) * bytes);
        return behind;
      }
      for (; position < behind; position += rate) {
        target.put(rows.memory(), (row + (slice.filled() ? 0 : position)) * bytes, bytes);
      }
      return position;
    }
  }
}
