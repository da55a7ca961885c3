package io.feedline.formats.arrow.internal;

import java.util.List;

/**
 * The place of a record batch's column in its file.
 *
 * @param rows how many the batch has
 * @param validity the places of the bits that mark null rows, for the column and for the nodes in
 *     which it is nested, without nodes that have no nulls
 * @param offsets where the offsets of byte strings and texts begin; of numbers the values' place
 * @param data where the values begin
 * @param dataBytes how many bytes the values have
 */
record ColumnPlace(long rows, List<Long> validity, long offsets, long data, long dataBytes) {}
