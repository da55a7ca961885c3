package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A file's size and time of modification, by which a later run recognizes that the file has not
 * changed. {@code modifiedNanos} counts from 1970; if the file system reports versions of the
 * content, it is a hash of the version instead.
 */
public record FileStamp(long size, long modifiedNanos) {

  /** The {@code modifiedNanos} if a file system with versions does not know the file's version. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  public static FileStamp of(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (attributes instanceof VersionedAttributes versioned) {
        return new FileStamp(attributes.size(), hash(versioned.version()));
      }
      return new FileStamp(
          attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    } catch (NoSuchFileException absent) {
      throw new IOException(file + ": there is no such file", absent);
    }
  }

  private static long hash(String version) {
    return version.isEmpty()
        ? UNKNOWN
        : UUID.nameUUIDFromBytes(version.getBytes(StandardCharsets.UTF_8))
            .getLeastSignificantBits();
  }

  /** Returns whether the stamp changes whenever the content of the file changes. */
  public boolean identifies() {
    return modifiedNanos != UNKNOWN;
  }
}
