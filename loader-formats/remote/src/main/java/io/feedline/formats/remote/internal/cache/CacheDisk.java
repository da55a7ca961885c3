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

/** The operations that change a cache's directory, and the clock; tests override both. */
class CacheDisk {

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

  FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        LocalFiles.ownersOnly(file, "rw-------"));
  }

  FileChannel openToLock(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    channel.position(position);
    WholeFile.writeFully(channel, bytes);
  }

  void force(FileChannel channel, Path file) throws IOException {
    WholeFile.force(channel, file);
  }

  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  void touch(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(millis()));
  }

  long millis() {
    return System.currentTimeMillis();
  }

  long nanos() {
    return System.nanoTime();
  }
}
