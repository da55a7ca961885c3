package io.feedline.formats.store;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

public enum Place {
  DISK,
  /** A ZIP archive, by the JDK's provider, whose channels hold a file in memory. */
  ZIPFS,
  /** Memory, by a provider that gives channels with one position only. */
  JIMFS_WITHOUT_FILE_CHANNELS,
  /**
   * Memory, by a provider that gives file channels, with drives, backslashes between names, and
   * names that differ by more than case.
   */
  WINDOWS,
  /** Memory, by another one, with names that differ by more than case or the form of accents. */
  MAC_OS;

  /** The caller closes it, but for the default one, which cannot be closed. */
  public FileSystem open(Path scratch) throws IOException {
    return switch (this) {
      case DISK -> FileSystems.getDefault();
      case ZIPFS -> FileSystems.newFileSystem(uri(scratch), Map.of("create", "true"));
      case JIMFS_WITHOUT_FILE_CHANNELS ->
          Jimfs.newFileSystem(
              Configuration.unix().toBuilder()
                  .setSupportedFeatures(Feature.LINKS, Feature.SYMBOLIC_LINKS)
                  .build());
      case WINDOWS -> Jimfs.newFileSystem(Configuration.windows());
      case MAC_OS -> Jimfs.newFileSystem(Configuration.osX());
    };
  }

  private static URI uri(Path scratch) {
    return URI.create("jar:" + scratch.resolve("place.zip").toUri());
  }

  public Path directory(FileSystem files, Path scratch) throws IOException {
    Path parent = this == DISK ? scratch : files.getRootDirectories().iterator().next();
    return Files.createDirectories(parent.resolve("place"));
  }
}
