package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.ObjectOutput.ConflictException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upload of a file, which is written under a temporary name and then renamed. If the file
 * system does not show incomplete files, the file is written under its own name. Not thread-safe.
 */
final class HadoopUpload implements ObjectOutput.Upload {

  private static final Logger LOG = LoggerFactory.getLogger(HadoopUpload.class);

  private final HadoopFileSystem files;
  private final HadoopOutput output;
  private final KeyPath path;
  private final boolean exclusive;
  private final CRC32C checksum = new CRC32C();
  private long bytes;

  /** The stream to the file; null before the first byte. */
  private @Nullable FSDataOutputStream out;

  /** The unfinished file; null before the first byte, and after the file is complete. */
  private @Nullable Path partial;

  /** True if the file is written under its own name. */
  private boolean inPlace;

  private boolean streamClosed;

  /** Creates an upload, which must not replace a file if {@code exclusive}. */
  HadoopUpload(HadoopFileSystem files, HadoopOutput output, KeyPath path, boolean exclusive) {
    this.files = files;
    this.output = output;
    this.path = path;
    this.exclusive = exclusive;
  }

  private FSDataOutputStream out() throws IOException {
    if (out == null) {
      FileSystem hadoop = files.hadoop();
      inPlace = output.appearsWhole();
      Path place =
          inPlace ? files.hadoop(path) : files.hadoop((KeyPath) WholeFile.temporaryFor(path));
      EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK);
      if (inPlace && !exclusive) {
        flags.add(CreateFlag.OVERWRITE);
      }
      out =
          hadoop.create(
              place,
              FsPermission.getFileDefault().applyUMask(FsPermission.getUMask(hadoop.getConf())),
              flags,
              hadoop
                  .getConf()
                  .getInt(
                      CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY,
                      CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT),
              hadoop.getDefaultReplication(place),
              hadoop.getDefaultBlockSize(place),
              null);
      partial = place;
    }
    return out;
  }

  @Override
  public void write(byte[] added) throws IOException {
    try {
      out().write(added);
    } catch (FileAlreadyExistsException taken) {
      throw conflict(taken);
    }
    checksum.update(added);
    bytes += added.length;
  }

  @Override
  public String complete(String version) throws IOException {
    try {
      return put(version);
    } catch (ConflictException | FileAlreadyExistsException taken) {
      if (output.has(bytes, checksum)) {
        return output.version(); // another attempt of the task may have written the file
      }
      throw taken instanceof ConflictException conflict ? conflict : conflict(taken);
    }
  }

  private ConflictException conflict(IOException taken) {
    ConflictException conflict =
        new ConflictException(path.toString(), "another writer has put it there");
    conflict.initCause(taken);
    return conflict;
  }

  private String put(String version) throws IOException {
    FSDataOutputStream stream = out();
    if (stream.hasCapability(StreamCapabilities.HSYNC)) {
      stream.hsync();
    }
    if (inPlace) {
      output.require(version);
      close(stream);
      partial = null;
      return output.version();
    }
    close(stream);
    FileStatus written = files.hadoop().getFileStatus(partial);
    if (written.getLen() != bytes) {
      throw new IOException(
          "%s has %d bytes after %d were written".formatted(partial, written.getLen(), bytes));
    }
    output.require(version);
    output.rename(partial, !version.equals(ObjectOutput.ABSENT));
    partial = null;
    String identity = files.identity(written);
    return identity == null ? output.version() : identity;
  }

  private void close(FSDataOutputStream stream) throws IOException {
    stream.close();
    streamClosed = true;
  }

  /** Deletes an unfinished file; the thread's interrupt is cleared during Hadoop's calls. */
  @Override
  public void close() throws IOException {
    if (partial == null) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      giveUp();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void giveUp() throws IOException {
    if (inPlace) {
      if (!streamClosed) {
        out.abort();
      }
      partial = null;
      return;
    }
    if (!streamClosed) {
      try {
        close(out);
      } catch (IOException failed) {
        // The writer has already got the failure that left the file unfinished.
        LOG.debug("{} was not closed", partial, failed);
      }
    }
    files.hadoop().delete(partial, false);
    partial = null;
  }
}
