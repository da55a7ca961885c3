package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.formats.store.internal.keyfs.KeyFileSystemProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.Map;

/**
 * A provider of Hadoop's file systems. {@link java.util.ServiceLoader} finds the subclasses for
 * some schemes, so that {@code Path.of(URI.create("hdfs://namenode/data"))} and the command line
 * can use these schemes. Users call {@link io.feedline.spark.hadoop.HadoopFileSystems} instead.
 *
 * <p>The JVM loads all installed providers when a program first requests any provider. So this
 * class must be loadable without Hadoop on the class path; {@link #getPath} checks that Hadoop is
 * present.
 */
public class HadoopFileSystemProvider extends KeyFileSystemProvider {

  private static final RequiredLibrary HADOOP =
      new RequiredLibrary(
          "a path of Hadoop's file systems",
          "org.apache.hadoop:hadoop-client-api and org.apache.hadoop:hadoop-client-runtime",
          "org.apache.hadoop.fs.FileSystem");

  private final String scheme;

  HadoopFileSystemProvider(String scheme) {
    this.scheme = scheme;
  }

  public static final class Hdfs extends HadoopFileSystemProvider {
    public Hdfs() {
      super("hdfs");
    }
  }

  public static final class Viewfs extends HadoopFileSystemProvider {
    public Viewfs() {
      super("viewfs");
    }
  }

  public static final class Abfs extends HadoopFileSystemProvider {
    public Abfs() {
      super("abfs");
    }
  }

  public static final class Abfss extends HadoopFileSystemProvider {
    public Abfss() {
      super("abfss");
    }
  }

  public static final class S3a extends HadoopFileSystemProvider {
    public S3a() {
      super("s3a");
    }
  }

  @Override
  public final String getScheme() {
    return scheme;
  }

  /** Always throws: Hadoop opens a file system by its configuration when a path is requested. */
  @Override
  public final FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    throw new UnsupportedOperationException(
        "file systems of Hadoop are opened by its configuration; ask for a path");
  }

  @Override
  public final FileSystem getFileSystem(URI uri) {
    return getPath(uri).getFileSystem();
  }

  /**
   * Returns a path. Hadoop's configuration is read from the class path and from the directory
   * {@code HADOOP_CONF_DIR}.
   *
   * @throws IllegalArgumentException if Hadoop cannot open the path's file system
   * @throws IllegalStateException if Hadoop is absent; the message names the libraries to add
   */
  @Override
  public final Path getPath(URI uri) {
    HADOOP.require();
    try {
      return HadoopPaths.path(uri);
    } catch (IOException unable) {
      throw new IllegalArgumentException(
          "Hadoop does not open the file system of %s: %s".formatted(uri, unable.getMessage()),
          unable);
    }
  }
}
