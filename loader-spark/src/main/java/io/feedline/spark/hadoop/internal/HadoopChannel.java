package io.feedline.spark.hadoop.internal;

import io.feedline.formats.store.internal.files.FarChannel;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.internal.Closing;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/**
 * A channel that reads a file of a Hadoop file system.
 *
 * <p>On HDFS all threads read from one shared stream at the same time, by position. Streams of
 * other file systems are not thread-safe or make threads wait for each other. There each read uses
 * a stream of its own, and a few idle streams stay open.
 */
final class HadoopChannel extends FarChannel {

  private static final int MOST_IDLE = 4;

  /**
   * The option that announces random reads, since Hadoop 3.3.5; {@link #S3A_POLICY} is the older
   * option of S3A. File systems ignore options that they do not know.
   */
  private static final String POLICY = "fs.option.openfile.read.policy";

  private static final String S3A_POLICY = "fs.s3a.experimental.input.fadvise";

  private final HadoopFileSystem files;
  private final KeyPath path;
  private final HadoopAttributes attributes;

  /** The open streams that no read uses now. Guarded by itself. */
  private final Deque<FSDataInputStream> idle = new ArrayDeque<>();

  /** The stream that all reads share; null if each read needs its own stream. */
  private final @Nullable FSDataInputStream shared;

  /** Guarded by {@link #idle}. */
  private boolean closed;

  private HadoopChannel(
      HadoopFileSystem files, KeyPath path, HadoopAttributes attributes, FSDataInputStream first) {
    super(attributes.size());
    this.files = files;
    this.path = path;
    this.attributes = attributes;
    this.shared = first.hasCapability(StreamCapabilities.PREADBYTEBUFFER) ? first : null;
    idle.add(first);
  }

  static HadoopChannel open(HadoopFileSystem files, KeyPath path, HadoopAttributes attributes)
      throws IOException {
    return new HadoopChannel(files, path, attributes, stream(files, path, attributes));
  }

  private static FSDataInputStream stream(
      HadoopFileSystem files, KeyPath path, HadoopAttributes attributes) throws IOException {
    return FutureIO.awaitFuture(
        files
            .hadoop()
            .openFile(files.hadoop(path))
            .opt(POLICY, "random")
            .opt(S3A_POLICY, "random")
            .withFileStatus(attributes.status())
            .build());
  }

  @Override
  protected void fill(long from, ByteBuffer target) throws IOException {
    try {
      if (shared == null) {
        readAlone(from, target);
      } else {
        readShared(from, target);
      }
    } catch (IOException failure) {
      throw explained(failure);
    }
  }

  private void readShared(long from, ByteBuffer target) throws IOException {
    int start = target.position();
    while (target.hasRemaining()) {
      if (shared.read(from + target.position() - start, target) < 0) {
        throw new EOFException("it has become shorter");
      }
    }
  }

  private void readAlone(long from, ByteBuffer target) throws IOException {
    FSDataInputStream stream = borrow();
    boolean done = false;
    try {
      if (target.hasArray()) {
        int offset = target.arrayOffset() + target.position();
        stream.readFully(from, target.array(), offset, target.remaining());
        target.position(target.limit());
      } else {
        byte[] bytes = new byte[target.remaining()];
        stream.readFully(from, bytes);
        target.put(bytes);
      }
      done = true;
    } finally {
      giveBack(stream, done);
    }
  }

  private FSDataInputStream borrow() throws IOException {
    synchronized (idle) {
      FSDataInputStream stream = idle.poll();
      if (stream != null) {
        return stream;
      }
    }
    return stream(files, path, attributes);
  }

  /** Keeps or closes a stream; closes it if not {@code whole}, since its read has failed. */
  private void giveBack(FSDataInputStream stream, boolean whole) throws IOException {
    if (whole && stream.hasCapability(StreamCapabilities.UNBUFFER)) {
      stream.unbuffer(); // frees the stream's connection
    }
    synchronized (idle) {
      if (whole && !closed && idle.size() < MOST_IDLE) {
        idle.add(stream);
        return;
      }
    }
    stream.close();
  }

  /** Returns a failure that names the file, and says whether the file has changed since opening. */
  private IOException explained(IOException failure) {
    if (Thread.currentThread().isInterrupted()) {
      return failure;
    }
    boolean changed = false;
    try {
      changed = !files.attributes(path).version().equals(attributes.version());
    } catch (NoSuchFileException absent) {
      changed = true;
    } catch (IOException unknown) {
      failure.addSuppressed(unknown);
    }
    if (!changed) {
      return HadoopFileSystem.named(path, failure);
    }
    FileSystemException explained =
        new FileSystemException(
            path.toString(), null, "it has changed since it was opened: " + failure.getMessage());
    explained.initCause(failure);
    return explained;
  }

  @Override
  protected void release() throws IOException {
    synchronized (idle) {
      closed = true;
      try {
        Closing.each(idle);
      } catch (IOException failure) {
        throw HadoopFileSystem.named(path, failure);
      } finally {
        idle.clear();
      }
    }
  }
}
