/**
 * Hadoop's file systems, most of all HDFS, as file systems of {@code java.nio.file}. They are
 * thread-safe and need no closing: Hadoop caches its file systems and closes them when the process
 * ends.
 */
@NullMarked
package io.feedline.spark.hadoop;

import org.jspecify.annotations.NullMarked;
