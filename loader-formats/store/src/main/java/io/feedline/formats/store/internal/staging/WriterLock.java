package io.feedline.formats.store.internal.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.internal.files.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The exclusive right, among all processes, to write an output: a lock on a file that names its
 * holder, and is deleted when the lock is released. A writer that has locked a deleted file finds
 * that the file of that name does not have the writer's text, and tries again.
 *
 * <p>On POSIX systems a process loses its locks on a file when it closes any channel of the file.
 * So a process notes the files that it has locked, and does not open them again; and the channel by
 * which the name was checked stays open while the lock is held. The locked byte lies behind the
 * text, because Windows does not let others read locked bytes.
 */
public final class WriterLock implements Closeable {

  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  /** The files that this process has locked or is about to lock, with the owners' names. */
  private static final Map<Path, String> OF_THIS_PROCESS = new ConcurrentHashMap<>();

  private final Path file;
  private final FileChannel channel;

  /** The channel opened by the file's name after locking, to check that the file still has it. */
  private final FileChannel named;

  private WriterLock(Path file, FileChannel channel, FileChannel named) {
    this.file = file;
    this.channel = channel;
    this.named = named;
  }

  public static WriterLock acquire(Path output, Path file) throws IOException {
    return open(output, file, WriterLock::tryLock);
  }

  /** Waits for a lock and takes it. Only one thread of a process may ask for it at a time. */
  public static WriterLock await(Path output, Path file) throws IOException {
    return open(output, file, WriterLock::lock);
  }

  /** The step that takes a lock unless another process has it; tests simulate failures here. */
  interface Taking {
    boolean take(FileChannel channel) throws IOException;
  }

  static WriterLock open(Path output, Path file, Taking taking) throws IOException {
    Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
    String owner = WriterName.onThisMachine();
    String other = OF_THIS_PROCESS.putIfAbsent(real, owner);
    if (other != null) {
      throw new IOException(WriterName.words(output, other));
    }
    WriterLock lock = null;
    try {
      while (lock == null) {
        lock = attempt(output, real, owner, taking);
      }
      return lock;
    } finally {
      if (lock == null) {
        OF_THIS_PROCESS.remove(real);
      }
    }
  }

  private static WriterLock attempt(Path output, Path file, String owner, Taking taking)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileChannel named = null;
    boolean kept = false;
    try {
      if (!taking.take(channel)) {
        throw new IOException(WriterName.words(output, owner(file)));
      }
      channel.truncate(0);
      WholeFile.writeFully(
          channel, ByteBuffer.wrap((owner + System.lineSeparator()).getBytes(UTF_8)));
      try {
        named = FileChannel.open(file, StandardOpenOption.READ);
      } catch (NoSuchFileException released) {
        return null;
      }
      kept = text(named).equals(owner);
      return kept ? new WriterLock(file, channel, named) : null;
    } finally {
      if (!kept) {
        close(channel, named);
      }
    }
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.min(channel.size(), 1 << 16)));
    int read = 0;
    while (read >= 0 && bytes.hasRemaining()) {
      read = channel.read(bytes, bytes.position());
    }
    return new String(bytes.array(), 0, bytes.position(), UTF_8).strip();
  }

  private static void close(FileChannel channel, FileChannel named) throws IOException {
    try (channel) {
      if (named != null) {
        named.close();
      }
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
      return lock != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.lock(LOCKED_BYTE, 1, false);
      return lock.isValid();
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  private static String owner(Path file) throws IOException {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? "one that has just begun" : text;
    } catch (NoSuchFileException released) {
      return "one that has just ended";
    }
  }

  @Override
  public void close() throws IOException {
    if (!channel.isOpen()) {
      return;
    }
    try {
      Files.deleteIfExists(file);
    } finally {
      try {
        close(channel, named);
      } finally {
        OF_THIS_PROCESS.remove(file);
      }
    }
  }
}
