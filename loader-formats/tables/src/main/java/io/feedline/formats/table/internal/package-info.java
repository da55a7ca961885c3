/**
 * CSV files as blocks of columns: not for users, and left out of the Javadoc. {@code CsvRows} finds
 * rows and fields in a stream of bytes and knows where each row begins, {@code CsvBlock} keeps the
 * wanted fields of some rows, and makes numbers and texts of them on a worker. A table is
 * thread-safe; what reads from front to back belongs to one thread at a time.
 */
@NullMarked
package io.feedline.formats.table.internal;

import org.jspecify.annotations.NullMarked;
