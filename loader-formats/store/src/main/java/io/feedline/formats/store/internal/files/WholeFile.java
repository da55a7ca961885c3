package io.feedline.formats.store.internal.files;

import io.feedline.internal.MissingPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A file that appears with all its bytes or not at all: written under another name, then moved. */
public final class WholeFile {

  private WholeFile() {}

  @FunctionalInterface
  public interface Content {
    void writeTo(FileChannel channel) throws IOException;
  }

  /** Writes or replaces a file. The last of several writers wins; a failure changes nothing. */
  public static void write(Path file, byte[] content) throws IOException {
    write(file, channel -> writeFully(channel, ByteBuffer.wrap(content)));
  }

  /** Writes or replaces a file piece by piece. A pipe or a device is written directly. */
  public static void write(Path file, Content content) throws IOException {
    LocalFiles.requireForWriting(file);
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
        content.writeTo(out);
      }
      return;
    }
    Path partial = temporaryFor(file);
    try {
      try (FileChannel out =
          FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(out);
        force(out, partial);
      }
      move(partial, file);
    } catch (NoSuchFileException absent) {
      throw MissingPaths.ofDirectory(file, absent);
    } catch (IOException failure) {
      deleteAfter(failure, partial);
      // The system's message, such as "no space left on device", names no file.
      throw new IOException(
          "%s cannot be written: %s".formatted(file, failure.getMessage()), failure);
    }
  }

  public static void writeFully(FileChannel channel, ByteBuffer content) throws IOException {
    while (content.hasRemaining()) {
      channel.write(content);
    }
  }

  public static void force(FileChannel channel, Path path) throws IOException {
    channel.force(true);
    CrashPoints.forced(path);
  }

  public static boolean isTemporary(String name) {
    return name.matches("\\..*\\.[0-9a-f]{8}\\.partial");
  }

  public static Path temporaryFor(Path file) {
    return file.resolveSibling(
        "." + file.getFileName() + "." + UUID.randomUUID().toString().substring(0, 8) + ".partial");
  }

  public static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
    CrashPoints.taken();
  }

  public static void deleteAfter(Exception failure, Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
