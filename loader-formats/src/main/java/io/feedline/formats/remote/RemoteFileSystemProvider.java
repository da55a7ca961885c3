package io.feedline.formats.remote;

import io.feedline.formats.store.internal.FarChannel;
import io.feedline.formats.store.internal.KeyFileSystemProvider;
import io.feedline.formats.store.internal.KeyPath;
import io.feedline.formats.store.internal.ObjectOutput;
import io.feedline.internal.ReadFollower;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The provider of {@link RemoteFileSystem}s for URIs, found by {@link java.util.ServiceLoader}; not
 * named by users. A file system is made when its first path is asked for.
 */
public abstract sealed class RemoteFileSystemProvider extends KeyFileSystemProvider {

  /** Those that URIs lead to, by their roots. */
  private static final Map<URI, RemoteFileSystem> OPEN = new ConcurrentHashMap<>();

  private final String scheme;

  private RemoteFileSystemProvider(String scheme) {
    this.scheme = scheme;
  }

  /** The provider of {@code s3}. */
  public static final class S3 extends RemoteFileSystemProvider {
    static final S3 INSTANCE = new S3();

    /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
    public S3() {
      super("s3");
    }
  }

  /** The provider of {@code https}. */
  public static final class Https extends RemoteFileSystemProvider {
    static final Https INSTANCE = new Https();

    /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
    public Https() {
      super("https");
    }
  }

  /** The provider of {@code http}. */
  public static final class Http extends RemoteFileSystemProvider {
    static final Http INSTANCE = new Http();

    /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
    public Http() {
      super("http");
    }
  }

  static RemoteFileSystemProvider ofHttp(URI host) {
    return host.getScheme().equalsIgnoreCase("https") ? Https.INSTANCE : Http.INSTANCE;
  }

  /** Whether the server lists objects, as S3 does. */
  boolean lists() {
    return scheme.equals("s3");
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  /**
   * Makes a file system that {@link Path#of(URI)} finds from then on.
   *
   * @param uri of the bucket or the host, or of anything in it
   * @param env options as text: {@code endpoint}, {@code region}, {@code path-style}, {@code
   *     anonymous}, {@code connections}; and {@code credentials}, which are {@link S3Credentials}
   * @throws FileSystemAlreadyExistsException if there is one already
   * @throws IllegalArgumentException if the URI is no path of this provider, or an option is
   *     unknown or impossible
   */
  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
    URI root = root(uri);
    RemoteFileSystem made = build(root, env);
    if (OPEN.putIfAbsent(root, made) != null) {
      made.close();
      throw new FileSystemAlreadyExistsException(root.toString());
    }
    return made;
  }

  private RemoteFileSystem build(URI root, Map<String, ?> env) {
    RemoteFileSystem.Builder builder =
        lists() ? RemoteFileSystem.s3(root.getRawAuthority()) : RemoteFileSystem.http(host(root));
    new TreeMap<String, Object>(env)
        .forEach(
            (name, value) -> {
              if (name.equals("credentials")) {
                set(builder, value);
              } else {
                set(builder, name, String.valueOf(value));
              }
            });
    RemoteFileSystem[] self = new RemoteFileSystem[1];
    builder.whenClosed(() -> OPEN.remove(root, self[0]));
    self[0] = builder.build();
    return self[0];
  }

  private static void set(RemoteFileSystem.Builder builder, Object credentials) {
    if (!(credentials instanceof S3Credentials given)) {
      // Not the value, which may be a secret.
      throw new IllegalArgumentException("the option credentials must be S3Credentials");
    }
    builder.credentials(() -> given);
  }

  private static void set(RemoteFileSystem.Builder builder, String name, String value) {
    switch (name) {
      case "endpoint" -> builder.endpoint(S3Settings.endpoint("the option endpoint", value));
      case "region" -> builder.region(value);
      case "path-style" -> builder.pathStyle(Boolean.parseBoolean(value));
      case "anonymous" -> {
        if (Boolean.parseBoolean(value)) {
          builder.anonymous();
        }
      }
      case "connections" -> builder.connections(Integer.parseInt(value));
      default ->
          throw new IllegalArgumentException(
              "there is no option '%s'; known are anonymous, connections, credentials, endpoint, path-style, region"
                  .formatted(name));
    }
  }

  private static URI host(URI root) {
    String text = root.toString();
    return URI.create(text.substring(0, text.length() - 1));
  }

  /** The root of what a URI leads to. */
  private URI root(URI uri) {
    // Neither the URI nor its parts are printed here: they may hold a password or a signature.
    if (!scheme.equalsIgnoreCase(uri.getScheme()) || uri.getRawAuthority() == null) {
      throw new IllegalArgumentException(
          "a URI of this provider begins with %s:// and a %s"
              .formatted(scheme, lists() ? "bucket" : "host"));
    }
    if (uri.getRawAuthority().indexOf('@') >= 0
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URI that is a path has no user, no query and no fragment; what looks like one in a"
              + " name is written %3F for '?' and %23 for '#'");
    }
    String authority = uri.getRawAuthority();
    return URI.create(
        scheme + "://" + (lists() ? authority : authority.toLowerCase(Locale.ROOT)) + "/");
  }

  /**
   * Returns the file system that a URI leads to.
   *
   * @throws FileSystemNotFoundException if there is none yet
   */
  @Override
  public FileSystem getFileSystem(URI uri) {
    RemoteFileSystem files = OPEN.get(root(uri));
    if (files == null) {
      throw new FileSystemNotFoundException(root(uri).toString());
    }
    return files;
  }

  /** Returns the path of a URI; makes its file system, if there is none yet. */
  @Override
  public Path getPath(URI uri) {
    URI root = root(uri);
    RemoteFileSystem files = OPEN.computeIfAbsent(root, missing -> build(missing, Map.of()));
    String path = KeyText.key(uri);
    return KeyPath.parse(files, true, path);
  }

  private static RemoteFileSystem files(KeyPath path) {
    return (RemoteFileSystem) path.getFileSystem();
  }

  @Override
  protected final RemoteAttributes attributes(KeyPath path) throws IOException {
    return files(path).attributes(path);
  }

  @Override
  protected final List<KeyPath> children(KeyPath directory) throws IOException {
    return files(directory).children(directory);
  }

  @Override
  protected final FarChannel open(KeyPath file) throws IOException {
    RemoteFileSystem files = files(file);
    RemoteObject object = files.object(file);
    return new FarChannel(object.size()) {
      @Override
      protected void fill(long from, ByteBuffer target) throws IOException {
        files.read(object, from, target);
      }
    };
  }

  @Override
  protected final <V extends FileAttributeView> V view(KeyPath path, Class<V> type) {
    if (type == ObjectOutput.class && lists()) {
      return type.cast(new RemoteOutput(files(path), path));
    }
    return type == ReadFollower.class ? type.cast(files(path).follower()) : null;
  }
}
