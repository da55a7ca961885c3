package io.feedline.formats.jpeg.internal;

/**
 * The {@value #CAPACITY} Huffman tables that a decoder used last. They are found by their content,
 * because most programs write the tables of ITU-T T.81, annex K.3. An image uses at most 6. The
 * object of a dropped table is filled again, so a result of {@link #get} is valid for one image
 * only.
 */
final class HuffmanTables {

  private static final int CAPACITY = 32;

  /** The tables; the most recently used table is first. */
  private final HuffmanTable[] tables = new HuffmanTable[CAPACITY];

  private int size;

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
