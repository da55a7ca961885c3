package io.feedline.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Questions whether something lies at a path. {@link Files#exists}, {@link Files#isRegularFile} and
 * {@link Files#isDirectory} also return false if a server or a directory refuses to answer, so that
 * data without permission to read would count as missing. Here a refusal is an exception.
 */
public final class Presence {

  /** In bytes; a pattern may be longer. */
  private static final int LONGEST_NAME = 255;

  private Presence() {}

  /** Throws an exception if that cannot be said. */
  public static boolean exists(Path path) throws IOException {
    return attributes(path) != null;
  }

  /** Throws an exception if that cannot be said. */
  public static boolean isFile(Path path) throws IOException {
    BasicFileAttributes found = attributes(path);
    return found != null && found.isRegularFile();
  }

  /** Throws an exception if that cannot be said. */
  public static boolean isDirectory(Path path) throws IOException {
    BasicFileAttributes found = attributes(path);
    return found != null && found.isDirectory();
  }

  /** Null if nothing is there, or a link that leads nowhere. */
  public static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException absent) {
      return null;
    } catch (FileSystemException failure) {
      // The system's other errors have no classes, and words of the user's language.
      if (failure.getClass() == FileSystemException.class && cannotBe(path)) {
        return null;
      }
      throw failure;
    }
  }

  /** True below a file, behind a link to itself, and for a name that is too long. */
  private static boolean cannotBe(Path path) throws IOException {
    Path name = path.getFileName();
    Path parent = path.getParent();
    return (name != null && name.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME)
        || Files.isSymbolicLink(path)
        || (parent != null && !isDirectory(parent));
  }
}
