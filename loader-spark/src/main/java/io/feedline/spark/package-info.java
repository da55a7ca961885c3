/**
 * The integration with Apache Spark: the data source {@code feedline}, which packs and reads stores
 * of images, and readers for tasks that train or predict.
 *
 * <p><b>Writing.</b> The driver makes a {@code PackPlan} from the options and columns, which finds
 * all errors that can be found without a row, and sends it to the executors. There a {@code
 * StoreTask} for each attempt of a task writes the rows of a partition through a {@link
 * io.feedline.formats.store.PackingJob.TaskWriter}. The task sends its shards back as a {@code
 * TaskMessage}, and {@code StoreBatch} commits the {@link io.feedline.formats.store.PackingJob}.
 *
 * <p><b>Reading.</b> The driver makes a {@code ReadPlan} and opens the store only for its sizes, in
 * {@code StoreScan}. Each partition opens the store again, in {@code RangeReader}.
 *
 * <p>One jar works with Spark 3.5 and 4 and with both versions of Scala. So the code calls no
 * method with Scala collections in its signature, except {@code immutable.Map} and {@code
 * Iterator}.
 */
@NullMarked
package io.feedline.spark;

import org.jspecify.annotations.NullMarked;
