package io.feedline.formats.parquet.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** The columns of a file, and the checked position and size of each column in each row group. */
final class ParquetFooter implements TableSchema<ParquetFooter.Leaf> {

  /** The number of bytes that are read first, at the end of the file; most footers are shorter. */
  private static final int TAIL_BYTES = 1 << 16;

  private static final int MAX_DEPTH = 64;

  private final Path file;
  private final long length;
  private final FileMetaData metadata;
  private final Map<String, Leaf> leaves = new LinkedHashMap<>();
  private final Set<String> repeated = new TreeSet<>();
  private final long checksum;

  /** The columns, in the order in which each row group has them. */
  private final List<Leaf> order = new ArrayList<>();

  private ParquetFooter(Path file, long length, FileMetaData metadata, long checksum)
      throws FormatException {
    this.file = file;
    this.length = length;
    this.metadata = metadata;
    this.checksum = checksum;
    List<SchemaElement> schema = metadata.getSchema();
    if (schema.isEmpty()) {
      throw broken("the schema is empty");
    }
    int end = addChildren(schema, 0, List.of(), 0, 0, Lists.NONE);
    if (end != schema.size()) {
      throw broken("the schema has %d elements, its tree %d".formatted(schema.size(), end));
    }
    leaves.keySet().removeAll(repeated);
  }

  /** A column: its index {@code number} in each row group, and its highest levels. */
  record Leaf(
      List<String> path,
      SchemaElement element,
      int number,
      int maxDefinition,
      int maxRepetition,
      Lists lists)
      implements TableColumn {

    /** Returns the path without a list's inner names: tokens for {@code tokens.list.element}. */
    @Override
    public String tableName() {
      int repeated = lists.repeated();
      if (repeated < 0) {
        return name();
      }
      List<String> names = new ArrayList<>(path.subList(0, repeated));
      int behind = Math.min(path.size(), repeated + lists.hidden());
      names.addAll(path.subList(behind, path.size()));
      return String.join(".", names);
    }

    @Override
    public Kind kind() {
      return switch (element.getType()) {
        case BYTE_ARRAY -> Kind.BYTES;
        case INT32, INT64 -> kindOfNumbers();
        default -> Kind.OTHER;
      };
    }

    @Override
    public boolean isText() {
      return element.getType() == Type.BYTE_ARRAY && ParquetTable.isText(element);
    }

    /** Returns the kind of a column of whole numbers, which may be decimals, dates or times. */
    private Kind kindOfNumbers() {
      if (element.isSetLogicalType() && !element.getLogicalType().isSetINTEGER()) {
        return element.getLogicalType().isSetUNKNOWN() ? Kind.NOTHING : Kind.OTHER;
      }
      boolean whole =
          !element.isSetConverted_type()
              || element.getConverted_type().name().matches("U?INT_[0-9]+");
      return whole ? Kind.INTEGER : Kind.OTHER;
    }

    @Override
    public @Nullable Duration timeUnit() {
      if (element.getType() == Type.INT96) {
        return Duration.ofNanos(1);
      }
      if (element.isSetLogicalType()) {
        LogicalType type = element.getLogicalType();
        if (type.isSetTIMESTAMP()) {
          TimeUnit unit = type.getTIMESTAMP().getUnit();
          return unit.isSetMILLIS()
              ? Duration.ofMillis(1)
              : Duration.ofNanos(unit.isSetMICROS() ? 1000 : 1);
        }
        return type.isSetDATE() ? Duration.ofDays(1) : null;
      }
      return switch (element.isSetConverted_type() ? element.getConverted_type().name() : "") {
        case "DATE" -> Duration.ofDays(1);
        case "TIMESTAMP_MILLIS" -> Duration.ofMillis(1);
        case "TIMESTAMP_MICROS" -> Duration.ofNanos(1000);
        default -> null;
      };
    }

    boolean isUnsigned() {
      return (element.isSetLogicalType() && element.getLogicalType().isSetINTEGER())
          ? !element.getLogicalType().getINTEGER().isIsSigned()
          : element.isSetConverted_type() && element.getConverted_type().name().startsWith("UINT_");
    }

    @Override
    public String type() {
      return element.getType()
          + (element.isSetConverted_type() ? " " + element.getConverted_type() : "");
    }

    @Override
    public boolean isRepeated() {
      return maxRepetition > 0;
    }
  }

  /**
   * The list in a column's path. {@code repeated} is the index of the first repeated name, or -1
   * without a list. A value whose definition level is {@code definition} or more is an element of
   * the list. From the repeated name on, {@code hidden} names only describe the list.
   */
  record Lists(int repeated, int definition, int hidden) {
    static final Lists NONE = new Lists(-1, 0, 0);
  }

  static ParquetFooter read(OpenFiles files, Path file) throws IOException {
    long length = files.size(file);
    byte[] tail = new byte[(int) Math.min(length, TAIL_BYTES)];
    files.read(file, length - tail.length, tail, 0, tail.length);
    String magic = tail.length < 12 ? "" : new String(tail, tail.length - 4, 4, US_ASCII);
    if (magic.equals("PARE")) {
      throw FormatException.in(
          file, "the footer is encrypted; write the file again without encryption");
    }
    if (!magic.equals("PAR1")) {
      throw FormatException.in(
          file,
          "this is not a whole Parquet file: its %d bytes do not end with PAR1".formatted(length));
    }
    ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    long footer = Integer.toUnsignedLong(end.getInt(tail.length - 8));
    if (footer > length - 12 || footer > Integer.MAX_VALUE - 64) {
      throw FormatException.in(
          file, "a footer of %d bytes in a file of %d".formatted(footer, length));
    }
    byte[] bytes = new byte[(int) footer];
    if (footer + 8 <= tail.length) {
      System.arraycopy(tail, (int) (tail.length - 8 - footer), bytes, 0, bytes.length);
    } else {
      files.read(file, length - 8 - footer, bytes, 0, bytes.length);
    }
    try {
      if (ThriftGuard.lengthOf(bytes, bytes.length) < 0) {
        throw new FormatException("the metadata ends early");
      }
    } catch (FormatException damaged) {
      throw damaged.at(file + ", footer at offset " + (length - 8 - footer));
    }
    FileMetaData metadata;
    try {
      metadata = Util.readFileMetaData(new ByteArrayInputStream(bytes));
    } catch (IOException | RuntimeException damaged) {
      throw FormatException.in(
          file,
          "the footer at offset %d is damaged: %s"
              .formatted(length - 8 - footer, damaged.getMessage()),
          damaged);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return new ParquetFooter(file, length, metadata, checksum.getValue());
  }

  private FormatException broken(String problem) {
    return FormatException.in(file, "the footer is damaged: " + problem);
  }

  /** Adds the descendants of a schema element; returns the index of the element after them. */
  private int addChildren(
      List<SchemaElement> schema,
      int parent,
      List<String> path,
      int definition,
      int repetition,
      Lists lists)
      throws FormatException {
    if (path.size() > MAX_DEPTH) {
      throw broken("columns are nested deeper than " + MAX_DEPTH + " levels");
    }
    int at = parent + 1;
    for (int i = 0; i < schema.get(parent).getNum_children(); i++) {
      if (at >= schema.size()) {
        throw broken(
            "'%s' has %d children, but the schema ends"
                .formatted(schema.get(parent).getName(), schema.get(parent).getNum_children()));
      }
      SchemaElement child = schema.get(at);
      List<String> below = new ArrayList<>(path);
      below.add(child.getName());
      FieldRepetitionType kind = child.getRepetition_type();
      int defined = definition + (kind == FieldRepetitionType.REQUIRED ? 0 : 1);
      int repeated = repetition + (kind == FieldRepetitionType.REPEATED ? 1 : 0);
      Lists in =
          repeated == 1 && repetition == 0
              ? new Lists(path.size(), defined, hidden(schema.get(parent), child))
              : lists;
      if (child.getNum_children() > 0 || !child.isSetType()) {
        at = addChildren(schema, at, below, defined, repeated, in);
      } else {
        Leaf leaf = new Leaf(List.copyOf(below), child, order.size(), defined, repeated, in);
        order.add(leaf);
        if (leaves.putIfAbsent(leaf.name(), leaf) != null) {
          this.repeated.add(leaf.name());
        }
        at++;
      }
    }
    return at;
  }

  /** Returns how many names of a path only describe a list: 2, or 1 for some older writers. */
  private static int hidden(SchemaElement parent, SchemaElement repeated) {
    if (!isList(parent)) {
      return 0;
    }
    boolean element =
        repeated.getNum_children() > 1
            || repeated.getName().equals("array")
            || repeated.getName().equals(parent.getName() + "_tuple");
    return element ? 1 : 2;
  }

  private static boolean isList(SchemaElement element) {
    return element.isSetConverted_type()
        ? element.getConverted_type() == ConvertedType.LIST
        : element.isSetLogicalType() && element.getLogicalType().isSetLIST();
  }

  @Override
  public Path file() {
    return file;
  }

  /** Returns a checksum of the footer, which has the sizes and offsets of all columns. */
  long checksum() {
    return checksum;
  }

  @Override
  public Map<String, Leaf> leaves() {
    return Collections.unmodifiableMap(leaves);
  }

  @Override
  public Set<String> repeated() {
    return Collections.unmodifiableSet(repeated);
  }

  @Override
  public String text(String key) {
    if (metadata.isSetKey_value_metadata()) {
      for (KeyValue each : metadata.getKey_value_metadata()) {
        if (key.equals(each.getKey())) {
          return each.getValue();
        }
      }
    }
    return null;
  }

  long[] rows() throws FormatException {
    List<RowGroup> groups = metadata.getRow_groups();
    long[] rows = new long[groups.size()];
    long sum = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = groups.get(i).getNum_rows();
      if (rows[i] < 0 || rows[i] > Integer.MAX_VALUE) {
        throw broken("row group %d has %d rows".formatted(i, rows[i]));
      }
      sum += rows[i];
    }
    if (sum != metadata.getNum_rows()) {
      throw broken(
          "the file has %d rows, its row groups have %d".formatted(metadata.getNum_rows(), sum));
    }
    return rows;
  }

  List<ChunkPlace> chunks(Leaf leaf) throws FormatException {
    List<ChunkPlace> places = new ArrayList<>();
    for (int group = 0; group < metadata.getRow_groupsSize(); group++) {
      places.add(chunk(leaf, group));
    }
    return places;
  }

  ChunkPlace chunk(Leaf leaf, int group) throws FormatException {
    return place(leaf, metadata.getRow_groups().get(group), group);
  }

  private ChunkPlace place(Leaf leaf, RowGroup group, int number) throws FormatException {
    String what = "row group %d, column %s: ".formatted(number, leaf.name());
    if (group.getColumns().size() != order.size()) {
      throw broken(
          "row group %d has %d columns, the schema %d"
              .formatted(number, group.getColumns().size(), order.size()));
    }
    ColumnChunk chunk = group.getColumns().get(leaf.number());
    if (chunk.isSetFile_path()) {
      throw broken(what + "its values are in another file, " + chunk.getFile_path());
    }
    ColumnMetaData column = chunk.getMeta_data();
    if (column == null) {
      throw broken(what + "there is no description of it, or an encrypted one");
    }
    if (!column.getPath_in_schema().equals(leaf.path())
        || column.getType() != leaf.element().getType()) {
      throw broken(
          what
              + "it is described as %s (%s)"
                  .formatted(column.getPath_in_schema(), column.getType()));
    }
    long values = column.getNum_values();
    boolean fits =
        leaf.isRepeated()
            ? values >= group.getNum_rows() && values <= Integer.MAX_VALUE - 64
            : values == group.getNum_rows();
    if (!fits) {
      throw broken(what + "%d values for %d rows".formatted(values, group.getNum_rows()));
    }
    if (values == 0) {
      // The column has no pages: writers then write the offset 0.
      return new ChunkPlace(0, 0, 0, column.getCodec());
    }
    long start = column.getData_page_offset();
    if (column.isSetDictionary_page_offset() && column.getDictionary_page_offset() > 0) {
      start = Math.min(start, column.getDictionary_page_offset());
    }
    long bytes = column.getTotal_compressed_size();
    if (start < 4 || bytes < 0 || bytes > length - 8 - start) {
      throw broken(what + "%d bytes at offset %d of a file of %d".formatted(bytes, start, length));
    }
    return new ChunkPlace(start, bytes, (int) values, column.getCodec());
  }
}
