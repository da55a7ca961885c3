package io.feedline.formats.parquet;

import org.apache.parquet.format.CompressionCodec;

/**
 * The place of a column's values in a row group.
 *
 * @param offset of its first page in the file
 * @param bytes of all its pages
 * @param rows how many there are
 * @param codec how its pages are compressed
 */
record ChunkPlace(long offset, long bytes, int rows, CompressionCodec codec) {}
