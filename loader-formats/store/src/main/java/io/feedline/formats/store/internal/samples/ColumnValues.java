package io.feedline.formats.store.internal.samples;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a column in some rows: one value, or a list of values, for each row. They are not
 * changed after a reader has returned them.
 */
public final class ColumnValues {

  public enum Kind {
    WHOLE,
    /** Whole numbers of 64 bits without a sign; numbers from 2^63 on are negative in the long. */
    UNSIGNED,
    BOOL,
    FLOAT,
    DOUBLE,
    TEXT,
    BYTES;

    public boolean isWhole() {
      return this == WHOLE || this == UNSIGNED || this == BOOL;
    }

    public boolean isNumber() {
      return this != TEXT && this != BYTES;
    }
  }

  private static final int ARRAY_BYTES = 16;

  private static final int TEXT_BYTES = 24 + ARRAY_BYTES;

  private final Kind kind;
  private final long @Nullable [] wholes;
  private final double @Nullable [] reals;
  private final Object @Nullable [] objects;
  private final int size;
  private final BitSet nulls = new BitSet();
  private int @Nullable [] ends;
  private final BitSet nullLists = new BitSet();
  private final Map<Integer, String> failures = new TreeMap<>();
  private long objectBytes;

  /** Makes room for a number of values; for lists, for the values of all rows together. */
  public ColumnValues(Kind kind, int values) {
    this.kind = kind;
    this.size = values;
    this.wholes = kind.isWhole() ? new long[values] : null;
    this.reals = kind.isNumber() && !kind.isWhole() ? new double[values] : null;
    this.objects = kind.isNumber() ? null : new Object[values];
  }

  public long bytes() {
    return (long) Long.BYTES * size + objectBytes;
  }

  public int size() {
    return size;
  }

  public Kind kind() {
    return kind;
  }

  public void set(int at, long value) {
    wholes[at] = value;
  }

  public void set(int at, double value) {
    reals[at] = value;
  }

  public void set(int at, String value) {
    objects[at] = value;
    objectBytes += TEXT_BYTES + value.length();
  }

  public void set(int at, byte[] value) {
    objects[at] = value;
    objectBytes += ARRAY_BYTES + value.length;
  }

  /** Sets a value whose memory has been counted already, such as a value from a dictionary. */
  public void share(int at, Object value) {
    objects[at] = value;
  }

  public void setNull(int at) {
    nulls.set(at);
  }

  public void fail(int row, String problem) {
    failures.putIfAbsent(row, problem);
  }

  public void lists(int[] ends) {
    this.ends = ends;
  }

  public void setNullList(int row) {
    nullLists.set(row);
  }

  public boolean isList() {
    return ends != null;
  }

  public int from(int row) {
    return ends == null ? row : row == 0 ? 0 : ends[row - 1];
  }

  public int to(int row) {
    return ends == null ? row + 1 : ends[row];
  }

  public boolean isNull(int at) {
    return nulls.get(at);
  }

  public boolean hasNulls() {
    return !nulls.isEmpty() || !nullLists.isEmpty();
  }

  public boolean isNullList(int row) {
    return nullLists.get(row);
  }

  public Map<Integer, String> failures() {
    return failures;
  }

  public long whole(int at) {
    return wholes[at];
  }

  /** Returns a number of any kind as the nearest double. */
  public double real(int at) {
    if (reals != null) {
      return reals[at];
    }
    long value = wholes[at];
    return value < 0 && kind == Kind.UNSIGNED ? unsigned(value) : value;
  }

  /** Converts an unsigned number, rounded half to even: a 1 bit shifted out sets the lowest bit. */
  private static double unsigned(long value) {
    return ((value >>> 1) | (value & 1)) * 2.0;
  }

  public Object object(int at) {
    return objects[at];
  }
}
