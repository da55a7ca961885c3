package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of the default file system; libraries that open a file by its name need such a file. */
public final class LocalFiles {

  private LocalFiles() {}

  public static String unreadableName() {
    return names().equals(StandardCharsets.UTF_8)
        ? "the bytes of this name are not UTF-8, so the JVM cannot represent it; rename the file, as"
            + " convmv does"
        : "the JVM cannot represent this name; start it in a UTF-8 locale (LC_ALL=C.UTF-8), or rename"
            + " the file";
  }

  private static Charset names() {
    return Charset.forName(System.getProperty("sun.jnu.encoding"));
  }

  public static String reason(InvalidPathException invalid) {
    return names().newEncoder().canEncode(invalid.getInput())
        ? invalid.getReason()
        : unreadableName();
  }

  public static boolean include(Path path) {
    return path.getFileSystem().equals(FileSystems.getDefault());
  }

  /** Fails for other file systems. The message needs a clause, {@code reason}, and a sentence. */
  public static void require(Path path, String reason, String instead) throws IOException {
    if (!include(path)) {
      throw new FileSystemException(
          path.toUri().toString(),
          null,
          "this is of the file system provider '%s', but %s. %s"
              .formatted(path.getFileSystem().provider().getScheme(), reason, instead));
    }
  }

  public static void requireForWriting(Path path) throws IOException {
    require(
        path,
        "only local files are written: a file that is whole or not there takes locks, atomic moves"
            + " and fsync, which other providers do not promise",
        "Write to a local path, and copy what is finished");
  }

  /** Creates a directory that only its owner can read; parents get the default permissions. */
  public static void createPrivateDirectory(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectories(directory, ownersOnly(directory, "rwx------"));
  }

  /** Returns an attribute with permissions for a new file; empty outside of POSIX file systems. */
  public static FileAttribute<?>[] ownersOnly(Path file, String permissions) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
