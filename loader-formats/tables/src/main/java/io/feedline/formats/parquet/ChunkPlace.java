package io.feedline.formats.parquet;

import org.apache.parquet.format.CompressionCodec;

/**
 * Where the values of a column in a row group are.
 *
 * @param offset of its first page in the file
 * @param bytes of all its pages
 * @param rows how many there are
 * @param codec how its pages are compressed
 */
record ChunkPlace(long offset, long bytes, int rows, CompressionCodec codec) {}
