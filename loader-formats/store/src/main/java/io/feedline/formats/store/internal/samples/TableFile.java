package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with a table. The rows are divided into groups of known sizes, and each group is divided
 * into blocks, which are read as a whole. Thread-safe.
 */
public interface TableFile {

  /** The expected type of a column; a file that knows its columns' types ignores it. */
  enum Need {
    ANY,
    WHOLE,
    REAL,
    /** Texts that are names; an empty text counts as null. */
    NAME
  }

  record Wanted(String name, Need need) {}

  TableSchema<?> schema();

  Set<String> columns();

  /** Returns a checksum of the file's metadata, which describe where the values are. */
  long checksum() throws IOException;

  /** Returns the number of rows of each group; fails if the file cannot be read by position. */
  long[] rows() throws IOException;

  /** Returns the number of rows if it is known without reading them, otherwise -1. */
  default long knownRows() throws IOException {
    long sum = 0;
    for (long each : rows()) {
      sum += each;
    }
    return sum;
  }

  String place(int group, int row);

  /** Throws an exception if a column cannot be read because of its type. */
  void check(List<Wanted> columns) throws FormatException;

  List<? extends Block> blocks(int group, List<Wanted> columns) throws IOException;

  default Front front(List<Wanted> columns) throws IOException {
    return new GroupsInTurn(this, columns);
  }

  /** Rows that are read as a whole. Immutable and thread-safe. */
  interface Block {

    int rows();

    String place(int row);

    List<ColumnValues> read() throws IOException;
  }

  /** A file that is read from front to back. Not thread-safe. */
  interface Front extends Closeable {

    /** Returns the next block; null at the end. A file may end at a block that cannot be read. */
    @Nullable Block next() throws IOException;

    /** Returns a mark: the place of the next block, for {@link #goTo}. */
    List<Long> mark();

    void goTo(List<Long> mark) throws IOException;
  }
}
