package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of a Hadoop file system as an output; the package's comment lists the
 * guarantees of each file system. Immutable and thread-safe.
 */
final class HadoopOutput implements ObjectOutput {

  private final HadoopFileSystem files;
  private final KeyPath path;
  private final FileSystem hadoop;
  private final Path place;

  HadoopOutput(HadoopFileSystem files, KeyPath path) {
    this.files = files;
    this.path = path;
    this.hadoop = files.hadoop();
    this.place = files.hadoop(path);
  }

  @Override
  public String name() {
    return "feedline-object-output";
  }

  /** Returns the status of the file or directory; null if it does not exist. */
  private @Nullable FileStatus status() throws IOException {
    try {
      return hadoop.getFileStatus(place);
    } catch (FileNotFoundException absent) {
      return null;
    }
  }

  private static boolean isFile(FileStatus status) {
    return status != null && status.isFile();
  }

  @Override
  public long size() throws IOException {
    FileStatus now = status();
    return isFile(now) ? now.getLen() : -1;
  }

  @Override
  public String version() throws IOException {
    FileStatus now = status();
    return isFile(now) ? files.version(now) : ABSENT;
  }

  @Override
  public Content read() throws IOException {
    while (true) {
      String before = version();
      if (before.equals(ABSENT)) {
        return null;
      }
      byte[] bytes;
      try (InputStream in = hadoop.open(place)) {
        bytes = in.readAllBytes();
      } catch (FileNotFoundException replacedMeanwhile) {
        continue;
      }
      if (version().equals(before)) {
        return new Content(bytes, before);
      }
    }
  }

  /** Throws a ConflictException if the file has another version. */
  void require(String version) throws IOException {
    if (!version.equals(ANY) && !version().equals(version)) {
      throw new ConflictException(path.toString(), "another writer has changed it");
    }
  }

  /** Returns whether the file has exactly this content; another attempt may have written it. */
  boolean has(long bytes, CRC32C checksum) throws IOException {
    if (size() != bytes) {
      return false;
    }
    CRC32C found = new CRC32C();
    try (InputStream in = new CheckedInputStream(hadoop.open(place), found)) {
      return in.transferTo(OutputStream.nullOutputStream()) == bytes
          && found.getValue() == checksum.getValue();
    }
  }

  @Override
  public String write(byte[] bytes, String version) throws IOException {
    try (Upload upload = new HadoopUpload(files, this, path, version.equals(ABSENT))) {
      upload.write(bytes);
      return upload.complete(version);
    }
  }

  @Override
  public Upload upload() {
    return new HadoopUpload(files, this, path, false);
  }

  /** Returns whether a file appears only when its stream is closed, and not after an abort. */
  boolean appearsWhole() throws IOException {
    return hadoop.hasPathCapability(place, CommonPathCapabilities.ABORTABLE_STREAM);
  }

  /**
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException if the target exists and must not be
   *     replaced
   */
  void rename(Path from, boolean replace) throws IOException {
    FileContext context = files.context();
    if (context != null) {
      context.rename(from, place, replace ? Options.Rename.OVERWRITE : Options.Rename.NONE);
      return;
    }
    if (replace) {
      delete();
    } else if (status() != null) {
      throw new org.apache.hadoop.fs.FileAlreadyExistsException(path + " is there already");
    }
    if (!hadoop.rename(from, place)) {
      throw new IOException("%s cannot be renamed to %s".formatted(from, path));
    }
  }

  /** Returns an object that writes each file in the caller's thread, before the call returns. */
  @Override
  public Puts puts() {
    return new Puts() {
      @Override
      public void put(String name, byte[] bytes, String version) throws IOException {
        String unused = new HadoopOutput(files, (KeyPath) path.resolve(name)).write(bytes, version);
      }

      @Override
      public void await() {
        // All files are written already.
      }

      @Override
      public void close() {
        // Nothing is under way.
      }
    };
  }

  @Override
  public void delete() throws IOException {
    if (isFile(status())) {
      hadoop.delete(place, false);
    }
  }

  private interface Found {

    /** Receives a file; returns false to stop the listing. */
    boolean accept(String name, FileStatus file) throws IOException;
  }

  private void forEachBelow(Found found) throws IOException {
    FileStatus now = status();
    if (now == null || now.isFile()) {
      return;
    }
    int start = place.toUri().getPath().length() + (place.isRoot() ? 0 : 1);
    RemoteIterator<LocatedFileStatus> below = hadoop.listFiles(place, true);
    while (below.hasNext()) {
      FileStatus file = below.next();
      if (!found.accept(file.getPath().toUri().getPath().substring(start), file)) {
        return;
      }
    }
  }

  @Override
  public boolean hasObjects() throws IOException {
    boolean[] any = {false};
    forEachBelow(
        (name, file) -> {
          any[0] = !isTemporary(file);
          return !any[0];
        });
    return any[0];
  }

  @Override
  public void listObjects(Consumer<String> sink) throws IOException {
    forEachBelow(
        (name, file) -> {
          if (!name.endsWith(UNFINISHED) && !isTemporary(file)) {
            sink.accept(name);
          }
          return true;
        });
  }

  /** Lists all files, including temporary files that a killed writer has left. */
  @Override
  public void list(Consumer<Listed> sink) throws IOException {
    forEachBelow(
        (name, file) -> {
          if (!name.endsWith(UNFINISHED)) {
            Instant modified = Instant.ofEpochMilli(file.getModificationTime());
            sink.accept(new Listed(name, file.getLen(), modified));
          }
          return true;
        });
  }

  /** Deletes all files below this directory, and their directories. */
  @Override
  public void deleteObjects() throws IOException {
    FileStatus now = status();
    if (now == null || now.isFile()) {
      return;
    }
    boolean stays = place.isRoot();
    for (FileStatus each : hadoop.listStatus(place)) {
      if (each.getPath().getName().equals(UNFINISHED)) {
        stays = true;
      } else {
        hadoop.delete(each.getPath(), true);
      }
    }
    if (!stays) {
      hadoop.delete(place, true);
    }
  }

  @Override
  public void removeEmptyDirectory() throws IOException {
    FileStatus now = status();
    if (now != null && now.isDirectory() && hadoop.listStatus(place).length == 0) {
      hadoop.delete(place, false); // fails if a file has appeared meanwhile
    }
  }

  private static boolean isTemporary(FileStatus file) {
    return WholeFile.isTemporary(file.getPath().getName());
  }

  /** Deletes the files below this directory that have a temporary name. */
  @Override
  public void abortUploads() throws IOException {
    forEachBelow(
        (name, file) -> {
          if (isTemporary(file)) {
            hadoop.delete(file.getPath(), false);
          }
          return true;
        });
    if (place.isRoot()) {
      return;
    }
    String prefix = "." + place.getName() + ".";
    try {
      for (FileStatus each : hadoop.listStatus(place.getParent())) {
        if (isTemporary(each) && each.getPath().getName().startsWith(prefix)) {
          hadoop.delete(each.getPath(), false);
        }
      }
    } catch (FileNotFoundException nothingThere) {
      return;
    }
  }
}
