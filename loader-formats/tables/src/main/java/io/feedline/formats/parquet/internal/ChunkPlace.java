package io.feedline.formats.parquet.internal;

import org.apache.parquet.format.CompressionCodec;

/** The place of a column's pages in a row group; {@code values} counts nulls and empty lists. */
record ChunkPlace(long offset, long bytes, int values, CompressionCodec codec) {}
