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
 * A stamp that recognizes an unchanged file. {@code modifiedNanos} is the time of modification
 * since 1970, or a hash of the content's version if the file system reports versions.
 */
public record FileStamp(long size, long modifiedNanos) {

  /** An unknown time, with which a change of the content is not recognized. */
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

  /** Tests whether another content would have another stamp. */
  public boolean identifies() {
    return modifiedNanos != UNKNOWN;
  }
}
