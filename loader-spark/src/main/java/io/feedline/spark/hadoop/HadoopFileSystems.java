package io.feedline.spark.hadoop;

import io.feedline.formats.remote.RemoteFileSystemProvider;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
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
 * <p>Thread-safe. Nothing is to be closed: file systems are those of Hadoop's own cache, which
 * closes them when the process ends. Where somebody has closed one before, such as by {@link
 * FileSystem#closeAll}, its paths are read no longer, and {@link #path} gives paths of a new one.
 */
public final class HadoopFileSystems {

  /** By Hadoop's, as long as a path of theirs is in use. Guarded by itself. */
  private static final Map<FileSystem, WeakReference<HadoopFileSystem>> OPEN = new WeakHashMap<>();

  private HadoopFileSystems() {}

  /**
   * Returns a path.
   *
   * @param text as Hadoop takes it: with a scheme and perhaps a host, or without, of {@code
   *     fs.defaultFS}; nothing is percent-decoded. {@code file} gives a path of the default file
   *     system of the JVM; {@code s3}, {@code http} and {@code https} one of Feedline's own, see
   *     {@link io.feedline.formats.remote.RemoteFileSystem}; anything else one of Hadoop's
   * @param configuration what Hadoop finds and configures file systems by; not changed
   * @throws IllegalArgumentException if the text is no path, or its host is unknown
   * @throws IOException if Hadoop has no such file system, or cannot open it
   */
  public static Path path(String text, Configuration configuration) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    URI uri = path.toUri();
    URI files = uri.getScheme() == null ? FileSystem.getDefaultUri(configuration) : uri;
    return switch (files.getScheme().toLowerCase(Locale.ROOT)) {
      case "file" -> Path.of(uri.getPath());
      case "s3" -> new RemoteFileSystemProvider.S3().getPath(absolute(path, files));
      case "http" -> new RemoteFileSystemProvider.Http().getPath(absolute(path, files));
      case "https" -> new RemoteFileSystemProvider.Https().getPath(absolute(path, files));
      default -> {
        FileSystem hadoop = path.getFileSystem(configuration);
        String qualified = hadoop.makeQualified(path).toUri().getPath();
        yield of(hadoop).getPath(qualified);
      }
    };
  }

  private static URI absolute(org.apache.hadoop.fs.Path path, URI files) {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    return path.makeQualified(files, root).toUri();
  }

  /** The one file system of Feedline's over one of Hadoop's, so that its paths are equal. */
  static HadoopFileSystem of(FileSystem hadoop) throws IOException {
    synchronized (OPEN) {
      WeakReference<HadoopFileSystem> reference = OPEN.get(hadoop);
      HadoopFileSystem files = reference == null ? null : reference.get();
      if (files == null) {
        files = new HadoopFileSystem(hadoop);
        OPEN.put(hadoop, new WeakReference<>(files));
      }
      return files;
    }
  }

  /**
   * The path of a URI, by the configuration of this process: that of the class path, and of the
   * directory that {@code HADOOP_CONF_DIR} names.
   */
  static Path path(URI uri) throws IOException {
    return path(uri, System.getenv("HADOOP_CONF_DIR"));
  }

  /**
   * The path of a URI.
   *
   * @param directory of Hadoop's configuration; null for that of the class path alone
   */
  static Path path(URI uri, String directory) throws IOException {
    Configuration configuration = new Configuration();
    if (directory != null) {
      for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
        // An absent file is left out by Hadoop.
        configuration.addResource(new org.apache.hadoop.fs.Path(Path.of(directory, name).toUri()));
      }
    }
    return path(new org.apache.hadoop.fs.Path(uri).toString(), configuration);
  }
}
