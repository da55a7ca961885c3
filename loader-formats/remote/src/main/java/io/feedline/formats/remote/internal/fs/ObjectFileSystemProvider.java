package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.store.internal.keyfs.KeyFileSystemProvider;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The provider of a scheme; makes the file system of a bucket or host for its first path. */
public abstract sealed class ObjectFileSystemProvider extends KeyFileSystemProvider {

  private static final Map<URI, ObjectFileSystem> OPEN = new ConcurrentHashMap<>();

  private final String scheme;

  private ObjectFileSystemProvider(String scheme) {
    this.scheme = scheme;
  }

  public static final class S3 extends ObjectFileSystemProvider {
    static final S3 INSTANCE = new S3();

    public S3() {
      super("s3");
    }
  }

  public static final class Https extends ObjectFileSystemProvider {
    static final Https INSTANCE = new Https();

    public Https() {
      super("https");
    }
  }

  public static final class Http extends ObjectFileSystemProvider {
    static final Http INSTANCE = new Http();

    public Http() {
      super("http");
    }
  }

  public static final class Gs extends ObjectFileSystemProvider {
    static final Gs INSTANCE = new Gs();

    public Gs() {
      super("gs");
    }
  }

  public static final class Az extends ObjectFileSystemProvider {
    static final Az INSTANCE = new Az();

    public Az() {
      super("az");
    }
  }

  public static final class Hf extends ObjectFileSystemProvider {
    static final Hf INSTANCE = new Hf();

    public Hf() {
      super("hf");
    }
  }

  static ObjectFileSystemProvider of(URI root) {
    return switch (root.getScheme().toLowerCase(Locale.ROOT)) {
      case "s3" -> S3.INSTANCE;
      case "gs" -> Gs.INSTANCE;
      case "az" -> Az.INSTANCE;
      case "hf" -> Hf.INSTANCE;
      case "https" -> Https.INSTANCE;
      default -> Http.INSTANCE;
    };
  }

  boolean namesHosts() {
    return scheme.startsWith("http");
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  /**
   * Makes a file system that {@link Path#of(URI)} uses from then on, unless the option {@code
   * shared} is {@code false}. The module's README lists the other options. Values are text, but
   * {@code credentials} are {@link S3Credentials} or a supplier of them.
   */
  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    Map<String, Object> options = new TreeMap<>(env);
    Object shared = options.remove("shared");
    if (shared != null && !Boolean.parseBoolean(shared.toString())) {
      return new ObjectFileSystemBuilder(exactRoot(uri)).options(options).build();
    }
    URI root = root(uri);
    ObjectFileSystem made = build(root, options);
    if (OPEN.putIfAbsent(root, made) != null) {
      made.close();
      throw new FileSystemAlreadyExistsException(root.toString());
    }
    return made;
  }

  private static ObjectFileSystem build(URI root, Map<String, ?> options) {
    ObjectFileSystem[] self = new ObjectFileSystem[1];
    self[0] =
        new ObjectFileSystemBuilder(root)
            .options(options)
            .whenClosed(() -> OPEN.remove(root, self[0]))
            .build();
    return self[0];
  }

  /** Makes a view with the option {@code cache}, a {@link DiskCache}, or {@code connections}. */
  @Override
  public FileSystem newFileSystem(Path path, Map<String, ?> env) {
    if (path.getFileSystem() instanceof ObjectFileSystem files
        && env.get("cache") instanceof DiskCache cache) {
      return files.through(cache);
    }
    if (path.getFileSystem() instanceof ObjectFileSystem files && env.get("connections") != null) {
      return files.withConnections(
          ObjectFileSystemBuilder.connections(env.get("connections").toString()));
    }
    throw new UnsupportedOperationException("the content of a file is not a file system here");
  }

  /** Returns the root of a URI; fails if the URI has a path after the host. */
  private URI exactRoot(URI uri) {
    if (!namesHosts()) {
      return root(uri);
    }
    URI host = S3Settings.endpoint("the host", uri.toString());
    if (!host.getRawPath().isEmpty()) {
      throw new IllegalArgumentException("the host must have no path, was " + host);
    }
    return URI.create(host + "/");
  }

  private URI root(URI uri) {
    // The messages contain neither the URI nor its parts, which may hold a password or a signature.
    if (!scheme.equalsIgnoreCase(uri.getScheme()) || uri.getRawAuthority() == null) {
      throw new IllegalArgumentException(
          "a URI of this provider begins with %s:// and a %s"
              .formatted(scheme, namesHosts() ? "host" : "bucket"));
    }
    if (uri.getRawAuthority().indexOf('@') >= 0
        || (uri.getRawQuery() != null && !namesHosts())
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URI that is a path has no user, no fragment, and a query only with https and http;"
              + " what looks like one in a name is written %3F for '?' and %23 for '#'");
    }
    String authority = uri.getRawAuthority();
    return URI.create(
        scheme + "://" + (namesHosts() ? authority.toLowerCase(Locale.ROOT) : authority) + "/");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    ObjectFileSystem files = OPEN.get(root(uri));
    if (files == null) {
      throw new FileSystemNotFoundException(root(uri).toString());
    }
    return files;
  }

  /**
   * Returns a path, and makes its file system if absent. A URI with a query becomes the only file
   * of a file system of its own. The path prints without the query, which may be secret.
   */
  @Override
  public Path getPath(URI uri) {
    URI root = root(uri);
    ObjectFileSystem files = OPEN.computeIfAbsent(root, missing -> build(missing, Map.of()));
    String path = KeyText.key(uri);
    String query = uri.getRawQuery();
    return KeyPath.parse(query == null ? files : files.signed(path, query), true, path);
  }
}
