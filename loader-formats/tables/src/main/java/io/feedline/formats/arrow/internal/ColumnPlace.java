package io.feedline.formats.arrow.internal;

import java.util.List;

/**
 * The place of a record batch's column in its file.
 *
 * @param rows how many the batch has
 * @param validity where the bits are that tell which rows are null, of the column and of what it is
 *     nested in; those that have no nulls are left out
 * @param offsets where the offsets of byte strings and texts begin; of numbers the values' place
 * @param data where the values begin
 * @param dataBytes how many bytes the values have
 */
record ColumnPlace(long rows, List<Long> validity, long offsets, long data, long dataBytes) {}
