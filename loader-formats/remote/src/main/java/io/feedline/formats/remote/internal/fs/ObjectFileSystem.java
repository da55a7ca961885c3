package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.cache.CachedObjects;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.Listing;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.SignedAddressing;
import io.feedline.formats.store.internal.files.FarChannel;
import io.feedline.formats.store.internal.keyfs.KeyFileSystem;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.internal.ReadOrderListener;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file system of a bucket or a host. It keeps listings and attributes for a limited time.
 * Thread-safe. Its creator closes it. Closing twice is allowed; reading afterwards throws {@link
 * ClosedFileSystemException}.
 */
public final class ObjectFileSystem extends KeyFileSystem {

  private static final Logger LOG = LoggerFactory.getLogger(ObjectFileSystem.class);

  /** The time for which a listing or attributes are used again; opening a dataset takes less. */
  private static final long FRESH_NANOS = Duration.ofSeconds(30).toNanos();

  private static final long ABSENT_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int MOST_SEEN = 4096;

  private final ObjectFileSystemProvider provider;
  private final URI root;
  private final HttpObjects objects;

  /** The reader of objects: the server, or a cache in front of it. */
  private final ObjectReader reads;

  private final int partBytes;
  private final LongSupplier clock;
  private final Runnable closed;

  /** The listings by directory; no listed directory lies in another listed directory. */
  private final Map<String, Snapshot> snapshots = new ConcurrentHashMap<>();

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

  /** A directory's listing without {@code unfinished} directories, which are being written. */
  private record Snapshot(Listing listing, Set<String> unfinished, long nanos) {

    boolean isUnfinished(String name) {
      return unfinished.stream()
          .anyMatch(each -> each.isEmpty() || (name + "/").startsWith(each + "/"));
    }
  }

  private record Seen(@Nullable RemoteAttributes attributes, long nanos) {}

  ObjectFileSystem(
      ObjectFileSystemProvider provider,
      URI root,
      HttpObjects objects,
      ObjectReader reads,
      int partBytes,
      LongSupplier clock,
      Runnable closed) {
    super(root.toString());
    this.provider = provider;
    this.root = root;
    this.objects = objects;
    this.reads = reads;
    this.partBytes = partBytes;
    this.clock = clock;
    this.closed = closed;
  }

  /** Returns a view through a cache; the caller closes the view before this file system. */
  ObjectFileSystem through(DiskCache cache) {
    requireOpen();
    CachedObjects cached = new CachedObjects(cache, reads);
    return new ObjectFileSystem(provider, root, objects, cached, partBytes, clock, cached::close);
  }

  /** Returns a view with its own connections; the caller closes it before this file system. */
  ObjectFileSystem withConnections(int most) {
    requireOpen();
    HttpObjects own = objects.withConnections(most);
    return new ObjectFileSystem(provider, root, own, own, partBytes, clock, own::close);
  }

  /** Returns the file system of a single file whose address has a query; it need not be closed. */
  ObjectFileSystem signed(String key, String query) {
    requireOpen();
    HttpObjects one = objects.at(new SignedAddressing(KeyText.uri(root, key), query));
    return new ObjectFileSystem(provider, root, one, one, partBytes, clock, () -> {});
  }

  URI root() {
    return root;
  }

  @Override
  protected URI uri(String key) {
    return KeyText.uri(root, key);
  }

  public HttpObjects objects() {
    return objects;
  }

  int partBytes() {
    return partBytes;
  }

  private void requireOpen() {
    if (!open) {
      throw new ClosedFileSystemException();
    }
  }

  @Override
  protected RemoteAttributes attributes(KeyPath path) throws IOException {
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

  private @Nullable RemoteAttributes ask(String key) throws IOException {
    URI uri = KeyText.uri(root, key);
    RemoteObject object = null;
    try {
      object = objects.stat(uri);
    } catch (FileNotFoundException absent) {
      // There may be a directory of this name.
    }
    // Some tools put an empty object for a directory, without a slash at the end of its key.
    if ((object == null || object.size() == 0)
        && objects.lists()
        && objects.any(KeyText.uri(root, key + "/"))) {
      return RemoteAttributes.DIRECTORY;
    }
    return object == null ? null : new RemoteAttributes(object, objects.server());
  }

  private @Nullable RemoteAttributes find(String directory, String key) {
    Snapshot snapshot = snapshots.get(directory);
    if (snapshot == null) {
      return null; // another thread dropped the listing, since a listed object has changed
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

  /**
   * Returns the listed directory that is or contains a key; null if no directory does, or if {@code
   * fresh} and the directory's listing is too old.
   */
  private @Nullable String listed(String key, boolean fresh) {
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

  /** Returns the object at a path, with the version that was listed or asked for last. */
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

  @Override
  protected List<KeyPath> children(KeyPath path) throws IOException {
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
      RemoteAttributes other = attributes(path); // throws if there is nothing
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
            return; // some tools put such an object for a directory
          }
          if (name != null && ("/" + name).endsWith("/" + ObjectOutput.UNFINISHED)) {
            int end = name.length() - ObjectOutput.UNFINISHED.length() - 1;
            unfinished.add(name.substring(0, Math.max(0, end)));
            return;
          }
          if (name != null && name.endsWith(ObjectOutput.UNFINISHED)) {
            return; // the mark of a writer of one object; the object is complete or absent
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

  @Override
  protected FarChannel open(KeyPath file) throws IOException {
    RemoteObject object = object(file);
    return new FarChannel(object.size()) {
      @Override
      protected void fill(long from, ByteBuffer target) throws IOException {
        ObjectFileSystem.this.read(object, from, target);
      }
    };
  }

  @Override
  protected <V extends FileAttributeView> @Nullable V view(KeyPath path, Class<V> type) {
    if (type == ObjectOutput.class && objects.isWritable()) {
      return type.cast(new RemoteOutput(this, path));
    }
    return type == ReadOrderListener.class ? type.cast(reads.listener(root)) : null;
  }

  /** Reads bytes of an object; forgets its listing or attributes if it has changed or is gone. */
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
}
