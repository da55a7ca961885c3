package io.feedline.formats.store;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A file system that can do nothing, in tests: a channel of a file is a failure. */
final class UnableFileSystem extends FileSystem {

  private final Provider provider;

  /**
   * A file system.
   *
   * @param failure what opening a file throws: a RuntimeException or an Error
   */
  UnableFileSystem(Supplier<? extends Throwable> failure) {
    this.provider = new Provider(failure);
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("not in this test");
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /** A path that knows its text and its file system. */
  @Override
  public Path getPath(String first, String... more) {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getFileSystem" -> this;
                  case "toString" -> first;
                  case "hashCode" -> first.hashCode();
                  case "equals" -> self == arguments[0];
                  default -> throw unsupported();
                });
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    throw unsupported();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    throw unsupported();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    throw unsupported();
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    throw unsupported();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw unsupported();
  }

  @Override
  public WatchService newWatchService() {
    throw unsupported();
  }

  private static final class Provider extends FileSystemProvider {
    private final Supplier<? extends Throwable> failure;

    Provider(Supplier<? extends Throwable> failure) {
      this.failure = failure;
    }

    @Override
    public String getScheme() {
      return "unable";
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
      Throwable thrown = failure.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
      throw unsupported();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      throw unsupported();
    }

    @Override
    public Path getPath(URI uri) {
      throw unsupported();
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) {
      throw unsupported();
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) {
      throw unsupported();
    }

    @Override
    public void delete(Path path) {
      throw unsupported();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw unsupported();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
      throw unsupported();
    }

    @Override
    public boolean isSameFile(Path path, Path other) {
      throw unsupported();
    }

    @Override
    public boolean isHidden(Path path) {
      throw unsupported();
    }

    @Override
    public FileStore getFileStore(Path path) {
      throw unsupported();
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) {
      throw unsupported();
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      throw unsupported();
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) {
      throw unsupported();
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
      throw unsupported();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
      throw unsupported();
    }
  }
}
