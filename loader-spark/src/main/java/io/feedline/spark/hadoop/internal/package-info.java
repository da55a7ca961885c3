/**
 * Reading and writing of {@link io.feedline.spark.hadoop.HadoopFileSystems}.
 *
 * <p><b>Reading.</b> From HDFS all threads read by position from one stream; from others each read
 * takes a stream for itself, of which a few stay open. The paths of a listing know what the listing
 * told, for the first who asks.
 *
 * <p><b>Writing.</b> Our writers write a file beside its place, {@code .NAME.RANDOM.partial}, make
 * it durable (blocks are synced where the file system does that) and rename it. Such names are in
 * no listing. Where a file system lets a stream be aborted, as S3A does, the file is written at its
 * place, and is there when it is closed. The guarantees:
 *
 * <table> <caption>Guarantees by file system</caption>
 * <tr><th></th><th>whole or absent</th><th>if absent</th><th>if unchanged</th><th>a version is</th></tr>
 * <tr><td>hdfs</td><td>yes, atomically renamed</td><td>of several writers at once one</td>
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
 * <p>Between "checked" and "then" another writer can come, and is overwritten: the window is some
 * milliseconds wide. {@code s3://} paths are not Hadoop's but Feedline's own, with conditions that
 * S3 itself checks: prefer them to {@code s3a://}.
 *
 * <p>Hadoop caches its file systems and closes them when the process ends; so nothing here is
 * closed. All is thread-safe but an upload. Only what Hadoop 3.3.4 has is called.
 */
@NullMarked
package io.feedline.spark.hadoop.internal;

import org.jspecify.annotations.NullMarked;
