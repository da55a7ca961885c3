package io.feedline.formats.arrow.internal;

import java.util.List;

/**
 * The place of a record batch's column in its file.
 *
 * @param rows the number of rows of the batch
 * @param validity the places of the bits that mark null rows, for the column and for the nodes in
 *     which it is nested, without nodes that have no nulls
 * @param offsets the position of the offsets of byte strings and texts; for numbers that of the
 *     values
 * @param data the position of the values
 * @param dataBytes the number of bytes of the values
 */
record ColumnPlace(long rows, List<Long> validity, long offsets, long data, long dataBytes) {}
