package io.feedline.formats.table.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Need;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Some rows of a CSV file; the wanted fields stay bytes until their values are needed. */
final class CsvBlock implements Block {

  private static final int BLOCK_BYTES = 1 << 18;

  /** The number of rows for which memory is allocated first; a row may have very many fields. */
  private static final int FIRST_ROWS = 16;

  private static final int QUOTED_IN_ERRORS = 40;
  private static final char REPLACEMENT = '\uFFFD';

  private final List<Wanted> columns;
  private final Map<Integer, String> problems = new TreeMap<>();
  private byte[] bytes = new byte[BLOCK_BYTES];
  private int length;
  private int[] ends;
  private long[] lines = new long[FIRST_ROWS];
  private int rows;

  /** Reads the next rows, of {@code fields} fields each, and keeps the fields {@code kept}. */
  CsvBlock(CsvRows from, int fields, int[] kept, List<Wanted> columns) throws IOException {
    this.columns = columns;
    this.ends = new int[Math.multiplyExact(Math.max(1, kept.length), FIRST_ROWS)];
    long start = from.offset();
    while (from.offset() - start < BLOCK_BYTES && from.next()) {
      add(from, fields, kept);
    }
  }

  private void add(CsvRows row, int fields, int[] kept) {
    if (rows == lines.length) {
      lines = Arrays.copyOf(lines, 2 * rows);
      ends = Arrays.copyOf(ends, Math.multiplyExact(2, ends.length));
    }
    String problem = row.problem();
    if (problem == null && row.fields() != fields) {
      problem = "%s, expected %d".formatted(Counts.of(row.fields(), "field"), fields);
    }
    if (problem != null) {
      problems.put(rows, problem);
    }
    for (int i = 0; i < kept.length; i++) {
      if (problem == null) {
        int from = row.from(kept[i]);
        int count = row.to(kept[i]) - from;
        if (length + count > bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
        }
        System.arraycopy(row.bytes(), from, bytes, length, count);
        length += count;
      }
      ends[rows * kept.length + i] = length;
    }
    lines[rows++] = row.line();
  }

  @Override
  public int rows() {
    return rows;
  }

  long[] lines() {
    return Arrays.copyOf(lines, rows);
  }

  @Override
  public String place(int row) {
    return "line " + lines[row];
  }

  @Override
  public List<ColumnValues> read() {
    List<ColumnValues> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      ColumnValues column = column(i);
      problems.forEach(column::fail);
      values.add(column);
    }
    return values;
  }

  private ColumnValues column(int number) {
    Need need = columns.get(number).need();
    ColumnValues values =
        new ColumnValues(
            need == Need.WHOLE ? Kind.WHOLE : need == Need.REAL ? Kind.DOUBLE : Kind.TEXT, rows);
    for (int row = 0; row < rows; row++) {
      int at = row * columns.size() + number;
      int from = at == 0 ? 0 : ends[at - 1];
      int to = ends[at];
      if (problems.containsKey(row)) {
        values.setNull(row);
      } else if (from == to && need != Need.ANY) {
        values.setNull(row);
      } else {
        put(values, row, columns.get(number), from, to);
      }
    }
    return values;
  }

  private void put(ColumnValues values, int row, Wanted column, int from, int to) {
    String name = column.name();
    Need need = column.need();
    try {
      switch (need) {
        case WHOLE -> values.set(row, Numbers.whole(bytes, from, to));
        case REAL -> values.set(row, Numbers.real(bytes, from, to));
        default -> {
          String text = new String(bytes, from, to - from, UTF_8);
          if (text.indexOf(REPLACEMENT) >= 0) {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
          }
          values.set(row, text);
        }
      }
    } catch (NumberFormatException none) {
      String text = new String(bytes, from, Math.min(to - from, QUOTED_IN_ERRORS), UTF_8);
      values.fail(
          row,
          "column '%s': '%s' is not a %snumber"
              .formatted(name, text, need == Need.WHOLE ? "whole " : ""));
    } catch (CharacterCodingException notUtf8) {
      values.fail(row, "column '%s': the text is not UTF-8".formatted(name));
    }
  }
}
