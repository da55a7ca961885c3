package io.feedline.formats.store.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/**
 * The right to write an output, which one writer of all processes has: a lock on a file that says
 * who holds it.
 *
 * <p>The file is deleted when the lock is released. One who had opened it before, and gets the lock
 * of a file that has no name any more, notices: the file of that name does not have what it wrote,
 * so it tries again. The locked byte lies behind the text, which Windows would otherwise not let
 * others read.
 */
final class WriterLock implements Closeable {

  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private final Path file;
  private final FileChannel channel;

  private WriterLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param output what is to be written, for the error
   * @throws IOException if another writer has it, naming that one, or the file cannot be made
   */
  static WriterLock acquire(Path output, Path file) throws IOException {
    return open(output, file, WriterLock::tryLock);
  }

  /**
   * Takes the lock, and waits for another process that has it. One thread of a process at a time
   * may ask for the same one.
   *
   * @param output what is to be written, for the error
   * @throws IOException if another thread of this process has it, or the file cannot be made
   */
  static WriterLock await(Path output, Path file) throws IOException {
    return open(output, file, WriterLock::lock);
  }

  /** Takes the lock of a file; gives false if another has it. */
  private interface Taking {
    boolean take(FileChannel channel) throws IOException;
  }

  private static WriterLock open(Path output, Path file, Taking taking) throws IOException {
    String owner = WriterName.onThisMachine() + System.lineSeparator();
    while (true) {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean kept = false;
      try {
        if (!taking.take(channel)) {
          throw new IOException(WriterName.words(output, owner(file)));
        }
        channel.truncate(0);
        WholeFile.writeFully(channel, ByteBuffer.wrap(owner.getBytes(UTF_8)));
        if (owner(file).equals(owner.strip())) {
          kept = true;
          return new WriterLock(file, channel);
        }
      } finally {
        if (!kept) {
          channel.close();
        }
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
    if (channel.isOpen()) {
      try (channel) {
        Files.deleteIfExists(file);
      }
    }
  }
}
