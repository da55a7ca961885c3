package io.feedline.formats.arrow.internal;

import java.util.List;

/**
 * The positions of a column's buffers in a file, for one record batch.
 *
 * @param rows the number of rows of the batch
 * @param validity the positions of the validity bits, of the column and of each node that contains
 *     it; nodes without nulls are left out
 * @param offsets for byte strings and texts, the position of their offsets; for numbers, the
 *     position of the values
 * @param data the position of the values
 * @param dataBytes the number of bytes of the values
 */
record ColumnPlace(long rows, List<Long> validity, long offsets, long data, long dataBytes) {}
