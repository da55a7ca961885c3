package io.feedline.spark.hadoop;

import io.feedline.spark.hadoop.internal.HadoopPaths;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A factory of {@code java.nio.file} paths of Hadoop's file systems. Feedline reads and packs each
 * kind of dataset at such paths.
 *
 * <pre>{@code
 * Path train = HadoopFileSystems.path("hdfs://namenode/data/train", spark.sparkContext().hadoopConfiguration());
 * ImageDataset images = ImageDataset.open(train);
 * }</pre>
 *
 * <p>Thread-safe. Needs no closing: the file systems are in Hadoop's own cache, which closes them
 * when the process ends. If a program closes a file system before, such as by {@link
 * FileSystem#closeAll}, reading its paths fails, and {@link #path} returns paths of a new file
 * system.
 */
public final class HadoopFileSystems {

  private HadoopFileSystems() {}

  /**
   * Returns a path.
   *
   * @param text a path in Hadoop's form, with a scheme and perhaps a host, or without a scheme for
   *     a path of {@code fs.defaultFS}; nothing is percent-decoded. The scheme {@code file} is read
   *     by the JVM's default file system; {@code s3}, {@code hf}, {@code http} and {@code https} by
   *     Feedline, see {@link io.feedline.formats.remote.RemoteFileSystem}; all others by Hadoop
   * @param configuration Hadoop's configuration of its file systems; not changed
   * @throws IllegalArgumentException if the text is not a path, or the host is unknown
   * @throws IOException if Hadoop has no such file system, or cannot open the file system
   */
  public static Path path(String text, Configuration configuration) throws IOException {
    return HadoopPaths.path(text, configuration);
  }
}
