package io.feedline.formats.arrow.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.Zstd;
import io.feedline.data.FormatException;
import io.feedline.formats.arrow.internal.ArrowFile.Batch;
import io.feedline.formats.arrow.internal.ArrowSchema.Column;
import io.feedline.formats.arrow.internal.ArrowSchema.Level;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableSchema;
import io.feedline.internal.HalfFloat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/** A reader of the columns of an Arrow IPC file; a record batch is a group, read as one block. */
final class ArrowTable implements TableFile {

  private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  /** The largest accepted decompressed size of a large buffer, in multiples of its stored size. */
  private static final int MOST_EXPANSION = 1 << 15;

  private static final int SMALL_BUFFER = 16 << 20;

  private final OpenFiles files;
  private final ArrowFile file;
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final Set<String> repeated;

  ArrowTable(OpenFiles files, Path path) throws IOException {
    this(files, ArrowFile.read(files, path));
  }

  ArrowTable(OpenFiles files, ArrowFile file) {
    this.files = files;
    this.file = file;
    this.repeated = TableSchema.index(file.schema(), columns);
  }

  @Override
  public TableSchema<?> schema() {
    return file.schema();
  }

  @Override
  public Set<String> columns() {
    return TableSchema.names(columns, repeated);
  }

  @Override
  public long checksum() {
    return file.checksum();
  }

  @Override
  public long[] rows() {
    return file.rows();
  }

  @Override
  public String place(int group, int row) {
    return "record batch %d, row %d".formatted(group, row);
  }

  @Override
  public void check(List<Wanted> wanted) throws FormatException {
    find(wanted);
  }

  private List<Column> find(List<Wanted> wanted) throws FormatException {
    List<Column> found = new ArrayList<>();
    for (Wanted each : wanted) {
      Column column = columns.get(each.name());
      TableSchema.requireOne(file.path(), repeated, each.name());
      if (column == null) {
        throw FormatException.in(
            file.path(),
            "there is no column '%s'; there are %s".formatted(each.name(), columns.keySet()));
      }
      if (!isRead(column)) {
        throw FormatException.in(
            file.path(),
            ("column %s is not read, nor are other lists of lists, views and unions: of lists, keep the"
                    + " inner ones one after the other in one list, and their lengths in another column")
                .formatted(column.described()));
      }
      found.add(column);
    }
    return found;
  }

  private static boolean isRead(Column column) {
    List<Level> above = column.levels().subList(0, column.levels().size() - 1);
    return column.value() != null
        && above.stream().allMatch(each -> each.isList() || each.type() == Type.Struct_)
        && above.stream().filter(Level::isList).count() <= 1;
  }

  @Override
  public List<Block> blocks(int group, List<Wanted> wanted) throws IOException {
    List<Column> found = find(wanted);
    Batch batch = file.batches().get(group);
    if (batch.header().length() == 0) {
      return List.of();
    }
    return file.at(
        "record batch %d at offset %d".formatted(group, batch.at()),
        () -> {
          for (Column column : found) {
            long rows = batch.header().nodes(column.levels().get(0).node()).length();
            if (rows != batch.header().length()) {
              throw new FormatException(
                  "column %s has %d rows in a batch of %d"
                      .formatted(column.tableName(), rows, batch.header().length()));
            }
          }
          return List.of(new OfBatch(group, batch, found));
        });
  }

  private final class OfBatch implements Block {
    private final int number;
    private final Batch batch;
    private final List<Column> columns;

    OfBatch(int number, Batch batch, List<Column> columns) {
      this.number = number;
      this.batch = batch;
      this.columns = columns;
    }

    @Override
    public int rows() {
      return (int) batch.header().length();
    }

    @Override
    public String place(int row) {
      return "record batch %d, row %d".formatted(number, row);
    }

    @Override
    public List<ColumnValues> read() throws IOException {
      List<ColumnValues> values = new ArrayList<>();
      for (Column column : columns) {
        values.add(
            file.at(
                "record batch %d at offset %d, column %s"
                    .formatted(number, batch.at(), column.tableName()),
                () -> new Reading(batch, column).values()));
      }
      return values;
    }
  }

  private final class Reading {
    private final Batch batch;
    private final Column column;
    private final ArrowValue stored;
    private final long[] viewBuffers;
    private final List<ByteBuffer> validity = new ArrayList<>();
    private final List<ColumnValues> dictionary = new ArrayList<>();
    private ByteBuffer first;
    private ByteBuffer second;

    Reading(Batch batch, Column column) throws IOException {
      this(batch, column, file.schema().viewBuffers(batch.header()));
    }

    private Reading(Batch batch, Column column, long[] viewBuffers) {
      this.batch = batch;
      this.column = column;
      this.stored = column.value();
      this.viewBuffers = viewBuffers;
    }

    private ByteBuffer bytes(Level level, int which) throws IOException {
      RecordBatch header = batch.header();
      Buffer place =
          ArrowSchema.buffer(header, level, which, viewBuffers, batch.bodyBytes(), column);
      if (place.length() > MAX_BYTES) {
        throw new FormatException("a buffer of %d bytes".formatted(place.length()));
      }
      byte[] bytes = new byte[(int) place.length()];
      files.read(file.path(), batch.body() + place.offset(), bytes, 0, bytes.length);
      boolean packed = header.compression() != null && bytes.length > 0;
      return ByteBuffer.wrap(packed ? unpacked(bytes, header.compression().codec()) : bytes)
          .order(ByteOrder.LITTLE_ENDIAN);
    }

    private int length(Level level) throws FormatException {
      long length = batch.header().nodes(level.node()).length();
      if (length < 0 || length > MAX_BYTES) {
        throw new FormatException("a node of %d values".formatted(length));
      }
      return (int) length;
    }

    /** Returns the validity bits of a level, 0 for null; null if no value is null. */
    private @Nullable ByteBuffer nulls(Level level) throws IOException {
      boolean bits = level.type() != Type.Null && level.type() != Type.Union;
      return bits && batch.header().nodes(level.node()).nullCount() > 0 ? bytes(level, 0) : null;
    }

    ColumnValues values() throws IOException {
      int rows = (int) batch.header().length();
      BitSet absent = new BitSet();
      int[] starts = null;
      int[] ends = null;
      for (Level level : column.levels()) {
        ByteBuffer bits = nulls(level);
        if (starts != null) {
          if (bits != null) {
            validity.add(bits);
          }
          continue;
        }
        for (int row = 0; bits != null && row < rows; row++) {
          if (!isSet(bits, row)) {
            absent.set(row);
          }
        }
        if (level.isList()) {
          starts = new int[rows];
          ends = new int[rows];
          cut(level, absent, starts, ends);
        }
      }
      open();
      return starts == null ? flat(rows, absent) : lists(absent, starts, ends);
    }

    private void cut(Level level, BitSet absent, int[] starts, int[] ends) throws IOException {
      int children = length(column.levels().get(column.levels().indexOf(level) + 1));
      boolean fixed = level.type() == Type.FixedSizeList;
      boolean wide = level.type() == Type.LargeList;
      ByteBuffer offsets = fixed || starts.length == 0 ? null : bytes(level, 1);
      for (int row = 0; row < starts.length; row++) {
        long start = fixed ? (long) row * level.listSize() : ArrowValue.offset(offsets, row, wide);
        long end = fixed ? start + level.listSize() : ArrowValue.offset(offsets, row + 1, wide);
        if (absent.get(row)) {
          continue;
        }
        if (start < 0 || end < start || end > children) {
          throw new FormatException(
              "the list of row %d is from value %d to %d of %d"
                  .formatted(row, start, end, children));
        }
        starts[row] = (int) start;
        ends[row] = (int) end;
      }
    }

    private ColumnValues lists(BitSet absent, int[] starts, int[] ends) throws IOException {
      long count = 0;
      for (int row = 0; row < starts.length; row++) {
        count += ends[row] - starts[row];
      }
      if (count > MAX_BYTES) {
        throw new FormatException("lists of %d values".formatted(count));
      }
      require(length(column.level()));
      ColumnValues values = new ColumnValues(stored.kind(), (int) count);
      int[] behind = new int[starts.length];
      int used = 0;
      for (int row = 0; row < starts.length; row++) {
        if (absent.get(row)) {
          values.setNullList(row);
        }
        for (int at = starts[row]; at < ends[row]; at++) {
          put(values, used++, at);
        }
        behind[row] = used;
      }
      values.lists(behind);
      return values;
    }

    private void require(long values) throws FormatException {
      long bytes =
          switch (stored.dictionary() == null ? stored.form() : ArrowValue.Form.WHOLE) {
            case NOTHING -> 0;
            case BITS -> (values + 7) / 8;
            case OFFSETS -> (values + 1) * stored.width();
            default -> {
              ArrowValue of = stored.dictionary() == null ? stored : stored.dictionary().index();
              yield values * Math.max(1, of.width());
            }
          };
      if (values > 0 && bytes > (first == null ? 0 : first.limit())) {
        throw new FormatException(
            "%d values take %d bytes, found %d"
                .formatted(values, bytes, first == null ? 0 : first.limit()));
      }
    }

    private ColumnValues flat(int rows, BitSet absent) throws IOException {
      require(rows);
      ColumnValues values = new ColumnValues(stored.kind(), rows);
      for (int row = 0; row < rows; row++) {
        if (absent.get(row)) {
          values.setNull(row);
        } else {
          put(values, row, row);
        }
      }
      return values;
    }

    ColumnValues all() throws IOException {
      Level level = column.level();
      ByteBuffer bits = nulls(level);
      if (bits != null) {
        validity.add(bits);
      }
      open();
      return flat(length(level), new BitSet());
    }

    private void open() throws IOException {
      Level level = column.level();
      if (stored.form() == ArrowValue.Form.NOTHING || length(level) == 0) {
        return;
      }
      first = bytes(level, 1);
      if (stored.dictionary() != null) {
        List<Level> only = List.of(new Level(0, 0, 0, level.type(), 0));
        Column alone =
            new Column(
                column.path(),
                TableColumn.Kind.OTHER,
                column.type(),
                false,
                only,
                stored.with(null),
                column.timeUnit());
        for (Batch part : file.dictionary(stored.dictionary().id())) {
          dictionary.add(new Reading(part, alone, new long[1]).all());
        }
      } else if (stored.form() == ArrowValue.Form.OFFSETS) {
        second = bytes(level, 2);
      }
    }

    private void put(ColumnValues values, int to, int at) throws IOException {
      for (int i = 0; i < validity.size(); i++) {
        if (!isSet(validity.get(i), at)) {
          values.setNull(to);
          return;
        }
      }
      if (stored.dictionary() != null) {
        putOfDictionary(values, to, stored.dictionary().index().whole(first, at));
        return;
      }
      int width = stored.width();
      switch (stored.form()) {
        case NOTHING -> values.setNull(to);
        case BITS -> values.set(to, isSet(first, at) ? 1L : 0L);
        case WHOLE -> values.set(to, stored.whole(first, at));
        case FLOATING ->
            values.set(
                to,
                width == 8
                    ? first.getDouble(8 * at)
                    : width == 4
                        ? first.getFloat(4 * at)
                        : HalfFloat.toFloat(first.getShort(2 * at)));
        case DECIMAL -> {
          byte[] big = new byte[width];
          for (int i = 0; i < width; i++) {
            big[width - 1 - i] = first.get(width * at + i);
          }
          values.set(to, new BigDecimal(new BigInteger(big), stored.scale()).doubleValue());
        }
        case FIXED -> {
          byte[] bytes = new byte[width];
          first.get(width * at, bytes);
          values.set(to, bytes);
        }
        case OFFSETS -> {
          long start = ArrowValue.offset(first, at, width == 8);
          long end = ArrowValue.offset(first, at + 1, width == 8);
          if (start < 0 || end < start || end > second.limit()) {
            throw new FormatException(
                "value %d is from byte %d to %d of %d".formatted(at, start, end, second.limit()));
          }
          byte[] bytes = new byte[(int) (end - start)];
          second.get((int) start, bytes);
          if (stored.kind() == ColumnValues.Kind.TEXT) {
            values.set(to, new String(bytes, UTF_8));
          } else {
            values.set(to, bytes);
          }
        }
      }
    }

    private void putOfDictionary(ColumnValues values, int to, long number) throws IOException {
      long left = number;
      for (ColumnValues part : dictionary) {
        if (left >= 0 && left < part.size()) {
          int at = (int) left;
          if (part.isNull(at)) {
            values.setNull(to);
          } else if (part.kind().isWhole()) {
            values.set(to, part.whole(at));
          } else if (part.kind().isNumber()) {
            values.set(to, part.real(at));
          } else {
            values.share(to, part.object(at));
          }
          return;
        }
        left -= part.size();
      }
      throw new FormatException("number %d is not in the dictionary".formatted(number));
    }
  }

  private static boolean isSet(ByteBuffer bits, int at) {
    return (bits.get(at >> 3) & (1 << (at & 7))) != 0;
  }

  /** Decompresses a buffer, which begins with its decompressed size, or with -1 if stored plain. */
  private static byte[] unpacked(byte[] packed, byte codec) throws IOException {
    int from = Long.BYTES;
    if (packed.length < from) {
      throw new FormatException("a compressed buffer of %d bytes".formatted(packed.length));
    }
    long size = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
    int length = packed.length - from;
    if (size == -1) {
      return Arrays.copyOfRange(packed, from, packed.length);
    }
    if (size < 0
        || size > MAX_BYTES
        || size > Math.max(SMALL_BUFFER, (long) length * MOST_EXPANSION)) {
      throw new FormatException(
          "a buffer of %d bytes says that it becomes %d".formatted(length, size));
    }
    byte[] whole = new byte[(int) size];
    long done;
    if (codec == CompressionType.ZSTD) {
      done = Zstd.decompressByteArray(whole, 0, whole.length, packed, from, length);
      if (Zstd.isError(done)) {
        throw new FormatException("its Zstandard data are damaged: " + Zstd.getErrorName(done));
      }
    } else if (codec == CompressionType.LZ4_FRAME) {
      try (InputStream in =
          new LZ4FrameInputStream(new ByteArrayInputStream(packed, from, length))) {
        done = in.readNBytes(whole, 0, whole.length);
      } catch (IOException damaged) {
        throw new FormatException("its LZ4 frame is damaged: " + damaged.getMessage(), damaged);
      }
    } else {
      throw new FormatException("a compression of number " + codec);
    }
    if (done != size) {
      throw new FormatException("a buffer has %d bytes, expected %d".formatted(done, size));
    }
    return whole;
  }
}
