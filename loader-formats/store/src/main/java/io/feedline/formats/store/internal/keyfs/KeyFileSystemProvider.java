package io.feedline.formats.store.internal.keyfs;

import io.feedline.formats.store.internal.files.VersionedAttributes;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

public abstract class KeyFileSystemProvider extends FileSystemProvider {

  protected KeyFileSystemProvider() {}

  private VersionedAttributes found(Path path) throws IOException {
    KeyPath key = key(path);
    VersionedAttributes listed = key.takeListed();
    return listed == null ? key.getFileSystem().attributes(key) : listed;
  }

  private KeyPath key(Path path) {
    if (path instanceof KeyPath key
        && key.getFileSystem().provider().getScheme().equals(getScheme())) {
      return key;
    }
    throw new ProviderMismatchException(path + " is not a path of the provider " + getScheme());
  }

  @Override
  public final SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    for (OpenOption option : options) {
      if (option != StandardOpenOption.READ) {
        throw new ReadOnlyFileSystemException();
      }
    }
    KeyPath file = key(path);
    return file.getFileSystem().open(file);
  }

  @Override
  public final DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    KeyPath listed = key(directory);
    List<Path> accepted = new ArrayList<>();
    for (Path child : listed.getFileSystem().children(listed)) {
      if (filter.accept(child)) {
        accepted.add(child);
      }
    }
    return new DirectoryStream<>() {
      private boolean used;

      @Override
      public Iterator<Path> iterator() {
        if (used) {
          throw new IllegalStateException("a directory's stream is gone through once");
        }
        used = true;
        return accepted.iterator();
      }

      @Override
      public void close() {
        used = true;
      }
    };
  }

  @Override
  public final void checkAccess(Path path, AccessMode... modes) throws IOException {
    found(path);
    for (AccessMode mode : modes) {
      if (mode != AccessMode.READ) {
        throw new AccessDeniedException(path.toString(), null, "files are only read here");
      }
    }
  }

  @Override
  public final <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (!type.isAssignableFrom(VersionedAttributes.class)) {
      throw new UnsupportedOperationException(
          "files have no attributes " + type.getName() + " here");
    }
    return type.cast(found(path));
  }

  @Override
  public final Map<String, Object> readAttributes(
      Path path, String attributes, LinkOption... options) throws IOException {
    VersionedAttributes found = found(path);
    Map<String, Object> all =
        new TreeMap<>(
            Map.of(
                "size", found.size(),
                "isDirectory", found.isDirectory(),
                "isRegularFile", found.isRegularFile(),
                "isSymbolicLink", false,
                "isOther", false,
                "lastModifiedTime", found.lastModifiedTime(),
                "lastAccessTime", found.lastAccessTime(),
                "creationTime", found.creationTime()));
    String names = attributes.startsWith("basic:") ? attributes.substring(6) : attributes;
    if (names.indexOf(':') >= 0) {
      throw new UnsupportedOperationException("files have no attributes " + attributes + " here");
    }
    if (!names.equals("*")) {
      List<String> wanted = List.of(names.split(",", -1));
      if (!all.keySet().containsAll(wanted)) {
        throw new IllegalArgumentException("no such attributes: " + attributes);
      }
      all.keySet().retainAll(wanted);
    }
    return all;
  }

  @Override
  public final <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    if (type != BasicFileAttributeView.class) {
      KeyPath key = key(path);
      return key.getFileSystem().view(key, type);
    }
    return type.cast(
        new BasicFileAttributeView() {
          @Override
          public String name() {
            return "basic";
          }

          @Override
          public BasicFileAttributes readAttributes() throws IOException {
            return found(path);
          }

          @Override
          public void setTimes(FileTime modified, FileTime accessed, FileTime created) {
            throw new ReadOnlyFileSystemException();
          }
        });
  }

  @Override
  public final boolean isSameFile(Path one, Path other) {
    return one.equals(other) || one.toAbsolutePath().equals(other.toAbsolutePath());
  }

  @Override
  public final boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public final FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException("a server does not report its space");
  }

  @Override
  public final void createDirectory(Path directory, FileAttribute<?>... attributes) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public final void delete(Path path) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public final void copy(Path source, Path target, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public final void move(Path source, Path target, CopyOption... options) {
    throw new ReadOnlyFileSystemException();
  }

  @Override
  public final void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
    throw new ReadOnlyFileSystemException();
  }
}
