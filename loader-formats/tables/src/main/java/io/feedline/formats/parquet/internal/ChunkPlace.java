package io.feedline.formats.parquet.internal;

import org.apache.parquet.format.CompressionCodec;

/**
 * The place of a column's values in a row group.
 *
 * @param offset of its first page in the file
 * @param bytes of all its pages
 * @param values how many there are, nulls and empty lists included: as many as rows where a row has
 *     one
 * @param codec how its pages are compressed
 */
record ChunkPlace(long offset, long bytes, int values, CompressionCodec codec) {}
