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
 * Tests whether something exists at a path. {@link Files#exists}, {@link Files#isRegularFile} and
 * {@link Files#isDirectory} also return false if a server or a directory refuses to answer, so that
 * data without permission to read would count as missing. Here a refusal is an exception.
 */
public final class Presence {

  /** The largest size of a file's name, in bytes; a pattern of names may be longer. */
  private static final int LONGEST_NAME = 255;

  private Presence() {}

  /** Returns whether something exists at a path; throws if the system does not say. */
  public static boolean exists(Path path) throws IOException {
    return attributes(path) != null;
  }

  public static boolean isFile(Path path) throws IOException {
    BasicFileAttributes found = attributes(path);
    return found != null && found.isRegularFile();
  }

  public static boolean isDirectory(Path path) throws IOException {
    BasicFileAttributes found = attributes(path);
    return found != null && found.isDirectory();
  }

  /** Returns the attributes of a path; null if only a dangling link is there, or nothing. */
  public static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException absent) {
      return null;
    } catch (FileSystemException failure) {
      // Other errors have no classes of their own, and their messages are in the user's language.
      if (failure.getClass() == FileSystemException.class && cannotBe(path)) {
        return null;
      }
      throw failure;
    }
  }

  /** Returns whether nothing can be at a path: below a file, a link to itself, a name too long. */
  private static boolean cannotBe(Path path) throws IOException {
    Path name = path.getFileName();
    Path parent = path.getParent();
    return (name != null && name.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME)
        || Files.isSymbolicLink(path)
        || (parent != null && !isDirectory(parent));
  }
}
