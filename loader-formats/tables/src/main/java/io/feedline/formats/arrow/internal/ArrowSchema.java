package io.feedline.formats.arrow.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** A file's columns, with the indices of their nodes and buffers in a batch, parents first. */
final class ArrowSchema implements TableSchema<ArrowSchema.Column> {

  private static final int MAX_DEPTH = 64;

  /** The largest number of fields: since fields can share children, a small file can have many. */
  private static final int MAX_FIELDS = 1 << 16;

  private final Path file;
  private final short version;
  private final Map<String, Column> leaves = new LinkedHashMap<>();
  private final Set<String> repeated = new TreeSet<>();
  private final Map<String, String> texts = new HashMap<>();
  private int nodes;
  private int buffers;

  /** The number of columns of views so far; a batch says how many data buffers each of them has. */
  private int views;

  private int fields;

  /** A node; {@code buffer} does not count data buffers of {@code views} view columns before it. */
  record Level(int node, int buffer, int views, byte type, int listSize) {
    boolean isList() {
      return type == Type.List
          || type == Type.LargeList
          || type == Type.Map
          || type == Type.FixedSizeList;
    }
  }

  /**
   * A column of values; {@code levels} are its nodes, from the outermost to the column's own.
   * {@code value} is null if the type is not supported.
   */
  record Column(
      List<String> path,
      Kind kind,
      String type,
      boolean isRepeated,
      List<Level> levels,
      @Nullable ArrowValue value,
      @Nullable Duration timeUnit)
      implements TableColumn {

    /** Returns the path without inner names of lists: {@code tokens} for {@code tokens.item}. */
    @Override
    public String tableName() {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < path.size(); i++) {
        if (i == 0 || !levels.get(i - 1).isList()) {
          names.add(path.get(i));
        }
      }
      return String.join(".", names);
    }

    @Override
    public boolean isText() {
      return TableColumn.super.isText()
          || (value != null && value.kind() == ColumnValues.Kind.TEXT);
    }

    Level level() {
      return levels.get(levels.size() - 1);
    }
  }

  ArrowSchema(Path file, Schema schema, short version) throws FormatException {
    this.file = file;
    this.version = version;
    if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
      throw new FormatException(
          "metadata of version %d is not read; versions 4 and 5 are, of Arrow 0.8 and newer"
              .formatted(version + 1));
    }
    if (schema.endianness() != Endianness.Little) {
      throw new FormatException(
          "the numbers are big-endian; write it again on a little-endian machine");
    }
    for (int i = 0; i < schema.customMetadataLength(); i++) {
      KeyValue text = schema.customMetadata(i);
      if (text.key() != null && text.value() != null) {
        texts.putIfAbsent(text.key(), text.value());
      }
    }
    for (int i = 0; i < schema.fieldsLength(); i++) {
      add(schema.fields(i), List.of(), List.of(), false);
    }
    leaves.keySet().removeAll(repeated);
  }

  short version() {
    return version;
  }

  private void add(Field field, List<String> parent, List<Level> above, boolean repeated)
      throws FormatException {
    if (parent.size() > MAX_DEPTH || ++fields > MAX_FIELDS) {
      throw new FormatException(
          "the schema has more than %d fields, or is nested deeper than %d levels"
              .formatted(MAX_FIELDS, MAX_DEPTH));
    }
    List<String> path = new ArrayList<>(parent);
    path.add(field.name() == null ? "" : field.name());
    List<Level> levels = new ArrayList<>(above);
    byte type = field.typeType();
    levels.add(new Level(nodes++, buffers, views, type, ArrowValue.listSize(field)));
    String name = type > 0 && type < Type.names.length ? Type.name(type) : "type " + type;
    if (field.dictionary() != null) {
      // A batch contains indices into the dictionary; the dictionary has the children's values.
      buffers += 2;
      leaf(path, TableColumn.Kind.OTHER, "dictionary of " + name, repeated, levels, field);
      return;
    }
    switch (type) {
      case Type.Null -> {}
      case Type.Int,
          Type.FloatingPoint,
          Type.Bool,
          Type.Decimal,
          Type.Date,
          Type.Time,
          Type.Timestamp,
          Type.Interval,
          Type.Duration,
          Type.FixedSizeBinary ->
          buffers += 2;
      case Type.Binary, Type.Utf8, Type.LargeBinary, Type.LargeUtf8 -> buffers += 3;
      case Type.BinaryView, Type.Utf8View -> {
        buffers += 2;
        views++;
      }
      case Type.List, Type.LargeList, Type.Map -> buffers += 2;
      case Type.ListView, Type.LargeListView -> buffers += 3;
      case Type.Struct_, Type.FixedSizeList -> buffers += 1;
      case Type.RunEndEncoded -> {}
      case Type.Union -> {
        org.apache.arrow.flatbuf.Union union =
            (org.apache.arrow.flatbuf.Union) field.type(new org.apache.arrow.flatbuf.Union());
        buffers += union.mode() == org.apache.arrow.flatbuf.UnionMode.Dense ? 2 : 1;
      }
      default ->
          throw new FormatException(
              "column %s is of a type that is not known, number %d"
                  .formatted(String.join(".", path), type));
    }
    // In version 4 these types have a validity buffer; RunEndEncoded too, although it is newer.
    if (version == MetadataVersion.V4 && (type == Type.Union || type == Type.RunEndEncoded)) {
      buffers++;
    }
    if (field.childrenLength() > 0) {
      boolean below = repeated || type != Type.Struct_;
      for (int i = 0; i < field.childrenLength(); i++) {
        add(field.children(i), path, levels, below);
      }
      return;
    }
    switch (type) {
      case Type.Int -> {
        Int number = (Int) field.type(new Int());
        int bits = number.bitWidth();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
          throw new FormatException(
              "column %s has whole numbers of %d bits".formatted(String.join(".", path), bits));
        }
        String kind = (number.isSigned() ? "Int" : "UInt") + bits;
        leaf(path, TableColumn.Kind.INTEGER, kind, repeated, levels, field);
      }
      case Type.Binary, Type.LargeBinary ->
          leaf(path, TableColumn.Kind.BYTES, name, repeated, levels, field);
      case Type.Utf8, Type.LargeUtf8 ->
          leaf(path, TableColumn.Kind.TEXT, name, repeated, levels, field);
      case Type.Null -> leaf(path, TableColumn.Kind.NOTHING, name, repeated, levels, field);
      default -> leaf(path, TableColumn.Kind.OTHER, name, repeated, levels, field);
    }
  }

  private void leaf(
      List<String> path,
      TableColumn.Kind kind,
      String type,
      boolean repeated,
      List<Level> levels,
      Field field)
      throws FormatException {
    Column column =
        new Column(
            List.copyOf(path),
            kind,
            type,
            repeated,
            List.copyOf(levels),
            ArrowValue.of(field),
            ArrowValue.timeUnit(field));
    if (leaves.putIfAbsent(column.name(), column) != null) {
      this.repeated.add(column.name());
    }
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public Map<String, Column> leaves() {
    return Collections.unmodifiableMap(leaves);
  }

  @Override
  public Set<String> repeated() {
    return Collections.unmodifiableSet(repeated);
  }

  @Override
  public String text(String key) {
    return texts.get(key);
  }

  /**
   * Checks a batch; returns an array whose element {@code i} is the number of data buffers of the
   * first {@code i} columns of views.
   */
  long[] viewBuffers(RecordBatch batch) throws FormatException {
    if (batch.variadicBufferCountsLength() != views) {
      throw new FormatException(
          "it counts the buffers of %d columns of views, the schema has %d"
              .formatted(batch.variadicBufferCountsLength(), views));
    }
    long[] before = new long[views + 1];
    for (int i = 0; i < views; i++) {
      long count = batch.variadicBufferCounts(i);
      if (count < 0 || count > batch.buffersLength()) {
        throw new FormatException("a column of views has %d buffers".formatted(count));
      }
      before[i + 1] = before[i] + count;
    }
    if (batch.nodesLength() != nodes || batch.buffersLength() != buffers + before[views]) {
      throw new FormatException(
          "it has %d nodes and %d buffers, by the schema they are %d and %d"
              .formatted(
                  batch.nodesLength(), batch.buffersLength(), nodes, buffers + before[views]));
    }
    return before;
  }

  /** Returns the place of a column in a record batch; checks that the batch's body contains it. */
  ColumnPlace place(Column column, RecordBatch batch, long body, long bodyBytes)
      throws FormatException {
    long[] viewBuffers = viewBuffers(batch);
    List<Long> validity = new ArrayList<>();
    for (Level level : column.levels()) {
      FieldNode node = batch.nodes(level.node());
      if (node.length() != batch.length()
          || node.nullCount() < 0
          || node.nullCount() > node.length()) {
        throw new FormatException(
            "column %s has %d rows, %d of them null, in a batch of %d rows"
                .formatted(column.name(), node.length(), node.nullCount(), batch.length()));
      }
      if (node.nullCount() > 0) {
        Buffer bits = buffer(batch, level, 0, viewBuffers, bodyBytes, column);
        requireBytes(column, "bits of nulls", bits, (batch.length() + 7) / 8);
        validity.add(body + bits.offset());
      }
    }
    if (batch.length() == 0) {
      return new ColumnPlace(0, List.of(), body, body, 0);
    }
    Buffer first = buffer(batch, column.level(), 1, viewBuffers, bodyBytes, column);
    int width = column.value().width();
    if (column.kind() == TableColumn.Kind.INTEGER) {
      requireBytes(column, "values", first, batch.length() * width);
      long values = body + first.offset();
      return new ColumnPlace(batch.length(), List.copyOf(validity), values, values, first.length());
    }
    requireBytes(column, "offsets", first, (batch.length() + 1) * width);
    Buffer data = buffer(batch, column.level(), 2, viewBuffers, bodyBytes, column);
    return new ColumnPlace(
        batch.length(),
        List.copyOf(validity),
        body + first.offset(),
        body + data.offset(),
        data.length());
  }

  static Buffer buffer(
      RecordBatch batch, Level level, int which, long[] viewBuffers, long bodyBytes, Column column)
      throws FormatException {
    long number = level.buffer() + viewBuffers[level.views()] + which;
    Buffer buffer = batch.buffers(Math.toIntExact(number));
    if (buffer.offset() < 0
        || buffer.length() < 0
        || buffer.length() > bodyBytes
        || buffer.offset() > bodyBytes - buffer.length()) {
      throw new FormatException(
          "column %s: a buffer of %d bytes at %d in a body of %d"
              .formatted(column.name(), buffer.length(), buffer.offset(), bodyBytes));
    }
    return buffer;
  }

  private static void requireBytes(Column column, String what, Buffer buffer, long bytes)
      throws FormatException {
    if (buffer.length() < bytes) {
      throw new FormatException(
          "column %s: the %s take %d bytes, expected %d or more"
              .formatted(column.name(), what, buffer.length(), bytes));
    }
  }
}
