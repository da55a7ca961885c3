package io.feedline.formats.folder;

import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.internal.Counts;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A walk over the files below a class's directory in torchvision's order: {@code
 * sorted(os.walk(directory, followlinks=True))}, and within each directory the names sorted. Python
 * sorts by code points, the order of UTF-8's bytes, which differs from the order of Java's strings;
 * and it sorts directories by their whole path, so {@code a-b} comes before {@code a/x}. The
 * separator is / on every system, so that indexes are the same on all systems.
 *
 * <p>Links are followed. A link back to a directory that is being walked is an error; Python
 * follows it until the system refuses. A link to a missing file counts as a file, as in Python, and
 * reading the file fails. Pipes, sockets and devices are left out, since reading them may take
 * forever.
 */
final class FolderWalk {

  /** Python's order of strings, which is the order of their UTF-8 bytes. */
  static final Comparator<String> BY_CODE_POINTS =
      Comparator.comparing(
          (String name) -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final Predicate<? super Path> wanted;
  private final Predicate<? super Path> entered;

  /** The number of unwanted files of each extension; names that begin with a dot do not count. */
  private final Map<String, Integer> passedOver = new TreeMap<>();

  FolderWalk(Predicate<? super Path> wanted, Predicate<? super Path> entered) {
    this.wanted = wanted;
    this.entered = entered;
  }

  /** Returns the names of the root's directories and links to directories, by code points. */
  static List<String> classes(Path root) throws IOException {
    List<byte[]> names = new ArrayList<>();
    forEach(
        root,
        entry -> {
          if (Presence.isDirectory(entry)) {
            names.add(utf8(entry));
          }
        });
    names.sort(Arrays::compareUnsigned);
    return names.stream().map(FolderWalk::text).toList();
  }

  static long count(Path directory, Predicate<? super Path> wanted) throws IOException {
    long[] count = {0};
    forEach(directory, entry -> count[0] += Presence.isFile(entry) && wanted.test(entry) ? 1 : 0);
    return count[0];
  }

  /**
   * Adds the wanted files of a class; returns the number of files. The class is the name of a
   * directory in the root, or empty for the root itself.
   */
  int addFiles(Path root, String className, int label, FileList.Builder files) throws IOException {
    Path directory = root.resolve(className);
    if (!Presence.isDirectory(directory)) {
      return 0;
    }
    NavigableMap<byte[], List<byte[]>> listing = new TreeMap<>(Arrays::compareUnsigned);
    Deque<Path> walked = new ArrayDeque<>();
    walk(directory, className, directory.toRealPath(), walked, listing);
    int before = files.files();
    listing.forEach(
        (path, names) -> {
          files.directory(text(path), label);
          names.sort(Arrays::compareUnsigned);
          names.forEach(files::file);
        });
    return files.files() - before;
  }

  /** Lists a directory and its subdirectories; {@code walked} has the parents' real paths. */
  private void walk(
      Path directory, String path, Path real, Deque<Path> walked, Map<byte[], List<byte[]>> listing)
      throws IOException {
    walked.push(real);
    List<byte[]> names = new ArrayList<>();
    List<Path> below = new ArrayList<>();
    forEach(
        directory,
        entry -> {
          BasicFileAttributes attributes = attributes(entry);
          if (attributes.isDirectory()) {
            if (entered.test(entry)) {
              below.add(entry);
            }
          } else if (!attributes.isOther() && wanted.test(entry)) {
            names.add(utf8(entry));
          } else {
            passOver(String.valueOf(entry.getFileName()));
          }
        });
    listing.put(path.getBytes(StandardCharsets.UTF_8), names);
    for (Path each : below) {
      String name = text(utf8(each));
      walk(
          each,
          path.isEmpty() ? name : path + "/" + name,
          realPath(each, real, walked),
          walked,
          listing);
    }
    walked.pop();
  }

  private void passOver(String name) {
    if (!name.startsWith(".")) {
      int dot = name.lastIndexOf('.');
      String kind = dot < 0 ? "no extension" : name.substring(dot).toLowerCase(Locale.ROOT);
      passedOver.merge(kind, 1, Integer::sum);
    }
  }

  String passedOver() {
    int files = passedOver.values().stream().mapToInt(Integer::intValue).sum();
    return files == 0
        ? ""
        : "%s passed over: %s"
            .formatted(
                Counts.of(files, "file"),
                passedOver.size() == 1
                    ? passedOver.keySet().iterator().next()
                    : passedOver.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", ")));
  }

  private static Path realPath(Path directory, Path realParent, Deque<Path> walked)
      throws IOException {
    if (!Files.isSymbolicLink(directory)) {
      return realParent.resolve(directory.getFileName());
    }
    Path real = directory.toRealPath();
    for (Path each : walked) {
      if (each.startsWith(real)) {
        throw new FileSystemException(
            directory.toString(),
            real.toString(),
            "this link leads back to a directory above it, so the walk would never end");
      }
    }
    return real;
  }

  private static BasicFileAttributes attributes(Path entry) throws IOException {
    try {
      return Files.readAttributes(entry, BasicFileAttributes.class);
    } catch (IOException dangling) {
      if (!Files.isSymbolicLink(entry)) {
        throw dangling;
      }
      // The target of the link is missing. The link itself is neither a directory nor a pipe.
      return Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private interface Entries {
    void accept(Path entry) throws IOException;
  }

  private static void forEach(Path directory, Entries entries) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path entry : stream) {
        entries.accept(entry);
      }
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    } catch (NoSuchFileException absent) {
      Path missing = directory.getFileSystem().getPath(absent.getFile());
      throw because(absent, missing, "there is no such directory" + MissingPaths.nearest(missing));
    } catch (NotDirectoryException file) {
      throw because(file, directory, "this is not a directory");
    } catch (AccessDeniedException denied) {
      if (denied.getReason() != null) {
        throw denied;
      }
      throw because(
          denied, directory.getFileSystem().getPath(denied.getFile()), "this may not be read");
    }
  }

  private static FileSystemException because(Exception cause, Path path, String reason) {
    FileSystemException named = new FileSystemException(path.toString(), null, reason);
    named.initCause(cause);
    return named;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** Returns the last part of a path in UTF-8; fails if the text does not name the same file. */
  private static byte[] utf8(Path entry) throws IOException {
    String name = String.valueOf(entry.getFileName());
    try {
      // Unlike getBytes, this refuses characters that UTF-8 cannot encode.
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      if (name.indexOf('\uFFFD') < 0 || entry.resolveSibling(name).equals(entry)) {
        byte[] utf8 = new byte[bytes.remaining()];
        bytes.get(utf8);
        return utf8;
      }
    } catch (CharacterCodingException | InvalidPathException unmappable) {
      throw because(unmappable, entry, LocalFiles.unreadableName());
    }
    throw new FileSystemException(entry.toString(), null, LocalFiles.unreadableName());
  }
}
