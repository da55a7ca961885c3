/**
 * The implementation of {@link io.feedline.spark.hadoop.HadoopFileSystems}: reading and writing.
 *
 * <p><b>Reading.</b> On HDFS all threads read by position from one stream. On other file systems
 * each read uses a stream alone, and a few streams stay open. Each path of a listing keeps the
 * attributes from the listing, and returns them at the first request for attributes.
 *
 * <p><b>Writing.</b> A file is written under the name {@code .NAME.RANDOM.partial} in its
 * directory, made durable (its blocks are synced if the file system can) and renamed. Listings
 * leave out such names. If the file system can abort a stream, as S3A can, the file is written
 * under its own name, and appears when the stream is closed. The guarantees:
 *
 * <table> <caption>Guarantees by file system</caption>
 * <tr><th></th><th>whole or absent</th><th>if absent</th><th>if unchanged</th><th>a version is</th></tr>
 * <tr><td>hdfs</td><td>yes, atomically renamed</td><td>one of several writers at once succeeds</td>
 *     <td>checked, then replaced atomically</td><td>the file's identity and time</td></tr>
 * <tr><td>viewfs over hdfs</td><td>as hdfs</td><td>as hdfs</td><td>as hdfs</td>
 *     <td>time and length</td></tr>
 * <tr><td>s3a</td><td>yes, by S3</td><td>checked, then put</td><td>checked, then put</td>
 *     <td>the ETag</td></tr>
 * <tr><td>abfs, gs, others</td><td>yes; a file that is replaced may be absent for a moment</td>
 *     <td>checked, then renamed</td><td>checked, then renamed</td>
 *     <td>the ETag, or time and length</td></tr>
 * </table>
 *
 * <p>Another writer may write between "checked" and "then", a time of some milliseconds; its file
 * is overwritten. Prefer {@code s3://} paths to {@code s3a://}: Feedline itself reads and writes
 * them, and S3 checks their conditions.
 *
 * <p>Hadoop caches its file systems and closes them when the process ends, so this package does not
 * close them. All classes except the upload are thread-safe. The code calls only methods that
 * Hadoop 3.3.4 has.
 */
@NullMarked
package io.feedline.spark.hadoop.internal;

import org.jspecify.annotations.NullMarked;
