package io.feedline.spark;

import io.feedline.formats.store.internal.ProviderPaths;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Where a store is, for driver and executors alike. A path without a scheme means what it means to
 * Spark: it is of Hadoop's default file system. {@code file:} is local, {@code s3:}, {@code https:}
 * and {@code http:} are Feedline's own, and all others are Hadoop's. Immutable.
 */
final class Location implements Serializable {

  private static final long serialVersionUID = 1;

  /** Two characters or more: one is a drive of Windows. */
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*", Pattern.DOTALL);

  /** With its scheme. */
  private final String uri;

  /** Hadoop's configuration, if the file system is Hadoop's; else empty. */
  private final byte[] configuration;

  private Location(String uri, byte[] configuration) {
    this.uri = uri;
    this.configuration = configuration;
  }

  /**
   * Returns the place of a text, on the driver.
   *
   * @throws IOException if Hadoop's default file system is needed and cannot be opened
   */
  static Location of(SparkSession session, String text) throws IOException {
    Configuration hadoop = hadoop(session);
    String uri = scheme(text) == null ? qualified(text, hadoop).toString() : text;
    String scheme = scheme(uri);
    if (scheme.equals("file") || provider(scheme) != null) {
      return new Location(uri, new byte[0]);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      hadoop.write(out);
    }
    return new Location(uri, bytes.toByteArray());
  }

  /** Returns a path as Hadoop spells it out: with scheme and authority, from the root. */
  static org.apache.hadoop.fs.Path qualified(String text, Configuration hadoop)
      throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(text);
    FileSystem files = path.getFileSystem(hadoop);
    return path.makeQualified(files.getUri(), files.getWorkingDirectory());
  }

  /** Returns Hadoop's configuration with what the session sets, as Spark's own sources have it. */
  static Configuration hadoop(SparkSession session) {
    Configuration configuration = new Configuration(session.sparkContext().hadoopConfiguration());
    scala.collection.Iterator<Tuple2<String, String>> settings = session.conf().getAll().iterator();
    while (settings.hasNext()) {
      Tuple2<String, String> setting = settings.next();
      configuration.set(setting._1(), setting._2());
    }
    return configuration;
  }

  /**
   * Returns the path, on whatever machine.
   *
   * @throws IOException if its file system cannot be opened
   * @throws IllegalArgumentException if it is no path of its file system
   */
  Path path() throws IOException {
    String scheme = scheme(uri);
    if (scheme.equals("file")) {
      return Path.of(new org.apache.hadoop.fs.Path(uri).toUri().getPath());
    }
    FileSystemProvider provider = provider(scheme);
    try {
      if (provider != null) {
        return ProviderPaths.of(uri, provider);
      }
    } catch (URISyntaxException invalid) {
      throw new IllegalArgumentException(uri + " is no URI: " + invalid.getMessage(), invalid);
    }
    Configuration hadoop = new Configuration(false);
    hadoop.readFields(new DataInputStream(new ByteArrayInputStream(configuration)));
    throw new IOException(
        URI.create(uri) + ": there is no file system for the scheme '" + scheme + "'" + hadoop);
  }

  /** Feedline's provider of a scheme; null if it has none. */
  private static FileSystemProvider provider(String scheme) {
    // Not those that are installed: of what spark-submit adds to the class path, the JVM finds none.
    for (FileSystemProvider each :
        ServiceLoader.load(FileSystemProvider.class, ProviderPaths.class.getClassLoader())) {
      if (each.getScheme().equals(scheme)
          && each.getClass().getPackageName().startsWith("io.feedline.")) {
        return each;
      }
    }
    return null;
  }

  /** The scheme of a URI in lower case; null for a path that has none. */
  private static String scheme(String text) {
    Matcher scheme = SCHEME.matcher(text);
    return scheme.matches() ? scheme.group(1).toLowerCase(Locale.ROOT) : null;
  }

  /** The URI. */
  @Override
  public String toString() {
    return uri;
  }
}
