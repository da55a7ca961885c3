package io.feedline.formats.jpeg.internal;

/**
 * The Huffman tables that a decoder met lately, by content: most programs write the tables that
 * ITU-T T.81 suggests (annex K.3), so that few images bring a table that must be prepared.
 *
 * <p>Keeps the {@value #CAPACITY} that were used last; an image uses at most 6. A dropped table is
 * filled again, so a result of {@link #get} is valid for one image.
 */
final class HuffmanTables {

  private static final int CAPACITY = 32;

  /** The table used last is first. */
  private final HuffmanTable[] tables = new HuffmanTable[CAPACITY];

  private int size;

  /**
   * The table that is defined at an offset.
   *
   * @throws JpegException if it is not a Huffman table
   */
  HuffmanTable get(byte[] data, int from, boolean ac) throws JpegException {
    int length = HuffmanTable.definitionLength(data, from);
    int found = 0;
    while (found < size && !tables[found].isFrom(data, from, length, ac)) {
      found++;
    }
    HuffmanTable table;
    if (found < size) {
      table = tables[found];
    } else {
      if (size < CAPACITY) {
        tables[size++] = new HuffmanTable();
      }
      found = size - 1;
      table = tables[found];
      table.fill(data, from, length, ac);
    }
    System.arraycopy(tables, 0, tables, 1, found);
    tables[0] = table;
    return table;
  }
}
