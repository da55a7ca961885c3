package io.feedline.formats.parquet.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** The pages of a column in a row group, found by a scan of their headers. Immutable. */
final class ColumnPages {

  /** The number of bytes read first for a header, which may contain values of up to 4 KiB. */
  private static final int HEADER_BYTES = 1 << 14;

  private static final int MAX_HEADER_BYTES = 1 << 24;

  /** The largest number of rows of a page: a page of equal values could claim any number. */
  private static final int MAX_ROWS = 1 << 24;

  private final Page dictionary;
  private final List<Page> pages;

  /** The first row of each page within the row group; the last element is the number of rows. */
  private final int[] firstRows;

  private ColumnPages(Page dictionary, List<Page> pages, int rows) {
    this.dictionary = dictionary;
    this.pages = List.copyOf(pages);
    this.firstRows = new int[pages.size() + 1];
    for (int i = 0; i < pages.size(); i++) {
      firstRows[i + 1] = firstRows[i] + pages.get(i).values();
    }
    if (firstRows[pages.size()] != rows) {
      throw new IllegalArgumentException("pages of other rows");
    }
  }

  /** A page without its header; {@code values} counts nulls, too; {@code crc} is null if absent. */
  record Page(
      long offset,
      int bytes,
      int size,
      int values,
      Encoding encoding,
      Levels levels,
      @Nullable Integer crc) {}

  /** The levels of a page; if {@code apart}, they are uncompressed, before the data (version 2). */
  record Levels(
      boolean apart,
      int repetitionBytes,
      int definitionBytes,
      Encoding encoding,
      boolean compressed) {}

  static ColumnPages find(OpenFiles files, Path file, ChunkPlace chunk) throws IOException {
    Page dictionary = null;
    List<Page> pages = new ArrayList<>();
    long at = chunk.offset();
    long end = at + chunk.bytes();
    int rows = 0;
    byte[] window = new byte[HEADER_BYTES];
    while (rows < chunk.values()) {
      String place = "page %d at offset %d".formatted(pages.size(), at);
      try {
        int available = 0;
        int length = -1;
        while (length < 0) {
          available = next(available, end - at);
          window = available > window.length ? new byte[available] : window;
          files.read(file, at, window, 0, available);
          length = ThriftGuard.lengthOf(window, available);
        }
        PageHeader header = parse(window, length);
        long data = at + length;
        int bytes = header.getCompressed_page_size();
        if (bytes < 0 || bytes > end - data || header.getUncompressed_page_size() < 0) {
          throw new FormatException(
              "its %d bytes, %d of them compressed, do not end before its column does, at offset %d"
                  .formatted(header.getUncompressed_page_size(), bytes, end));
        }
        switch (header.getType()) {
          case DICTIONARY_PAGE -> {
            if (dictionary != null || !pages.isEmpty()) {
              throw new FormatException("a dictionary, which is not the first page");
            }
            dictionary = dictionary(header, data);
          }
          case DATA_PAGE, DATA_PAGE_V2 -> {
            Page page = page(header, data);
            if (page.values() < 0 || page.values() > Math.min(MAX_ROWS, chunk.values() - rows)) {
              throw new FormatException(
                  "%d values, where %d of the row group's rows are left, and a page has at most %d"
                      .formatted(page.values(), chunk.values() - rows, MAX_ROWS));
            }
            rows += page.values();
            pages.add(page);
          }
          case INDEX_PAGE -> {
            // Index pages: writers do not make them, and they contain no values.
          }
        }
        at = data + bytes;
      } catch (FormatException damaged) {
        throw damaged.at(place);
      }
    }
    return new ColumnPages(dictionary, pages, rows);
  }

  private static int next(int tried, long left) throws FormatException {
    if (tried >= left || tried >= MAX_HEADER_BYTES) {
      throw new FormatException(
          tried >= left
              ? "there is no page, though the row group has more rows"
              : "its header has more than %d bytes".formatted(MAX_HEADER_BYTES));
    }
    return (int) Math.min(left, tried == 0 ? HEADER_BYTES : 8L * tried);
  }

  private static PageHeader parse(byte[] bytes, int length) throws FormatException {
    try {
      return Util.readPageHeader(new ByteArrayInputStream(bytes, 0, length));
    } catch (IOException | RuntimeException damaged) {
      throw new FormatException("its header is damaged: " + damaged.getMessage(), damaged);
    }
  }

  private static Page dictionary(PageHeader header, long data) throws FormatException {
    DictionaryPageHeader dictionary =
        required(header.getDictionary_page_header(), "a dictionary without its header");
    Levels none = new Levels(false, 0, 0, null, true);
    return page(header, data, dictionary.getNum_values(), dictionary.getEncoding(), none);
  }

  private static Page page(PageHeader header, long data) throws FormatException {
    if (header.isSetData_page_header_v2()) {
      DataPageHeaderV2 v2 = header.getData_page_header_v2();
      int repetition = v2.getRepetition_levels_byte_length();
      int definition = v2.getDefinition_levels_byte_length();
      if (repetition < 0
          || definition < 0
          || (long) repetition + definition
              > Math.min(header.getCompressed_page_size(), header.getUncompressed_page_size())) {
        throw new FormatException(
            "levels of %d and %d bytes in a page of %d"
                .formatted(repetition, definition, header.getCompressed_page_size()));
      }
      boolean compressed = !v2.isSetIs_compressed() || v2.isIs_compressed();
      Levels levels = new Levels(true, repetition, definition, Encoding.RLE, compressed);
      return page(header, data, v2.getNum_values(), v2.getEncoding(), levels);
    }
    DataPageHeader v1 = required(header.getData_page_header(), "a page without its header");
    Levels levels = new Levels(false, 0, 0, v1.getDefinition_level_encoding(), true);
    return page(header, data, v1.getNum_values(), v1.getEncoding(), levels);
  }

  private static Page page(
      PageHeader header, long data, int values, Encoding encoding, Levels levels) {
    return new Page(
        data,
        header.getCompressed_page_size(),
        header.getUncompressed_page_size(),
        values,
        encoding,
        levels,
        header.isSetCrc() ? header.getCrc() : null);
  }

  private static <T> T required(T header, String problem) throws FormatException {
    if (header == null) {
      throw new FormatException(problem);
    }
    return header;
  }

  /** Returns the page with the column's dictionary; null if absent. */
  @Nullable Page dictionary() {
    return dictionary;
  }

  int count() {
    return pages.size();
  }

  Page page(int number) {
    return pages.get(number);
  }

  int pageOf(int row) {
    Objects.checkIndex(row, firstRows[pages.size()]);
    int found = Arrays.binarySearch(firstRows, row);
    if (found < 0) {
      return -found - 2;
    }
    // An empty page begins at the row where the next page begins.
    while (firstRows[found + 1] == row) {
      found++;
    }
    return found;
  }

  /** Returns the first row of each page, then the number of rows; the array must not be changed. */
  int[] firstRows() {
    return firstRows;
  }

  int firstRow(int page) {
    return firstRows[page];
  }
}
