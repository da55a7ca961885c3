package io.feedline.formats.tfrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * By what a file is recognized as unchanged.
 *
 * @param size in bytes
 * @param modifiedNanos when it was last modified, in nanoseconds since 1970, as exactly as the file
 *     system keeps it
 */
record FileStamp(long size, long modifiedNanos) {

  static FileStamp of(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(
          attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    } catch (NoSuchFileException absent) {
      throw new IOException(file + ": there is no such file", absent);
    }
  }
}
