/**
 * Hadoop's file systems, HDFS first of all, as file systems of {@code java.nio.file}: {@link
 * io.feedline.spark.hadoop.HadoopFileSystems} gives a path, which every dataset is read from and
 * packed to. A URI such as {@code hdfs://namenode/data} on the command line does the same.
 *
 * <p>All is thread-safe, and needs no closing: Hadoop caches its file systems and closes them when
 * the process ends.
 */
@NullMarked
package io.feedline.spark.hadoop;

import org.jspecify.annotations.NullMarked;
