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
 * <p>{@code ParquetFooter} reads the footer of a file, {@code ImageColumns} finds in it which
 * columns are what. Footers and headers of pages are parsed by Apache's parquet-format-structures,
 * after {@code ThriftGuard} has seen that their counts are true; values are decoded by Apache's
 * parquet-column. The layer between them, which knows where pages are and what they take, is ours,
 * since parquet-hadoop reads row groups as a whole, and needs Hadoop for it.
 *
 * <p><b>Memory and files.</b> Pages that were decompressed are kept up to a number of bytes; places
 * of pages as soon as they are known, some 100 bytes each. A bounded number of files is open. The
 * opener closes a store.
 *
 * <p><b>Threads.</b> A store is read by all workers at once; one of them restores a page that
 * several need.
 *
 * <p><b>To read another compression</b> add a constant to {@code PageCodec}.
 */
@NullMarked
package io.feedline.formats.parquet;

import org.jspecify.annotations.NullMarked;
