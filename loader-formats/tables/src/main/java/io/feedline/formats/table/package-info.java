/**
 * Numbers and texts of tables as samples: Parquet, Arrow and CSV.
 *
 * <p>{@link io.feedline.formats.table.TableDataset} says which columns become which entries of a
 * sample. {@link io.feedline.formats.table.Vocabulary} maps the names of a category to numbers.
 *
 * <pre>
 * index -&gt; file, group, block (TableFile) -&gt; columns of the block (ColumnValues) -&gt; rows as they go into a batch (RowBlock) -&gt; sample
 * </pre>
 *
 * <p>A format reads blocks of columns; {@code RowPlan} turns a block once into rows: the numbers of
 * a tensor lie row by row, in the batch's type, so that a row is written by one copy, and no number
 * becomes an object. A stream reads the same blocks, one after the other.
 *
 * <p>Each sample of {@link io.feedline.formats.table.Windows} has some consecutive rows of a
 * series. {@code SeriesScan} finds the series by key and time. {@code WindowPlan} finds the rows of
 * a window, which are copied from the same blocks. {@link io.feedline.formats.table.Scaling}
 * changes the numbers while a block is made.
 *
 * <p><b>Memory and files.</b> Blocks are kept up to a number of bytes; a stream keeps one for each
 * open shard. A sample keeps its block as long as it lives. The opener closes a dataset; a stream
 * closes what it opens.
 *
 * <p><b>Threads.</b> A dataset is read by all workers at once; if several need the same block, one
 * of them makes it.
 *
 * <p><b>To read another format</b> implement {@code TableFormat} of loader-store's internals, and
 * name it in {@code META-INF/services}: {@code CsvTables} is one.
 */
@NullMarked
package io.feedline.formats.table;

import org.jspecify.annotations.NullMarked;
