/**
 * Hadoop's file systems, HDFS first of all, as file systems of {@code java.nio.file}. All is
 * thread-safe, and needs no closing: Hadoop caches its file systems and closes them when the
 * process ends.
 */
@NullMarked
package io.feedline.spark.hadoop;

import org.jspecify.annotations.NullMarked;
