package io.feedline.spark.hadoop;

import io.feedline.spark.hadoop.internal.HadoopPaths;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A factory of {@code java.nio.file} paths in Hadoop's file systems. Feedline reads and writes
 * stores of all formats at such paths.
 *
 * <pre>{@code
 * Path train = HadoopFileSystems.path("hdfs://namenode/data/train", spark.sparkContext().hadoopConfiguration());
 * ImageDataset images = ImageDataset.open(train);
 * }</pre>
 *
 * <p>Thread-safe. The file systems need not be closed: they are in Hadoop's cache, which closes
 * them when the process ends. If a program closes a file system before, for example by {@link
 * FileSystem#closeAll}, reads of its paths fail; {@link #path} then opens a new file system.
 */
public final class HadoopFileSystems {

  private HadoopFileSystems() {}

  /**
   * Returns a path in one of Hadoop's file systems.
   *
   * @param text a path in Hadoop's form, with a scheme and perhaps a host, or without a scheme for
   *     a path of {@code fs.defaultFS}; percent escapes are not decoded. Paths with the scheme
   *     {@code file} are read by the JVM's default file system; with {@code s3}, {@code hf}, {@code
   *     http} and {@code https} by {@link io.feedline.formats.remote.RemoteFileSystem}; with any
   *     other scheme by Hadoop
   * @param configuration Hadoop's configuration of its file systems; not changed
   * @throws IllegalArgumentException if the text is not a path, or the host is unknown
   * @throws IOException if Hadoop has no such file system, or cannot open the file system
   */
  public static Path path(String text, Configuration configuration) throws IOException {
    return HadoopPaths.path(text, configuration);
  }
}
