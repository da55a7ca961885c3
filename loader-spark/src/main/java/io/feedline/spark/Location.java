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
 * The place of a store, for driver and executors alike. A path without a scheme means what it means
 * to Spark: it is of Hadoop's default file system. {@code file:} is local, {@code s3:}, {@code
 * hf:}, {@code https:} and {@code http:} are Feedline's own, and all others are Hadoop's.
 * Immutable.
 */
final class Location implements Serializable {

  private static final long serialVersionUID = 1;

  /** The schemes whose file systems are configured without Hadoop. */
  private static final Set<String> NOT_HADOOPS = Set.of("file", "s3", "hf", "https", "http");

  /** With its scheme. */
  private final String uri;

  /** Hadoop's configuration, if the file system is Hadoop's; else empty. */
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

  /** Returns a path as Hadoop spells it out: with scheme and authority, from the root. */
  static org.apache.hadoop.fs.Path qualified(String text, Configuration hadoop) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    FileSystem files = path.getFileSystem(hadoop);
    return path.makeQualified(files.getUri(), files.getWorkingDirectory());
  }

  /** With the session's settings, as for Spark's own sources. */
  static Configuration hadoop(SparkSession session) {
    Configuration configuration = new Configuration(session.sparkContext().hadoopConfiguration());
    scala.collection.Iterator<Tuple2<String, String>> settings = session.conf().getAll().iterator();
    while (settings.hasNext()) {
      Tuple2<String, String> setting = settings.next();
      configuration.set(setting._1(), setting._2());
    }
    return configuration;
  }

  /** On any machine. */
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
