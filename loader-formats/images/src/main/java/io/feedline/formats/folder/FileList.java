package io.feedline.formats.folder;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The names and labels of many files, by index, in little memory: a file takes the bytes of its
 * name and four more, and no object. Consecutive files of the same directory and label share the
 * directory's path and the label. Each change of directory or label takes twelve bytes. A million
 * files named like ImageNet's take 24 MB; a list of paths would take 150 MB.
 *
 * <p>Immutable and thread-safe.
 */
final class FileList {

  private final byte[] names;

  /** The index after the last byte of each name in {@link #names}. */
  private final int[] ends;

  private final String[] directories;
  private final int[] labels;

  /** The index of each directory's first file, strictly ascending: no directory is empty. */
  private final int[] firsts;

  private FileList(Builder builder) {
    names = Arrays.copyOf(builder.names, builder.nameBytes);
    ends = Arrays.copyOf(builder.ends, builder.files);
    directories = Arrays.copyOf(builder.directories, builder.directoryCount);
    labels = Arrays.copyOf(builder.labels, builder.directoryCount);
    firsts = Arrays.copyOf(builder.firsts, builder.directoryCount);
  }

  int size() {
    return ends.length;
  }

  String path(int index) {
    int start = index == 0 ? 0 : ends[index - 1];
    String name = new String(names, start, ends[index] - start, StandardCharsets.UTF_8);
    String directory = directories[directory(index)];
    return directory.isEmpty() || directory.endsWith("/")
        ? directory + name
        : directory + "/" + name;
  }

  int label(int index) {
    return labels[directory(index)];
  }

  /** Returns an estimate of the memory of this list, in bytes. */
  long retainedBytes() {
    long bytes = names.length + 4L * ends.length + 12L * directories.length;
    for (String directory : directories) {
      bytes += 48 + directory.length();
    }
    return bytes;
  }

  private int directory(int index) {
    int found = Arrays.binarySearch(firsts, index);
    return found >= 0 ? found : -found - 2;
  }

  /** Collects files in the order of their indexes. Not thread-safe. */
  static final class Builder {
    private byte[] names = new byte[1 << 10];
    private int nameBytes;
    private int[] ends = new int[64];
    private int files;
    private String[] directories = new String[16];
    private int[] labels = new int[16];
    private int[] firsts = new int[16];
    private int directoryCount;
    private boolean empty = true;

    /** The directories' paths so far; a directory that comes again reuses its path's String. */
    private final Map<String, String> known = new HashMap<>();

    /** Begins the directory of the next files, relative to the root, and sets their label. */
    void directory(String path, int label) {
      if (directoryCount > 0 && empty) {
        directoryCount--;
      }
      if (directoryCount == directories.length) {
        int capacity = directoryCount * 2;
        directories = Arrays.copyOf(directories, capacity);
        labels = Arrays.copyOf(labels, capacity);
        firsts = Arrays.copyOf(firsts, capacity);
      }
      directories[directoryCount] = path;
      labels[directoryCount] = label;
      firsts[directoryCount] = files;
      directoryCount++;
      empty = true;
    }

    /** Adds a file to the current directory; the name is in UTF-8. */
    void file(byte[] name) {
      if (nameBytes + (long) name.length > Integer.MAX_VALUE - 8) {
        throw new IllegalStateException(
            "the names of the first %d files take more than 2 GiB".formatted(files));
      }
      if (names.length - nameBytes < name.length) {
        names = Arrays.copyOf(names, grown(names.length, nameBytes + name.length));
      }
      if (files == ends.length) {
        ends = Arrays.copyOf(ends, grown(files, files + 1));
      }
      System.arraycopy(name, 0, names, nameBytes, name.length);
      nameBytes += name.length;
      ends[files++] = nameBytes;
      empty = false;
    }

    /** Adds a file with a label; the parts of the path are separated by slashes. */
    void file(String path, int label) {
      int slash = path.lastIndexOf('/');
      // For a file in the file system's root, the directory's path is the slash alone.
      String directory = path.substring(0, Math.max(slash, slash == 0 ? 1 : 0));
      int last = directoryCount - 1;
      if (last < 0 || labels[last] != label || !directories[last].equals(directory)) {
        directory(known.computeIfAbsent(directory, same -> same), label);
      }
      file(path.substring(slash + 1).getBytes(StandardCharsets.UTF_8));
    }

    int files() {
      return files;
    }

    FileList build() {
      if (directoryCount > 0 && empty) {
        directoryCount--;
      }
      return new FileList(this);
    }

    private static int grown(int capacity, int needed) {
      return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, capacity * 3L / 2));
    }
  }
}
