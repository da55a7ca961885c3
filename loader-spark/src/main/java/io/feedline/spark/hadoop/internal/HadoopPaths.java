package io.feedline.spark.hadoop.internal;

import io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

public final class HadoopPaths {

  /** Feedline's file system for each of Hadoop's file systems. Guarded by itself. */
  private static final Map<FileSystem, WeakReference<HadoopFileSystem>> OPEN = new WeakHashMap<>();

  private HadoopPaths() {}

  public static Path path(String text, Configuration configuration) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    URI uri = path.toUri();
    URI files = uri.getScheme() == null ? FileSystem.getDefaultUri(configuration) : uri;
    return switch (files.getScheme().toLowerCase(Locale.ROOT)) {
      case "file" -> Path.of(uri.getPath());
      case "s3" -> new ObjectFileSystemProvider.S3().getPath(absolute(path, files));
      case "hf" -> new ObjectFileSystemProvider.Hf().getPath(absolute(path, files));
      case "http" -> new ObjectFileSystemProvider.Http().getPath(absolute(path, files));
      case "https" -> new ObjectFileSystemProvider.Https().getPath(absolute(path, files));
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

  /** Returns the one file system over a Hadoop file system, so that equal paths are equal. */
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

  /** Returns a path, by Hadoop's configuration on the class path and in {@code HADOOP_CONF_DIR}. */
  static Path path(URI uri) throws IOException {
    return path(uri, System.getenv("HADOOP_CONF_DIR"));
  }

  /** Returns a path by Hadoop's configuration on the class path and in a directory, if not null. */
  static Path path(URI uri, @Nullable String directory) throws IOException {
    Configuration configuration = new Configuration();
    if (directory != null) {
      for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
        // Hadoop ignores an absent file.
        configuration.addResource(new org.apache.hadoop.fs.Path(Path.of(directory, name).toUri()));
      }
    }
    return path(new org.apache.hadoop.fs.Path(uri).toString(), configuration);
  }
}
