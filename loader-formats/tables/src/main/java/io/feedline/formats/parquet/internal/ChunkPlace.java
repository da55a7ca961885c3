package io.feedline.formats.parquet.internal;

import org.apache.parquet.format.CompressionCodec;

/**
 * The place of a column's values in a row group.
 *
 * @param offset of its first page in the file
 * @param bytes of all its pages
 * @param values the number of values, including nulls and empty lists: one for each row unless rows
 *     are lists
 * @param codec how its pages are compressed
 */
record ChunkPlace(long offset, long bytes, int values, CompressionCodec codec) {}
