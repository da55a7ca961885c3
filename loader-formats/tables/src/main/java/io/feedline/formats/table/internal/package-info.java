/**
 * CSV files as blocks of columns: {@code CsvRows} finds rows in a stream of bytes, {@code CsvBlock}
 * keeps the wanted fields of some rows, and {@code CsvTable} reads a file.
 */
@NullMarked
package io.feedline.formats.table.internal;

import org.jspecify.annotations.NullMarked;
