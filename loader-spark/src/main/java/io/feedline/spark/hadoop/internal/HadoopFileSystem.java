package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.FarChannel;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.keyfs.KeyFileSystem;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * A {@code java.nio.file} file system over a Hadoop file system. Thread-safe, like Hadoop's. It is
 * not closed, because Hadoop's cache owns the underlying file system.
 */
final class HadoopFileSystem extends KeyFileSystem {

  private final HadoopFileSystemProvider provider;
  private final FileSystem hadoop;

  /** The user who opened the file system; {@link #context} acts as the same user. */
  private final UserGroupInformation user;

  /** The result of {@link #context}; null before the first call. Guarded by this. */
  private FileContext context;

  HadoopFileSystem(FileSystem hadoop) throws IOException {
    super(root(hadoop.getUri()));
    this.hadoop = hadoop;
    this.provider =
        new HadoopFileSystemProvider(hadoop.getUri().getScheme().toLowerCase(Locale.ROOT));
    this.user = UserGroupInformation.getCurrentUser();
  }

  private static String root(URI uri) {
    String authority = uri.getRawAuthority();
    return uri.getScheme() + "://" + (authority == null ? "" : authority) + "/";
  }

  FileSystem hadoop() {
    return hadoop;
  }

  Path hadoop(KeyPath path) {
    return hadoop(path.key());
  }

  private Path hadoop(String key) {
    URI uri = hadoop.getUri();
    return new Path(uri.getScheme(), uri.getAuthority(), "/" + key);
  }

  @Override
  protected URI uri(String key) {
    return hadoop(key).toUri();
  }

  /**
   * Returns Hadoop's newer interface to the file system, which can rename a file with or without
   * replacing an existing file; null if it is not configured.
   */
  synchronized @Nullable FileContext context() throws IOException {
    if (context == null) {
      try {
        PrivilegedExceptionAction<FileContext> opening =
            () -> FileContext.getFileContext(hadoop.getUri(), hadoop.getConf());
        context = user.doAs(opening);
      } catch (UnsupportedFileSystemException none) {
        return null;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw interruption(interrupted);
      }
    }
    return context;
  }

  private InterruptedIOException interruption(InterruptedException interrupted) {
    InterruptedIOException failure =
        new InterruptedIOException("interrupted while opening " + this);
    failure.initCause(interrupted);
    return failure;
  }

  @Override
  protected HadoopAttributes attributes(KeyPath path) throws IOException {
    try {
      return new HadoopAttributes(this, hadoop.getFileStatus(hadoop(path)));
    } catch (IOException failure) {
      throw named(path, failure);
    }
  }

  /** Returns a file's ETag; else its identity on HDFS; else its modification time and length. */
  String version(FileStatus status) {
    if (status instanceof EtagSource source && source.getEtag() != null) {
      return source.getEtag();
    }
    String identity = identity(status);
    return identity != null ? identity : status.getModificationTime() + "-" + status.getLen();
  }

  /** Returns an identifier of a file's content that a rename keeps; null if there is none. */
  @Nullable String identity(FileStatus status) {
    try {
      ByteBuffer bytes = hadoop.getPathHandle(status, HandleOpt.content()).bytes();
      byte[] identity = new byte[bytes.remaining()];
      bytes.get(identity);
      return HexFormat.of().formatHex(identity);
    } catch (UnsupportedOperationException none) {
      return null;
    }
  }

  @Override
  protected List<KeyPath> children(KeyPath directory) throws IOException {
    Path place = hadoop(directory);
    FileStatus[] found;
    try {
      found = hadoop.listStatus(place);
    } catch (IOException failure) {
      throw named(directory, failure);
    }
    List<KeyPath> children = new ArrayList<>(found.length);
    for (FileStatus each : found) {
      String name = each.getPath().getName();
      if (each.isFile() && each.getPath().equals(place)) {
        throw new NotDirectoryException(directory.toString());
      }
      if (name.equals(ObjectOutput.UNFINISHED)) {
        throw new FileSystemException(directory.toString(), null, ObjectOutput.UNFINISHED_WORDS);
      }
      if (!name.endsWith(ObjectOutput.UNFINISHED) && !WholeFile.isTemporary(name)) {
        children.add(directory.child(name, new HadoopAttributes(this, each)));
      }
    }
    return children;
  }

  @Override
  protected FarChannel open(KeyPath file) throws IOException {
    HadoopAttributes attributes = attributes(file);
    if (attributes.isDirectory()) {
      throw new FileSystemException(file.toString(), null, "this is a directory");
    }
    try {
      return HadoopChannel.open(this, file, attributes);
    } catch (IOException failure) {
      throw named(file, failure);
    }
  }

  @Override
  protected <V extends FileAttributeView> @Nullable V view(KeyPath path, Class<V> type) {
    return type == ObjectOutput.class ? type.cast(new HadoopOutput(this, path)) : null;
  }

  /** Returns a failure whose message names the path, since Hadoop's own message may lack it. */
  static IOException named(KeyPath path, IOException failure) {
    String words = failure.getMessage();
    IOException named;
    if (failure instanceof FileNotFoundException) {
      named = new NoSuchFileException(path.toString());
    } else if (failure instanceof AccessControlException) {
      named = new AccessDeniedException(path.toString(), null, words);
    } else if (failure instanceof FileSystemException
        || Thread.currentThread().isInterrupted()
        || (words != null && words.contains(path.key()))) {
      return failure;
    } else {
      named =
          new FileSystemException(
              path.toString(), null, words == null ? failure.toString() : words);
    }
    named.initCause(failure);
    return named;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("it is Hadoop that closes its file systems");
  }

  /** Returns true, even after Hadoop has closed the file system; then only reads fail. */
  @Override
  public boolean isOpen() {
    return true;
  }
}
