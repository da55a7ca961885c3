package io.feedline.spark.hadoop;

import io.feedline.spark.hadoop.internal.HadoopPaths;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Paths of Hadoop's file systems, as {@code java.nio.file} has them: every dataset of Feedline is
 * read from them, and packed to them.
 *
 * <pre>{@code
 * Path train = HadoopFileSystems.path("hdfs://namenode/data/train", spark.sparkContext().hadoopConfiguration());
 * ImageDataset images = ImageDataset.open(train);
 * }</pre>
 *
 * <p>Thread-safe. Needs no closing: file systems are those of Hadoop's own cache, which closes them
 * when the process ends. Where somebody has closed one before, such as by {@link
 * FileSystem#closeAll}, its paths are read no longer, and {@link #path} gives paths of a new one.
 */
public final class HadoopFileSystems {

  private HadoopFileSystems() {}

  /**
   * Returns a path.
   *
   * @param text as Hadoop takes it: with a scheme and perhaps a host, or without, of {@code
   *     fs.defaultFS}; nothing is percent-decoded. {@code file} gives a path of the default file
   *     system of the JVM; {@code s3}, {@code http} and {@code https} one of Feedline's own, see
   *     {@link io.feedline.formats.remote.RemoteFileSystem}; anything else one of Hadoop's
   * @param configuration what Hadoop finds and configures file systems by; not changed
   * @throws IllegalArgumentException if the text is not a path, or its host is unknown
   * @throws IOException if Hadoop has no such file system, or cannot open it
   */
  public static Path path(String text, Configuration configuration) throws IOException {
    return HadoopPaths.path(text, configuration);
  }
}
