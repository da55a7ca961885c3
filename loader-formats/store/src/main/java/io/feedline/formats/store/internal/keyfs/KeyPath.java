package io.feedline.formats.store.internal.keyfs;

import io.feedline.formats.store.internal.files.VersionedAttributes;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of names with slashes between them. Immutable, except that a listing may leave the file's
 * attributes in it; {@link #takeListed} returns and removes them.
 */
public final class KeyPath implements Path {

  private final KeyFileSystem files;
  private final boolean absolute;

  /** The names, separated by single slashes, without a slash at the beginning or the end. */
  private final String names;

  private volatile VersionedAttributes listed;

  private KeyPath(KeyFileSystem files, boolean absolute, String names) {
    this.files = files;
    this.absolute = absolute;
    this.names = names;
  }

  public static KeyPath ofKey(KeyFileSystem files, String key) {
    return new KeyPath(files, true, key);
  }

  public static KeyPath parse(KeyFileSystem files, boolean absolute, String text) {
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw new InvalidPathException(text, "there is a NUL character", nul);
    }
    String names = text.replaceAll("/{2,}", "/");
    int from = names.startsWith("/") ? 1 : 0;
    int end = names.length() - (names.length() > from && names.endsWith("/") ? 1 : 0);
    return new KeyPath(files, absolute, names.substring(from, end));
  }

  /** Returns the names with slashes between them, but not around them; empty for the root. */
  public String key() {
    return names;
  }

  public KeyPath child(String name, VersionedAttributes attributes) {
    KeyPath child = with(absolute, names.isEmpty() ? name : names + "/" + name);
    child.listed = attributes;
    return child;
  }

  /** Returns and removes the attributes that a listing has left; null if there are none. */
  @Nullable VersionedAttributes takeListed() {
    VersionedAttributes taken = listed;
    listed = null;
    return taken;
  }

  private KeyPath with(boolean absolute, String names) {
    return new KeyPath(files, absolute, names);
  }

  private KeyPath mine(Path other) {
    if (other instanceof KeyPath path && path.files == files) {
      return path;
    }
    throw new ProviderMismatchException(other.toUri() + " is of another file system than " + files);
  }

  private List<String> list() {
    // The empty relative path has one name, which is empty.
    return names.isEmpty() && absolute ? List.of() : Arrays.asList(names.split("/", -1));
  }

  @Override
  public KeyFileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return absolute;
  }

  @Override
  public Path getRoot() {
    return absolute ? with(true, "") : null;
  }

  @Override
  public Path getFileName() {
    if (absolute && names.isEmpty()) {
      return null;
    }
    return with(false, names.substring(names.lastIndexOf('/') + 1));
  }

  @Override
  public Path getParent() {
    if (names.isEmpty()) {
      return null;
    }
    int slash = names.lastIndexOf('/');
    if (slash < 0) {
      return absolute ? with(true, "") : null;
    }
    return with(absolute, names.substring(0, slash));
  }

  @Override
  public int getNameCount() {
    return list().size();
  }

  @Override
  public Path getName(int index) {
    List<String> list = list();
    if (index < 0 || index >= list.size()) {
      throw new IllegalArgumentException(this + " has no name " + index);
    }
    return with(false, list.get(index));
  }

  @Override
  public Path subpath(int begin, int end) {
    List<String> list = list();
    if (begin < 0 || end > list.size() || begin >= end) {
      throw new IllegalArgumentException(
          "%s has no names from %d to %d".formatted(this, begin, end));
    }
    return with(false, String.join("/", list.subList(begin, end)));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof KeyPath path
        && path.files == files
        && path.absolute == absolute
        && begins(list(), path.list());
  }

  private static boolean begins(List<String> names, List<String> with) {
    return names.size() >= with.size() && names.subList(0, with.size()).equals(with);
  }

  @Override
  public boolean endsWith(Path other) {
    if (!(other instanceof KeyPath path) || path.files != files) {
      return false;
    }
    if (path.absolute) {
      return equals(path);
    }
    List<String> mine = list();
    List<String> theirs = path.list();
    return mine.size() >= theirs.size()
        && mine.subList(mine.size() - theirs.size(), mine.size()).equals(theirs);
  }

  @Override
  public Path normalize() {
    Deque<String> kept = new ArrayDeque<>();
    for (String name : list()) {
      boolean up = name.equals("..");
      if (up && !kept.isEmpty() && !kept.getLast().equals("..")) {
        kept.removeLast();
      } else if (!name.equals(".") && !(up && absolute)) {
        kept.addLast(name);
      }
    }
    return with(absolute, String.join("/", kept));
  }

  @Override
  public Path resolve(Path other) {
    KeyPath path = mine(other);
    if (path.absolute || names.isEmpty()) {
      return path.absolute ? path : with(absolute, path.names);
    }
    return path.names.isEmpty() ? this : with(absolute, names + "/" + path.names);
  }

  @Override
  public Path relativize(Path other) {
    KeyPath path = mine(other);
    if (path.absolute != absolute) {
      throw new IllegalArgumentException(
          "of %s and %s one is absolute and one is not".formatted(this, other));
    }
    List<String> mine = names.isEmpty() ? List.of() : list();
    List<String> theirs = path.names.isEmpty() ? List.of() : path.list();
    int common = 0;
    while (common < Math.min(mine.size(), theirs.size())
        && mine.get(common).equals(theirs.get(common))) {
      common++;
    }
    StringBuilder relative = new StringBuilder("../".repeat(mine.size() - common));
    relative.append(String.join("/", theirs.subList(common, theirs.size())));
    return parse(files, false, relative.toString());
  }

  @Override
  public URI toUri() {
    return files.uri(names);
  }

  @Override
  public Path toAbsolutePath() {
    return absolute ? this : with(true, names);
  }

  /** Returns the normalized absolute path, which must exist; there are no links. */
  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    Path real = toAbsolutePath().normalize();
    Files.readAttributes(real, BasicFileAttributes.class);
    return real;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw KeyFileSystem.tellsNoChanges();
  }

  /** Compares the bytes of the paths in UTF-8, as the default file system of Unix does. */
  @Override
  public int compareTo(Path other) {
    KeyPath path = (KeyPath) other;
    if (path.absolute != absolute) {
      return absolute ? -1 : 1;
    }
    return Arrays.compareUnsigned(
        names.getBytes(StandardCharsets.UTF_8), path.names.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyPath path
        && path.files == files
        && path.absolute == absolute
        && path.names.equals(names);
  }

  @Override
  public int hashCode() {
    return 31 * names.hashCode() + Boolean.hashCode(absolute);
  }

  @Override
  public String toString() {
    return absolute ? files + names : names;
  }
}
