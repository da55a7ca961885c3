package io.feedline.formats.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file so that nobody ever sees a part of it: under another name in the same directory,
 * forced to the disk, and then renamed. Several processes may do so at once; the last one's stays.
 */
public final class WholeFile {

  private WholeFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /**
     * Writes everything.
     *
     * @throws IOException if that fails
     */
    void writeTo(FileChannel channel) throws IOException;
  }

  /**
   * Writes or replaces a file.
   *
   * @throws IOException if that fails; the file is then as it was before
   */
  public static void write(Path file, Content content) throws IOException {
    // Not Files.createTempFile, whose files only their owner may read.
    String number = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path unfinished = file.resolveSibling("." + file.getFileName() + "." + number + ".partial");
    try {
      try (FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException failed) {
      try {
        Files.deleteIfExists(unfinished);
      } catch (IOException left) {
        failed.addSuppressed(left);
      }
      throw failed;
    }
  }

  /**
   * Writes or replaces a file.
   *
   * @throws IOException if that fails; the file is then as it was before
   */
  public static void write(Path file, byte[] content) throws IOException {
    write(file, channel -> writeFully(channel, ByteBuffer.wrap(content)));
  }

  /**
   * Writes all that a buffer has, however many writes that takes.
   *
   * @throws IOException if that fails
   */
  public static void writeFully(FileChannel channel, ByteBuffer content) throws IOException {
    while (content.hasRemaining()) {
      channel.write(content);
    }
  }
}
