/**
 * Images in Parquet files, as Hugging Face's datasets has them.
 *
 * <p>{@link io.feedline.formats.parquet.ParquetImages} is the format {@code parquet}, says which
 * files are read, and makes a dataset of them for a {@link io.feedline.DataLoader}.
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
 * open. The opener closes a store.
 *
 * <p><b>Threads.</b> A store is read by all workers at once; if several need the same page, one of
 * them decodes it.
 *
 * <p><b>To read another compression</b> add a constant to {@code PageCodec}.
 */
@NullMarked
package io.feedline.formats.parquet;

import org.jspecify.annotations.NullMarked;
