package io.feedline;

import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.RowCollator.Row;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The memory of one batch, used again for batch after batch.
 *
 * <p>The memory is one block of the {@link HostAllocator}, which is allocated when the slot is
 * first used; each tensor begins on a cache line. A batch that needs more gets a new block, larger
 * by half or more. While a batch is in production, workers write different rows at once. One thread
 * at a time lays out or recycles the slot, ordered by the engine's lock or the batch's own lock.
 *
 * <p>The allocator may be slow, so it is called while a batch is in production, without the
 * engine's lock. The engine's lock is held only when the loader is closed and calls {@link
 * #release}.
 */
final class Slot {

  /** The size of a cache line, and of the widest vector register, in bytes. */
  private static final int ALIGNMENT = 64;

  /** The size of the largest block: the bytes that a buffer can address, less room to align it. */
  private static final long LARGEST = Integer.MAX_VALUE - ALIGNMENT;

  private final HostAllocator allocator;
  private HostAllocator.HostMemory memory;

  private long atLeast = ALIGNMENT;

  /** Further blocks, for tensors beyond the first block; the next batch gets one block instead. */
  private final List<HostAllocator.HostMemory> overflow = new ArrayList<>();

  private RowCollator.Layout layout;
  private int capacity;
  private ByteBuffer[] columns;
  private Object[][] values;
  private SlotRow[] rows = new SlotRow[0];

  private long endOfRows;

  /** The bytes of the block that are in use; the next tensor is cut from the bytes after them. */
  private long used;

  /** The slot's bytes after its last batch; under the engine's lock. */
  private long settledBytes;

  /** True while a batch is in production, so the bytes may grow; under the engine's lock. */
  private boolean producing;

  Slot(HostAllocator allocator) {
    this.allocator = allocator;
  }

  void arrange(RowCollator.Layout newLayout, int newCapacity) {
    joinBlocks();
    if (newLayout.equals(layout) && newCapacity == capacity) {
      used = endOfRows;
      return;
    }
    int count = newLayout.columns().size();
    long[] offsets = new long[count];
    long end = 0;
    for (int i = 0; i < count; i++) {
      if (newLayout.columns().get(i) instanceof Column.OfTensor tensor) {
        offsets[i] = end;
        end = aligned(end + Math.multiplyExact(tensor.rowBytes(), (long) newCapacity));
      }
    }
    forgetLayout();
    ByteBuffer block = reserve(end, newCapacity);
    columns = new ByteBuffer[count];
    values = new Object[count][];
    rows = new SlotRow[newCapacity];
    for (int i = 0; i < count; i++) {
      if (newLayout.columns().get(i) instanceof Column.OfTensor tensor) {
        int bytes = (int) (tensor.rowBytes() * newCapacity);
        columns[i] = block.slice((int) offsets[i], bytes).order(ByteOrder.nativeOrder());
      } else {
        values[i] = new Object[newCapacity];
      }
    }
    layout = newLayout;
    capacity = newCapacity;
    endOfRows = end;
    used = end;
  }

  /** Drops the views of the memory, which would keep direct memory from being freed. */
  private void forgetLayout() {
    layout = null;
    columns = null;
    values = null;
    rows = new SlotRow[0];
  }

  private ByteBuffer reserve(long bytes, int batchRows) {
    if (bytes > LARGEST) {
      throw new IllegalArgumentException(
          "a batch of %s takes %d bytes; one batch has at most %d: lower the batch size"
              .formatted(Counts.of(batchRows, "row"), bytes, LARGEST));
    }
    if (memory == null || memory.buffer().capacity() < bytes) {
      if (memory != null) {
        atLeast = Math.max(atLeast, grown(memory.buffer().capacity()));
        memory.close();
        memory = null;
      }
      memory = allocate(bytes);
    }
    return memory.buffer();
  }

  /** Allocates a block, with room for larger batches if memory suffices. */
  private HostAllocator.HostMemory allocate(long bytes) {
    if (atLeast <= bytes) {
      return allocator.allocate((int) bytes);
    }
    try {
      return allocator.allocate((int) atLeast);
    } catch (OutOfMemoryError e) {
      return allocator.allocate((int) Math.max(bytes, 1));
    }
  }

  /**
   * Returns a size that is larger by half. So the outgrown blocks of a slot, which wait for the
   * garbage collector, are together less than twice the last block.
   *
   * @return at most the size of the largest block, which fits into an {@code int}
   */
  static long grown(long bytes) {
    return Math.min(bytes + bytes / 2, LARGEST);
  }

  private static long aligned(long offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns a row, whose views of the memory are made once and used again. */
  Row row(int number) {
    SlotRow row = rows[number];
    if (row == null) {
      row = new SlotRow(number);
      rows[number] = row;
    }
    return row;
  }

  void copyRow(int from, int to) {
    copyRow(this, from, to);
  }

  void copyRow(Slot other, int from, int to) {
    Row source = other.row(from);
    Row target = row(to);
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] == null) {
        values[i][to] = other.values[i][from];
      } else {
        target.bytes(i).put(source.bytes(i));
      }
    }
  }

  Map<String, Object> entries(int size, boolean batched) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < columns.length; i++) {
      Column column = layout.columns().get(i);
      if (column instanceof Column.OfTensor tensor) {
        ByteBuffer bytes = columns[i].slice(0, (int) (tensor.rowBytes() * size));
        Shape shape = batched ? tensor.shape().prepend(size) : tensor.shape();
        entries.put(tensor.name(), Tensor.of(tensor.dtype(), shape, bytes));
      } else {
        entries.put(column.name(), fixed(Arrays.asList(values[i]).subList(0, size)));
      }
    }
    return entries;
  }

  /** Returns an unmodifiable copy, which may contain nulls. */
  private static List<Object> fixed(List<?> list) {
    return Collections.unmodifiableList(new ArrayList<>(list));
  }

  Assembler assembler() {
    joinBlocks();
    layout = null;
    used = 0;
    return new Assembler();
  }

  /**
   * Cuts a tensor from the unused part of the block. If there is no room, the tensor gets a block
   * of its own, and the next batch gets a larger block.
   */
  Tensor cut(DType dtype, Shape shape) {
    return Tensor.of(dtype, shape, cut(Tensor.byteSize(dtype, shape), shape));
  }

  private ByteBuffer cut(long bytes, Shape shape) {
    if (bytes > LARGEST) {
      throw new IllegalArgumentException(
          "a %d-byte tensor of shape %s; one has at most %d bytes"
              .formatted(bytes, shape, LARGEST));
    }
    if (memory == null) {
      memory = allocate(bytes);
    }
    if (used + bytes <= memory.buffer().capacity()) {
      ByteBuffer piece = memory.buffer().slice((int) used, (int) bytes);
      used = aligned(used + bytes);
      return piece;
    }
    HostAllocator.HostMemory block = allocator.allocate((int) Math.max(bytes, 1));
    overflow.add(block);
    return block.buffer().slice(0, (int) bytes);
  }

  /** Frees memory that was allocated in pieces, so that the next batch allocates one block. */
  private void joinBlocks() {
    if (!overflow.isEmpty()) {
      // The next batch is likely to be as large.
      long together = bytes() + (1L + overflow.size()) * ALIGNMENT;
      long first = memory == null ? 0 : memory.buffer().capacity();
      atLeast = Math.min(Math.max(together, grown(first)), LARGEST);
      release();
    }
  }

  /** Drops the values of the batch; keeps the memory for the next batch. */
  void recycle() {
    if (layout != null) {
      for (Object[] column : values) {
        if (column != null) {
          Arrays.fill(column, null);
        }
      }
    }
  }

  /** Frees the memory; a slot that is used again allocates new memory. */
  void release() {
    forgetLayout();
    if (memory != null) {
      memory.close();
      memory = null;
    }
    overflow.forEach(HostAllocator.HostMemory::close);
    overflow.clear();
  }

  long bytes() {
    long bytes = memory == null ? 0 : memory.buffer().capacity();
    for (HostAllocator.HostMemory block : overflow) {
      bytes += block.buffer().capacity();
    }
    return bytes;
  }

  /** Returns the slot's bytes; in production, at least the bytes of the largest batch so far. */
  long expectedBytes(long largest) {
    return producing ? Math.max(settledBytes, largest) : settledBytes;
  }

  void reserveUnknown() {
    producing = true;
  }

  void confirmSize() {
    producing = false;
    settledBytes = bytes();
  }

  /** One row; each worker writes rows that no other worker writes. */
  private final class SlotRow implements Row {
    private final int number;
    private final ByteBuffer[] bytes = new ByteBuffer[columns.length];

    SlotRow(int number) {
      this.number = number;
      for (int i = 0; i < bytes.length; i++) {
        if (layout.columns().get(i) instanceof Column.OfTensor tensor) {
          int length = (int) tensor.rowBytes();
          bytes[i] = columns[i].slice(number * length, length);
        }
      }
    }

    @Override
    public ByteBuffer bytes(int column) {
      if (bytes[column] == null) {
        throw notA("tensor", column);
      }
      return bytes[column].clear().order(ByteOrder.nativeOrder());
    }

    @Override
    public void putLong(int column, long value) {
      scalar(column, DType.INT64).putLong(0, value);
    }

    @Override
    public void putFloat(int column, float value) {
      scalar(column, DType.FLOAT32).putFloat(0, value);
    }

    @Override
    public void putDouble(int column, double value) {
      scalar(column, DType.FLOAT64).putDouble(0, value);
    }

    @Override
    public void putBoolean(int column, boolean value) {
      scalar(column, DType.BOOL).put(0, (byte) (value ? 1 : 0));
    }

    @Override
    public void putValue(int column, Object value) {
      if (values[column] == null) {
        throw notA("value", column);
      }
      values[column][number] = value;
    }

    private ByteBuffer scalar(int column, DType dtype) {
      if (layout.columns().get(column) instanceof Column.OfTensor tensor
          && tensor.dtype() == dtype
          && tensor.shape().elements() == 1) {
        return bytes(column);
      }
      throw notA("single " + dtype, column);
    }

    private IllegalArgumentException notA(String wanted, int column) {
      return new IllegalArgumentException(
          "column %d is %s, not a %s column"
              .formatted(column, layout.columns().get(column), wanted));
    }
  }

  /** An assembler that cuts a list collator's tensors one after the other from the slot. */
  final class Assembler implements BatchAssembler {

    private final Map<String, Object> entries = new LinkedHashMap<>();

    @Override
    public ByteBuffer tensor(String name, DType dtype, Shape shape) {
      Tensor tensor = cut(dtype, shape);
      register(name, tensor);
      return tensor.bytes();
    }

    @Override
    public void values(String name, List<?> list) {
      register(name, fixed(list));
    }

    private void register(String name, Object entry) {
      if (entries.putIfAbsent(Objects.requireNonNull(name, "name"), entry) != null) {
        throw new IllegalArgumentException("the batch already has an entry '" + name + "'");
      }
    }

    /** Returns the entries of the batch, each a tensor or a list. */
    Map<String, Object> entries() {
      return entries;
    }
  }
}
