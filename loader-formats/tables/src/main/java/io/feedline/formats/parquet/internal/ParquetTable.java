package io.feedline.formats.parquet.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.parquet.internal.ColumnPages.Page;
import io.feedline.formats.parquet.internal.PageValues.Decoder;
import io.feedline.formats.parquet.internal.ParquetFooter.Leaf;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableSchema;
import io.feedline.internal.HalfFloat;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.dictionary.PlainValuesDictionary;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.io.api.Binary;

/**
 * A reader of the columns of a Parquet file. A row group is cut into blocks where the pages of the
 * column with the longest pages begin, so that few pages are decoded twice. If a column has lists,
 * the row group is one block, since the pages of lists do not say which rows they have.
 */
final class ParquetTable implements TableFile {

  private static final int JULIAN_DAY_OF_1970 = 2_440_588;
  private static final long DAY_NANOS = 86_400_000_000_000L;

  private final OpenFiles files;
  private final ParquetFooter footer;
  private final long[] rows;
  private final Map<String, Leaf> leaves = new LinkedHashMap<>();
  private final Set<String> repeated;

  ParquetTable(OpenFiles files, Path file) throws IOException {
    this(files, ParquetFooter.read(files, file));
  }

  ParquetTable(OpenFiles files, ParquetFooter footer) throws IOException {
    this.files = files;
    this.footer = footer;
    this.rows = footer.rows();
    this.repeated = TableSchema.index(footer, leaves);
  }

  @Override
  public TableSchema<?> schema() {
    return footer;
  }

  @Override
  public Set<String> columns() {
    return TableSchema.names(leaves, repeated);
  }

  @Override
  public long checksum() {
    return footer.checksum();
  }

  @Override
  public long[] rows() {
    return rows.clone();
  }

  @Override
  public String place(int group, int row) {
    return "row group %d, row %d".formatted(group, row);
  }

  @Override
  public void check(List<Wanted> columns) throws FormatException {
    find(columns);
  }

  private List<Leaf> find(List<Wanted> columns) throws FormatException {
    List<Leaf> found = new ArrayList<>();
    for (Wanted wanted : columns) {
      Leaf leaf = leaves.get(wanted.name());
      TableSchema.requireOne(footer.file(), repeated, wanted.name());
      if (leaf == null) {
        throw FormatException.in(
            footer.file(),
            "there is no column '%s'; there are %s".formatted(wanted.name(), leaves.keySet()));
      }
      if (leaf.maxRepetition() > 1) {
        throw FormatException.in(
            footer.file(),
            ("column %s has lists of lists, which are not read: keep the inner lists one after the"
                    + " other in one list, and their lengths in another column")
                .formatted(leaf.described()));
      }
      found.add(leaf);
    }
    return found;
  }

  @Override
  public List<Block> blocks(int group, List<Wanted> columns) throws IOException {
    List<Column> parts = new ArrayList<>();
    int[] starts = null;
    boolean lists = false;
    for (Leaf leaf : find(columns)) {
      Column part = new Column(leaf, group);
      parts.add(part);
      lists |= leaf.isRepeated();
      int[] begin = part.pages.firstRows();
      starts = starts == null || begin.length < starts.length ? begin : starts;
    }
    int count = (int) rows[group];
    if (starts == null || lists) {
      starts = new int[] {0, count};
    }
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i + 1 < starts.length; i++) {
      if (starts[i] < starts[i + 1]) {
        blocks.add(new PartOfGroup(group, starts[i], starts[i + 1], parts));
      }
    }
    return blocks;
  }

  private record PartOfGroup(int group, int from, int to, List<Column> columns) implements Block {
    @Override
    public int rows() {
      return to - from;
    }

    @Override
    public String place(int row) {
      return "row group %d, row %d".formatted(group, from + row);
    }

    @Override
    public List<ColumnValues> read() throws IOException {
      List<ColumnValues> values = new ArrayList<>();
      for (Column column : columns) {
        values.add(column.read(from, to));
      }
      return values;
    }
  }

  private final class Column {
    private final Leaf leaf;
    private final int group;
    private final Kind kind;
    private final ChunkPlace chunk;
    private final ColumnPages pages;
    private final Decoder decoder;
    private volatile SoftReference<Dictionary> numbers = new SoftReference<>(null);

    Column(Leaf leaf, int group) throws IOException {
      this.leaf = leaf;
      this.group = group;
      this.kind = kindOf(leaf);
      this.chunk = footer.chunk(leaf, group);
      boolean fixed = leaf.element().getType() == Type.FIXED_LEN_BYTE_ARRAY;
      if (fixed && leaf.element().getType_length() <= 0) {
        throw new FormatException("values of %d bytes".formatted(leaf.element().getType_length()))
            .at(place());
      }
      this.decoder = new Decoder(leaf);
      try {
        this.pages = ColumnPages.find(files, footer.file(), chunk);
      } catch (FormatException damaged) {
        throw damaged.at(place());
      }
    }

    private String place() {
      return "%s, row group %d, column %s".formatted(footer.file(), group, leaf.tableName());
    }

    private byte[] stored(Page page) throws IOException {
      byte[] stored = new byte[page.bytes()];
      files.read(footer.file(), page.offset(), stored, 0, stored.length);
      return stored;
    }

    ColumnValues read(int from, int to) throws IOException {
      boolean list = leaf.isRepeated();
      Filling filling = new Filling(from, to);
      PageCodec codec;
      try {
        codec = PageCodec.of(chunk.codec());
      } catch (FormatException unsupported) {
        throw unsupported.at(place());
      }
      Dictionary dictionary = null;
      int first = list || to == from ? 0 : pages.pageOf(from);
      for (int i = first; i < pages.count() && (list || pages.firstRow(i) < to); i++) {
        Page page = pages.page(i);
        filling.at = pages.firstRow(i) - (list ? 0 : from);
        try {
          boolean refers = Decoder.refersToDictionary(page);
          dictionary = refers && dictionary == null ? dictionary(page, codec) : dictionary;
          decoder.decode(
              page,
              stored(page),
              codec,
              refers ? dictionary : null,
              (repetitions, definitions, values) ->
                  filling.add(page.values(), repetitions, definitions, values));
        } catch (FormatException damaged) {
          throw damaged.at("%s, page %d at offset %d".formatted(place(), i, page.offset()));
        }
      }
      return filling.done();
    }

    /**
     * Returns the column's dictionary. Keeps a dictionary of numbers for the next blocks, but not a
     * dictionary of byte strings: reading from it changes its position.
     */
    private Dictionary dictionary(Page page, PageCodec codec) throws IOException {
      Dictionary known = numbers.get();
      if (known == null) {
        Page stored = pages.dictionary();
        known = decoder.dictionary(page, codec, stored, stored == null ? null : stored(stored));
        if (!(known instanceof PlainValuesDictionary.PlainBinaryDictionary)) {
          numbers = new SoftReference<>(known);
        }
      }
      return known;
    }

    private int textsToKeep() {
      return pages.dictionary() == null
          ? 0
          : Math.max(0, Math.min(1 << 16, pages.dictionary().values()));
    }

    private final class Filling {
      private final boolean list = leaf.isRepeated();
      private final int rows;
      private final ColumnValues values;
      private final int[] ends;
      private final String[] texts = new String[textsToKeep()];

      /** The row of the next value, relative to the first wanted row; negative before that row. */
      private int at;

      private int row = -1;
      private int used;

      Filling(int from, int to) {
        rows = to - from;
        values = new ColumnValues(kind, list ? chunk.values() : rows);
        ends = list ? new int[rows] : null;
      }

      void add(int count, byte[] repetitions, byte[] definitions, Decoder.Values stored)
          throws IOException {
        int most = leaf.maxDefinition();
        for (int i = 0; i < count; i++) {
          boolean there = definitions == null || definitions[i] == most;
          if (list) {
            addToList(repetitions[i], definitions[i], there, stored);
          } else if (at >= rows) {
            return;
          } else if (at < 0) {
            if (there) {
              skip(stored);
            }
            at++;
          } else {
            put(at++, there, stored);
          }
        }
      }

      private void addToList(int repetition, int definition, boolean there, Decoder.Values stored)
          throws IOException {
        if (repetition == 0) {
          row++;
        }
        if (row < 0 || row >= rows) {
          throw new FormatException(
              row < 0 ? "it begins within a row" : "more than %d rows".formatted(rows));
        }
        int present = leaf.lists().definition();
        if (definition >= present) {
          put(used++, there, stored);
        } else if (definition < present - 1) {
          values.setNullList(row);
        }
        ends[row] = used;
      }

      private void skip(Decoder.Values stored) {
        if (stored.dictionary() == null) {
          stored.reader().skip();
        } else {
          stored.reader().readValueDictionaryId();
        }
      }

      private void put(int to, boolean there, Decoder.Values stored) throws IOException {
        if (!there) {
          values.setNull(to);
          return;
        }
        ValuesReader reader = stored.reader();
        Dictionary dictionary = stored.dictionary();
        int id = dictionary == null ? 0 : reader.readValueDictionaryId();
        SchemaElement element = leaf.element();
        switch (element.getType()) {
          case BOOLEAN -> values.set(to, reader.readBoolean() ? 1L : 0L);
          case INT32 -> {
            int value = dictionary == null ? reader.readInteger() : dictionary.decodeToInt(id);
            putWhole(to, leaf.isUnsigned() ? Integer.toUnsignedLong(value) : value);
          }
          case INT64 ->
              putWhole(to, dictionary == null ? reader.readLong() : dictionary.decodeToLong(id));
          case FLOAT ->
              values.set(
                  to,
                  (double)
                      (dictionary == null ? reader.readFloat() : dictionary.decodeToFloat(id)));
          case DOUBLE ->
              values.set(
                  to, dictionary == null ? reader.readDouble() : dictionary.decodeToDouble(id));
          default -> {
            if (dictionary == null) {
              putBytes(to, reader.readBytes());
            } else if (kind == Kind.TEXT && id >= 0 && id < texts.length) {
              if (texts[id] == null) {
                texts[id] = dictionary.decodeToBinary(id).toStringUsingUTF8();
                values.set(to, texts[id]);
              } else {
                values.share(to, texts[id]);
              }
            } else {
              putBytes(to, dictionary.decodeToBinary(id));
            }
          }
        }
      }

      private void putWhole(int to, long value) {
        if (kind == Kind.DOUBLE) {
          values.set(to, BigDecimal.valueOf(value, scaleOf(leaf.element())).doubleValue());
        } else {
          values.set(to, value);
        }
      }

      private void putBytes(int to, Binary stored) throws FormatException {
        try {
          setBytes(to, stored);
        } catch (ArithmeticException | NumberFormatException none) {
          values.fail(
              list ? row : to,
              "column '%s': the stored value is not a number: %s"
                  .formatted(leaf.tableName(), none.getMessage()));
        }
      }

      private void setBytes(int to, Binary stored) throws FormatException {
        switch (kind) {
          case TEXT -> values.set(to, new String(stored.getBytesUnsafe(), UTF_8));
          case DOUBLE -> {
            BigInteger unscaled = new BigInteger(stored.getBytes());
            values.set(to, new BigDecimal(unscaled, scaleOf(leaf.element())).doubleValue());
          }
          case FLOAT -> values.set(to, (double) HalfFloat.toFloat(little(stored, 2).getShort(0)));
          case WHOLE -> {
            ByteBuffer instant = little(stored, 12);
            long days = instant.getInt(8) - (long) JULIAN_DAY_OF_1970;
            values.set(to, Math.addExact(Math.multiplyExact(days, DAY_NANOS), instant.getLong(0)));
          }
          default -> values.set(to, stored.getBytes());
        }
      }

      ColumnValues done() throws FormatException {
        if (list) {
          if (row + 1 != rows) {
            throw new FormatException("%d rows, expected %d".formatted(row + 1, rows)).at(place());
          }
          values.lists(ends);
        }
        return values;
      }
    }
  }

  private static ByteBuffer little(Binary value, int bytes) throws FormatException {
    if (value.length() != bytes) {
      throw new FormatException(
          "a value of %d bytes, expected %d".formatted(value.length(), bytes));
    }
    return value.toByteBuffer().slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Kind kindOf(Leaf leaf) {
    SchemaElement element = leaf.element();
    boolean decimal = isDecimal(element);
    return switch (element.getType()) {
      case BOOLEAN -> Kind.BOOL;
      case INT32 -> decimal ? Kind.DOUBLE : Kind.WHOLE;
      case INT64 -> decimal ? Kind.DOUBLE : leaf.isUnsigned() ? Kind.UNSIGNED : Kind.WHOLE;
      case INT96 -> Kind.WHOLE;
      case FLOAT -> Kind.FLOAT;
      case DOUBLE -> Kind.DOUBLE;
      case BYTE_ARRAY -> decimal ? Kind.DOUBLE : isText(element) ? Kind.TEXT : Kind.BYTES;
      case FIXED_LEN_BYTE_ARRAY ->
          decimal
              ? Kind.DOUBLE
              : element.isSetLogicalType() && element.getLogicalType().isSetFLOAT16()
                  ? Kind.FLOAT
                  : Kind.BYTES;
    };
  }

  private static boolean isDecimal(SchemaElement element) {
    return element.isSetLogicalType()
        ? element.getLogicalType().isSetDECIMAL()
        : element.isSetConverted_type() && element.getConverted_type().name().equals("DECIMAL");
  }

  private static int scaleOf(SchemaElement element) {
    return element.isSetLogicalType()
        ? element.getLogicalType().getDECIMAL().getScale()
        : element.getScale();
  }

  static boolean isText(SchemaElement element) {
    return element.isSetLogicalType()
        ? element.getLogicalType().isSetSTRING()
            || element.getLogicalType().isSetENUM()
            || element.getLogicalType().isSetJSON()
        : element.isSetConverted_type()
            && Arrays.asList("UTF8", "ENUM", "JSON").contains(element.getConverted_type().name());
  }
}
