package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/** The changes that a cache makes to its directory, and the clock: tests put their faults here. */
class CacheDisk {

  /** Opens the mark of a cache, and makes it if it does not exist. */
  FileChannel openMark(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS),
        LocalFiles.ownersOnly(file, "rw-------"));
  }

  /** Makes a new file. */
  FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        LocalFiles.ownersOnly(file, "rw-------"));
  }

  /** Opens a file to ask for its lock. */
  FileChannel openToLock(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /** Writes all bytes at a position. */
  void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    channel.position(position);
    WholeFile.writeFully(channel, bytes);
  }

  /** Puts a file on the disk. */
  void force(FileChannel channel, Path file) throws IOException {
    WholeFile.force(channel, file);
  }

  /** Gives a file its final name. */
  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes a file, if it is there. */
  void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  /** Notes that a file is used now. */
  void touch(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(millis()));
  }

  /** Returns the time of day, in the form of files' times. */
  long millis() {
    return System.currentTimeMillis();
  }

  /** Returns a clock that only goes forward. */
  long nanos() {
    return System.nanoTime();
  }
}
