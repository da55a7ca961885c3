package io.feedline.formats.store.internal.keyfs;

import io.feedline.formats.store.internal.files.FarChannel;
import io.feedline.formats.store.internal.files.VersionedAttributes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only file system over an object store or Hadoop; {@code ObjectOutput} writes objects. */
public abstract class KeyFileSystem extends FileSystem {

  private final String root;

  /** Takes the root, with which all absolute paths begin; the root ends with a slash. */
  protected KeyFileSystem(String root) {
    this.root = root;
  }

  protected abstract URI uri(String key);

  protected abstract VersionedAttributes attributes(KeyPath path) throws IOException;

  /** Lists a directory; throws the exceptions of {@link java.nio.file.Files#newDirectoryStream}. */
  protected abstract List<KeyPath> children(KeyPath directory) throws IOException;

  protected abstract FarChannel open(KeyPath file) throws IOException;

  /** Returns a path's attribute view of a type; null if the file system has no such view. */
  protected abstract <V extends FileAttributeView> @Nullable V view(KeyPath path, Class<V> type);

  @Override
  public final boolean isReadOnly() {
    return true;
  }

  @Override
  public final String getSeparator() {
    return "/";
  }

  @Override
  public final Iterable<Path> getRootDirectories() {
    return List.of(KeyPath.ofKey(this, ""));
  }

  @Override
  public final Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public final Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  /** Parses a path, absolute if it begins with the root's URI or a slash; keeps percent signs. */
  @Override
  public final Path getPath(String first, String... more) {
    StringBuilder text = new StringBuilder(first);
    for (String each : more) {
      text.append('/').append(each);
    }
    String all = text.toString();
    if (all.startsWith(root)) {
      return KeyPath.parse(this, true, all.substring(root.length()));
    }
    if ((all + "/").equals(root)) {
      return KeyPath.ofKey(this, "");
    }
    return KeyPath.parse(this, all.startsWith("/"), all);
  }

  @Override
  public final PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(Path.of(((KeyPath) path).key()));
  }

  @Override
  public final UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("files have no owners here");
  }

  @Override
  public final WatchService newWatchService() {
    throw tellsNoChanges();
  }

  static UnsupportedOperationException tellsNoChanges() {
    return new UnsupportedOperationException("a server does not report changes");
  }

  @Override
  public final String toString() {
    return root;
  }
}
