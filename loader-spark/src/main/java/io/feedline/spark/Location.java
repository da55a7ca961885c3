package io.feedline.spark;

import io.feedline.spark.hadoop.HadoopFileSystems;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * The place of a store, for the driver and the executors. A path without a scheme is a path of
 * Hadoop's default file system, as in Spark. The scheme {@code file:} is local; Feedline itself
 * reads {@code s3:}, {@code hf:}, {@code https:} and {@code http:}; Hadoop reads all other schemes.
 * Immutable.
 */
final class Location implements Serializable {

  private static final long serialVersionUID = 1;

  /** The schemes whose file systems are configured without Hadoop. */
  private static final Set<String> NOT_HADOOPS = Set.of("file", "s3", "hf", "https", "http");

  private final String uri;

  /** Hadoop's configuration, serialized; empty if the file system is not one of Hadoop's. */
  private final byte[] configuration;

  private Location(String uri, byte[] configuration) {
    this.uri = uri;
    this.configuration = configuration;
  }

  static Location of(SparkSession session, String text) throws IOException {
    Configuration hadoop = hadoop(session);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    if (path.toUri().getScheme() == null) {
      path = qualified(text, hadoop);
    }
    if (NOT_HADOOPS.contains(path.toUri().getScheme().toLowerCase(Locale.ROOT))) {
      return new Location(path.toString(), new byte[0]);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      hadoop.write(out);
    }
    return new Location(path.toString(), bytes.toByteArray());
  }

  /** Returns a path in Hadoop's qualified form: absolute, with a scheme and an authority. */
  static org.apache.hadoop.fs.Path qualified(String text, Configuration hadoop) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    FileSystem files = path.getFileSystem(hadoop);
    return path.makeQualified(files.getUri(), files.getWorkingDirectory());
  }

  /** Returns Hadoop's configuration with the settings of the Spark session. */
  static Configuration hadoop(SparkSession session) {
    Configuration configuration = new Configuration(session.sparkContext().hadoopConfiguration());
    scala.collection.Iterator<Tuple2<String, String>> settings = session.conf().getAll().iterator();
    while (settings.hasNext()) {
      Tuple2<String, String> setting = settings.next();
      configuration.set(setting._1(), setting._2());
    }
    return configuration;
  }

  /** Returns the store's path; works on the driver and on executors. */
  Path path() throws IOException {
    Configuration hadoop = new Configuration(false);
    if (configuration.length > 0) {
      hadoop.readFields(new DataInputStream(new ByteArrayInputStream(configuration)));
    }
    return HadoopFileSystems.path(uri, hadoop);
  }

  @Override
  public String toString() {
    return uri;
  }
}
