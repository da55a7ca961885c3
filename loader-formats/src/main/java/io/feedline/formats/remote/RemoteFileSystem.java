package io.feedline.formats.remote;

import io.feedline.formats.store.internal.KeyFileSystem;
import io.feedline.formats.store.internal.KeyPath;
import io.feedline.formats.store.internal.ObjectOutput;
import io.feedline.internal.ReadFollower;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of an S3 bucket, or the files of an HTTP server, as a file system that is read:
 *
 * <pre>{@code
 * ImageDataset images = ImageDataset.open(Path.of(URI.create("s3://bucket/train")));
 * }</pre>
 *
 * <p>So it is with what the environment says ({@code AWS_REGION}, {@code AWS_ENDPOINT_URL_S3},
 * ...). With settings of its own it is made by a builder:
 *
 * <pre>{@code
 * RemoteFileSystem store =
 *     RemoteFileSystem.s3("bucket").endpoint(URI.create("http://localhost:9000")).build();
 * ImageDataset images = ImageDataset.open(store.getPath("train"));
 * }</pre>
 *
 * <p>A directory is a part of keys that ends with a slash. It is listed with all below it, page by
 * page, when it is first asked for, and that is known for a while. Of an object the size and the
 * version (ETag) are kept, and it is read only as long as it has that version. Keys that are no
 * paths (with empty names, {@code .}, {@code ..} or NUL) are left out, with a warning. HTTP servers
 * give no listings, so there files are named. The methods of {@link java.nio.file.Files} write
 * nothing; image stores are written to S3 by {@link io.feedline.formats.store.StoreFormat#create},
 * and until they are whole nothing of them is listed.
 *
 * <p>Thread-safe. The file systems of {@link Path#of(URI)} stay open as long as the process; who
 * built one closes it, when no dataset reads from it anymore. Closing it twice is allowed; reading
 * afterwards throws {@link ClosedFileSystemException}.
 */
public final class RemoteFileSystem extends KeyFileSystem {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteFileSystem.class);

  /** How long what was seen is believed, so that opening a dataset asks once and not ten times. */
  private static final long FRESH_NANOS = Duration.ofSeconds(30).toNanos();

  private static final long ABSENT_NANOS = Duration.ofSeconds(5).toNanos();

  /** Objects whose attributes were asked for one by one, the last ones. */
  private static final int MOST_SEEN = 4096;

  private final RemoteFileSystemProvider provider;
  private final URI root;
  private final HttpObjects objects;

  /** What bytes are read through: the objects themselves, or a cache in front of them. */
  private final ObjectReader reads;

  private final LongSupplier clock;
  private final Runnable closed;

  /** By their directories; none lies in another one. */
  private final Map<String, Snapshot> snapshots = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final Map<String, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST_SEEN;
        }
      };

  private final Object oneLists = new Object();
  private volatile boolean open = true;

  /**
   * A directory's listing.
   *
   * @param unfinished the directories in it that are being written, which it has nothing of
   * @param nanos when it was complete
   */
  private record Snapshot(Listing listing, Set<String> unfinished, long nanos) {

    boolean isUnfinished(String name) {
      return unfinished.stream()
          .anyMatch(each -> each.isEmpty() || (name + "/").startsWith(each + "/"));
    }
  }

  /**
   * What was at a path.
   *
   * @param attributes null if nothing
   */
  private record Seen(RemoteAttributes attributes, long nanos) {}

  RemoteFileSystem(
      RemoteFileSystemProvider provider,
      URI root,
      HttpObjects objects,
      ObjectReader reads,
      LongSupplier clock,
      Runnable closed) {
    super(root.toString());
    this.provider = provider;
    this.root = root;
    this.objects = objects;
    this.reads = reads;
    this.clock = clock;
    this.closed = closed;
  }

  /**
   * Returns a builder for the file system of a bucket.
   *
   * @param bucket its name
   * @throws IllegalArgumentException if no bucket can be called that
   */
  public static Builder s3(String bucket) {
    if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,254}")) {
      throw new IllegalArgumentException(
          "the bucket must be letters, digits, '.', '-' and '_', was '" + bucket + "'");
    }
    return new Builder(RemoteFileSystemProvider.S3.INSTANCE, URI.create("s3://" + bucket + "/"));
  }

  /**
   * Returns a builder for the file system of an HTTP server.
   *
   * @param host {@code https://example.org} or {@code http://localhost:8000}, without more
   * @throws IllegalArgumentException if it is something else
   */
  public static Builder http(URI host) {
    URI checked = S3Settings.endpoint("the host", host.toString());
    if (!checked.getRawPath().isEmpty()) {
      throw new IllegalArgumentException("the host must have no path, was " + checked);
    }
    return new Builder(RemoteFileSystemProvider.ofHttp(checked), URI.create(checked + "/"));
  }

  /** Returns the same objects, read through a cache; to be closed before this. */
  RemoteFileSystem through(DiskCache cache) {
    requireOpen();
    CachedObjects cached = cache.inFrontOf(reads);
    return new RemoteFileSystem(provider, root, objects, cached, clock, cached::close);
  }

  /** Returns the URI of the root: of the bucket or of the host. */
  URI root() {
    return root;
  }

  @Override
  protected URI uri(String key) {
    return KeyText.uri(root, key);
  }

  /** What follows the order of reads; null if nothing does. */
  ReadFollower follower() {
    return reads.follower(root);
  }

  HttpObjects objects() {
    return objects;
  }

  private void requireOpen() {
    if (!open) {
      throw new ClosedFileSystemException();
    }
  }

  /**
   * What is at a path.
   *
   * @throws NoSuchFileException if nothing is
   */
  RemoteAttributes attributes(KeyPath path) throws IOException {
    requireOpen();
    String key = path.key();
    RemoteAttributes attributes = key.isEmpty() ? RemoteAttributes.DIRECTORY : known(key);
    if (attributes == null) {
      throw new NoSuchFileException(path.toString());
    }
    return attributes;
  }

  private RemoteAttributes known(String key) throws IOException {
    String directory = listed(key, true);
    if (directory != null) {
      return find(directory, key);
    }
    synchronized (seen) {
      Seen last = seen.get(key);
      if (last != null
          && clock.getAsLong() - last.nanos
              < (last.attributes == null ? ABSENT_NANOS : FRESH_NANOS)) {
        return last.attributes;
      }
    }
    RemoteAttributes now = ask(key);
    synchronized (seen) {
      seen.put(key, new Seen(now, clock.getAsLong()));
    }
    return now;
  }

  /** Asks the server; null if there is nothing. */
  private RemoteAttributes ask(String key) throws IOException {
    URI uri = KeyText.uri(root, key);
    try {
      return new RemoteAttributes(objects.stat(uri), objects.server());
    } catch (FileNotFoundException absent) {
      boolean directory = provider.lists() && objects.any(KeyText.uri(root, key + "/"));
      return directory ? RemoteAttributes.DIRECTORY : null;
    }
  }

  /** What a listing says of a key; null if nothing is there. */
  private RemoteAttributes find(String directory, String key) {
    Snapshot snapshot = snapshots.get(directory);
    if (snapshot == null) {
      return null; // dropped meanwhile, since an object in it has changed
    }
    Listing listing = snapshot.listing;
    String name =
        directory.isEmpty() ? key : key.substring(Math.min(key.length(), directory.length() + 1));
    if (name.isEmpty() || listing.isDirectory(name)) {
      return RemoteAttributes.DIRECTORY;
    }
    int object = listing.find(name);
    return object < 0
        ? null
        : new RemoteAttributes(
            new RemoteObject(KeyText.uri(root, key), listing.size(object), listing.version(object)),
            objects.server());
  }

  /** The listed directory that a key is in, or is; null if none. */
  private String listed(String key, boolean fresh) {
    String directory = key;
    while (true) {
      Snapshot snapshot = snapshots.get(directory);
      if (snapshot != null) {
        boolean old = clock.getAsLong() - snapshot.nanos >= FRESH_NANOS;
        return fresh && old ? null : directory;
      }
      if (directory.isEmpty()) {
        return null;
      }
      directory = directory.substring(0, Math.max(0, directory.lastIndexOf('/')));
    }
  }

  /**
   * The object at a path, to read it: as it was last seen, since a read asks for just that.
   *
   * @throws NoSuchFileException if there is nothing
   */
  RemoteObject object(KeyPath path) throws IOException {
    requireOpen();
    String key = path.key();
    String directory = listed(key, false);
    RemoteAttributes attributes = directory == null ? null : find(directory, key);
    if (attributes == null) {
      attributes = attributes(path);
    }
    if (attributes.object() == null) {
      throw new FileSystemException(path.toString(), null, "this is a directory");
    }
    return attributes.object();
  }

  /** The names of what lies in a directory, from its listing or that of one above it. */
  List<KeyPath> children(KeyPath path) throws IOException {
    requireOpen();
    String key = path.key();
    String directory = listed(key, true);
    if (directory == null) {
      synchronized (oneLists) {
        directory = listed(key, true);
        if (directory == null) {
          list(key);
          directory = key;
        }
      }
    }
    Snapshot snapshot = snapshots.get(directory);
    String below =
        key.equals(directory)
            ? ""
            : key.substring(directory.isEmpty() ? 0 : directory.length() + 1);
    if (snapshot != null && snapshot.isUnfinished(below)) {
      throw new FileSystemException(path.toString(), null, ObjectOutput.UNFINISHED_WORDS);
    }
    List<String> names = snapshot == null ? List.of() : snapshot.listing.children(below);
    if (names.isEmpty() && !key.isEmpty()) {
      RemoteAttributes other = attributes(path); // throws where there is nothing
      if (other.object() != null) {
        throw new NotDirectoryException(path.toString());
      }
    }
    List<KeyPath> children = new ArrayList<>(names.size());
    names.forEach(name -> children.add((KeyPath) path.resolve(name)));
    return children;
  }

  private void list(String key) throws IOException {
    String prefix = key.isEmpty() ? "" : key + "/";
    Listing.Builder listing = new Listing.Builder();
    List<String> left = new ArrayList<>();
    Set<String> unfinished = new HashSet<>();
    int[] leftOut = {0};
    objects.list(
        KeyText.uri(root, prefix),
        object -> {
          String full = KeyText.key(object.uri());
          String name = full.startsWith(prefix) ? full.substring(prefix.length()) : null;
          if (name != null && (name.isEmpty() || name.endsWith("/")) && object.size() == 0) {
            return; // what some tools put for a directory
          }
          if (name != null && ("/" + name).endsWith("/" + ObjectOutput.UNFINISHED)) {
            int end = name.length() - ObjectOutput.UNFINISHED.length() - 1;
            unfinished.add(name.substring(0, Math.max(0, end)));
            return;
          }
          if (name != null && name.endsWith(ObjectOutput.UNFINISHED)) {
            return; // the journal of one object, which is whole or not there
          }
          if (name == null
              || !isPath(name)
              || !listing.add(name, object.size(), object.version())) {
            leftOut[0]++;
            if (left.size() < 3) {
              left.add(KeyText.encoded(full.substring(0, Math.min(full.length(), 100))));
            }
          }
        });
    if (leftOut[0] > 0) {
      LOG.warn(
          "{}{}: {} objects are left out, since their keys are no paths: {}",
          root,
          prefix,
          leftOut[0],
          left);
    }
    if (listing.objects() > 0 || !unfinished.isEmpty() || key.isEmpty()) {
      Listing all = listing.build();
      Listing whole = unfinished.isEmpty() ? all : all.without(unfinished);
      snapshots.keySet().removeIf(below -> below.startsWith(prefix));
      snapshots.put(key, new Snapshot(whole, Set.copyOf(unfinished), clock.getAsLong()));
    }
  }

  private static boolean isPath(String name) {
    for (String each : name.split("/", -1)) {
      if (each.isEmpty() || each.equals(".") || each.equals("..")) {
        return false;
      }
    }
    return name.indexOf('\0') < 0 && name.indexOf('\uFFFD') < 0;
  }

  /** Reads bytes of an object; what is no longer as it was seen is forgotten. */
  void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
    requireOpen();
    try {
      reads.read(object, position, target);
    } catch (ObjectChangedException | FileNotFoundException changed) {
      forget(KeyText.key(object.uri()));
      throw changed;
    } catch (IllegalStateException failure) {
      requireOpen();
      throw failure;
    }
  }

  /** Forgets what was seen of an object and of the directories that it is in. */
  void forgetWritten(String key) {
    String above = key;
    while (!above.isEmpty()) {
      forget(above);
      above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
    }
  }

  private void forget(String key) {
    String directory = listed(key, false);
    if (directory != null) {
      snapshots.remove(directory);
    }
    synchronized (seen) {
      seen.remove(key);
    }
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      closed.run();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /**
   * Options; see {@link RemoteFileSystem#s3} and {@link RemoteFileSystem#http}. What is not set is
   * as the environment says by the names that AWS's own tools read. Not thread-safe.
   */
  public static final class Builder {
    private final RemoteFileSystemProvider provider;
    private final URI root;
    private final S3Settings.Given given = new S3Settings.Given();
    private RequestPolicy policy = RequestPolicy.DEFAULT;
    private Map<String, String> environment = System.getenv();
    private LongSupplier clock = System::nanoTime;
    private Runnable closed = () -> {};

    private Builder(RemoteFileSystemProvider provider, URI root) {
      this.provider = provider;
      this.root = root;
    }

    /**
     * Sets the server of S3's API, such as {@code http://localhost:9000} of MinIO; by default
     * {@code AWS_ENDPOINT_URL_S3}, {@code AWS_ENDPOINT_URL}, the AWS profile's, or AWS.
     *
     * @throws IllegalArgumentException if it is no http or https URL of a host
     */
    public Builder endpoint(URI endpoint) {
      requireS3("endpoint");
      given.endpoint = S3Settings.endpoint("the endpoint", endpoint.toString());
      return this;
    }

    /**
     * Sets the region; by default {@code AWS_REGION}, {@code AWS_DEFAULT_REGION}, the AWS
     * profile's, or us-east-1.
     */
    public Builder region(String region) {
      requireS3("region");
      given.region = Objects.requireNonNull(region, "region");
      return this;
    }

    /**
     * Sets whether the bucket is in the path of addresses, and not in the host's name; by default
     * true with an endpoint, and false for AWS.
     */
    public Builder pathStyle(boolean pathStyle) {
      requireS3("pathStyle");
      given.pathStyle = pathStyle;
      return this;
    }

    /**
     * Reads without credentials what anyone may read; so it is by default if {@code
     * AWS_NO_SIGN_REQUEST} is {@code true}. Needs none of AWS's modules.
     */
    public Builder anonymous() {
      requireS3("anonymous");
      given.anonymous = true;
      return this;
    }

    /**
     * Sets the credentials; by default {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY} and
     * {@code AWS_SESSION_TOKEN}, or what AWS's default chain finds.
     *
     * @param credentials asked for each request, by several threads; gives new ones when the old
     *     ones become too old
     * @throws IllegalStateException if AWS's modules are absent; the message names them
     */
    public Builder credentials(Supplier<S3Credentials> credentials) {
      requireS3("credentials");
      Libraries.AWS.require();
      given.credentials = Objects.requireNonNull(credentials, "credentials");
      return this;
    }

    /**
     * Sets how many requests are in flight at most; 64 by default.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder connections(int connections) {
      policy = policy.withConnections(connections);
      return this;
    }

    Builder policy(RequestPolicy policy) {
      this.policy = policy;
      return this;
    }

    Builder environment(Map<String, String> environment) {
      this.environment = environment;
      return this;
    }

    Builder clock(LongSupplier clock) {
      this.clock = clock;
      return this;
    }

    Builder whenClosed(Runnable closed) {
      this.closed = closed;
      return this;
    }

    private void requireS3(String option) {
      if (!provider.lists()) {
        throw new IllegalArgumentException(option + " is an option of s3 only");
      }
    }

    /**
     * Builds the file system, which the caller closes. Nothing is sent yet.
     *
     * @throws IllegalArgumentException if an option or a variable of the environment has an
     *     impossible value
     * @throws IllegalStateException if AWS's modules are needed and absent; the message names them
     */
    public RemoteFileSystem build() {
      Addressing addressing =
          provider.lists()
              ? new S3Addressing(S3Settings.of(given, environment))
              : new PlainAddressing();
      HttpObjects objects = new HttpObjects(addressing, new Requests(policy));
      Runnable ended = closed;
      return new RemoteFileSystem(
          provider,
          root,
          objects,
          objects,
          clock,
          () -> {
            ended.run();
            objects.close();
          });
    }
  }
}
