package io.feedline.formats.remote.internal.s3;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** The objects below a directory, sorted by the UTF-8 of their relative names. Immutable. */
public final class Listing {

  private final byte[] bytes;

  /** The start of each object's name and version in {@link #bytes}, then the end of the last. */
  private final int[] starts;

  private final short[] nameLengths;
  private final long[] sizes;

  private Listing(byte[] bytes, int[] starts, short[] nameLengths, long[] sizes) {
    this.bytes = bytes;
    this.starts = starts;
    this.nameLengths = nameLengths;
    this.sizes = sizes;
  }

  int objects() {
    return sizes.length;
  }

  /** Returns the index of the object with a name; negative if absent. */
  public int find(String name) {
    byte[] wanted = utf8(name);
    int at = from(wanted);
    return at < objects() && compare(at, wanted) == 0 ? at : -1;
  }

  public boolean isDirectory(String name) {
    byte[] prefix = utf8(name.isEmpty() ? "" : name + "/");
    int at = from(prefix);
    return at < objects() && startsWith(at, prefix);
  }

  String name(int object) {
    return new String(bytes, starts[object], length(object), StandardCharsets.UTF_8);
  }

  public long size(int object) {
    return sizes[object];
  }

  public String version(int object) {
    int start = starts[object] + length(object);
    return new String(bytes, start, starts[object + 1] - start, StandardCharsets.ISO_8859_1);
  }

  public Listing without(Collection<String> directories) {
    Builder rest = new Builder();
    for (int object = 0; object < objects(); object++) {
      String name = name(object);
      if (directories.stream().noneMatch(each -> each.isEmpty() || name.startsWith(each + "/"))) {
        rest.add(name, size(object), version(object));
      }
    }
    return rest.build();
  }

  /** Returns the names of the files and directories that lie directly in a directory, sorted. */
  public List<String> children(String directory) {
    byte[] prefix = utf8(directory.isEmpty() ? "" : directory + "/");
    List<String> children = new ArrayList<>();
    int at = from(prefix);
    while (at < objects() && startsWith(at, prefix)) {
      int start = starts[at] + prefix.length;
      int end = starts[at] + length(at);
      int slash = start;
      while (slash < end && bytes[slash] != '/') {
        slash++;
      }
      children.add(new String(bytes, start, slash - start, StandardCharsets.UTF_8));
      if (slash < end) {
        // The names in this directory have a slash here; the search is for the next greater byte.
        byte[] behind = Arrays.copyOfRange(bytes, starts[at], slash + 1);
        behind[behind.length - 1] = '/' + 1;
        at = from(behind);
      } else {
        at++;
      }
    }
    // For "a", "a-b" and "a/b", the name "a" comes twice, and not in succession.
    return children.stream().distinct().toList();
  }

  /** Returns the index of the first object whose name is equal to a text or sorts behind it. */
  private int from(byte[] text) {
    int low = 0;
    int high = objects();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, text) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int object, byte[] text) {
    return Arrays.compareUnsigned(
        bytes, starts[object], starts[object] + length(object), text, 0, text.length);
  }

  private boolean startsWith(int object, byte[] prefix) {
    return length(object) >= prefix.length
        && Arrays.equals(
            bytes, starts[object], starts[object] + prefix.length, prefix, 0, prefix.length);
  }

  private int length(int object) {
    return nameLengths[object] & 0xFFFF;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static final class Builder {
    private static final int LONGEST_NAME = 0xFFFF;

    private byte[] bytes = new byte[1 << 12];
    private int[] starts = new int[1 << 6];
    private short[] nameLengths = new short[1 << 6];
    private long[] sizes = new long[1 << 6];
    private int end;
    private int objects;
    private boolean sorted = true;

    public int objects() {
      return objects;
    }

    /** Adds an object; returns false, and adds nothing, if its name has 64 KiB or more. */
    public boolean add(String name, long size, String version) {
      byte[] utf8 = utf8(name);
      byte[] etag = version.getBytes(StandardCharsets.ISO_8859_1);
      if (utf8.length > LONGEST_NAME) {
        return false;
      }
      long needed = (long) end + utf8.length + etag.length;
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalStateException(
            "the names of the first %d objects take more than 2 GiB".formatted(objects));
      }
      if (needed > bytes.length) {
        bytes = Arrays.copyOf(bytes, grown(bytes.length, (int) needed));
      }
      if (objects + 1 >= starts.length) {
        int capacity = grown(starts.length, objects + 2);
        starts = Arrays.copyOf(starts, capacity);
        nameLengths = Arrays.copyOf(nameLengths, capacity);
        sizes = Arrays.copyOf(sizes, capacity);
      }
      System.arraycopy(utf8, 0, bytes, end, utf8.length);
      System.arraycopy(etag, 0, bytes, end + utf8.length, etag.length);
      if (objects > 0) {
        int last = starts[objects - 1];
        int length = nameLengths[objects - 1] & 0xFFFF;
        sorted &= Arrays.compareUnsigned(bytes, last, last + length, utf8, 0, utf8.length) < 0;
      }
      starts[objects] = end;
      nameLengths[objects] = (short) utf8.length;
      sizes[objects++] = size;
      end = (int) needed;
      starts[objects] = end;
      return true;
    }

    private static int grown(int capacity, int needed) {
      return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, capacity * 3L / 2));
    }

    public Listing build() {
      Listing asAdded =
          new Listing(
              Arrays.copyOf(bytes, end),
              Arrays.copyOf(starts, objects + 1),
              Arrays.copyOf(nameLengths, objects),
              Arrays.copyOf(sizes, objects));
      return sorted ? asAdded : sorted(asAdded);
    }

    /** Sorts a listing; of several objects with the same name, keeps the first. */
    private static Listing sorted(Listing listing) {
      int[] order =
          IntStream.range(0, listing.objects())
              .boxed()
              .sorted((a, b) -> listing.compare(a, utf8(listing.name(b))))
              .mapToInt(Integer::intValue)
              .toArray();
      Builder again = new Builder();
      String last = null;
      for (int object : order) {
        String name = listing.name(object);
        if (!name.equals(last)) {
          again.add(name, listing.size(object), listing.version(object));
        }
        last = name;
      }
      return again.build();
    }
  }
}
