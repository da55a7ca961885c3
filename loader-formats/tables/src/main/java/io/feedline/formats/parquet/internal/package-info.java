/**
 * The reading of Parquet files, as images and as tables.
 *
 * <pre>
 * index -&gt; file, row group, row (ParquetStore) -&gt; page (ColumnPages) -&gt; values (PageValues) -&gt; image, label, key
 * </pre>
 *
 * <p>{@code ParquetFooter} reads the footer of a file. {@code ImageColumns} finds in it the columns
 * of images, labels and keys. Footers and headers of pages are parsed by Apache's
 * parquet-format-structures, after {@code ThriftGuard} has checked their counts; values are decoded
 * by Apache's parquet-column. The layer between them, which knows where pages are and how much
 * memory they take, is our own, since parquet-hadoop reads whole row groups, and needs Hadoop.
 *
 * <p><b>Memory and files.</b> Decompressed pages are kept up to a number of bytes. The places of
 * pages are kept once they are known, and take some 100 bytes each. A bounded number of files is
 * open. The opener closes stores and tables.
 *
 * <p><b>Threads.</b> All workers read a store or table at once; if several need the same page, one
 * of them decodes it.
 *
 * <p><b>To read another compression</b> add a constant to {@code PageCodec}.
 */
@NullMarked
package io.feedline.formats.parquet.internal;

import org.jspecify.annotations.NullMarked;
