/**
 * Apache Spark packs and reads stores of images: the data source {@code feedline}, and readers for
 * tasks that train or predict.
 *
 * <p><b>Writing.</b> On the driver a {@code PackPlan} is made of options and columns, which finds
 * all errors that need no row. It is sent to the executors, where a {@code StoreTask} for each
 * attempt of a task writes the rows of a partition through a {@link
 * io.feedline.formats.store.PackingJob.TaskWriter}; the task's shards go back as a {@code
 * TaskMessage}, and {@code StoreBatch} commits the {@link io.feedline.formats.store.PackingJob}.
 *
 * <p><b>Reading.</b> A {@code ReadPlan} likewise. The driver opens the store for its sizes alone,
 * {@code StoreScan}; each partition opens it again, in {@code RangeReader}.
 *
 * <p>One jar serves Spark 3.5 and 4 and both versions of Scala, so nothing is called here whose
 * signature has types of Scala's collections but {@code immutable.Map} and {@code Iterator}.
 */
@NullMarked
package io.feedline.spark;

import org.jspecify.annotations.NullMarked;
