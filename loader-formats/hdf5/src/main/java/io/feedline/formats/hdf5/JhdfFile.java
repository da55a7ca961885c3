package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.feedline.data.StoreException;
import io.feedline.formats.hdf5.GroupLinks.Target;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFileChannel;
import io.feedline.formats.store.internal.files.PartCache;
import io.jhdf.HdfFile;
import io.jhdf.ObjectHeader;
import io.jhdf.api.Dataset;
import io.jhdf.api.Node;
import io.jhdf.object.datatype.EnumDataType;
import io.jhdf.object.message.DataTypeMessage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An HDF5 file, whose structure jHDF reads; finds the objects by their paths. Thread-safe; closing
 * it closes the file.
 */
final class JhdfFile implements Closeable {

  /** The largest number of soft links followed one after the other, as in HDF5 itself. */
  private static final int MAX_LINKS = 16;

  private final OpenFile file;
  private final HdfFile hdf;
  private final PartCache<byte[]> cache;

  private JhdfFile(OpenFile file, HdfFile hdf, PartCache<byte[]> cache) {
    this.file = file;
    this.hdf = hdf;
    this.cache = cache;
  }

  interface Opening<R> {
    R of(JhdfFile opened) throws IOException;
  }

  /** Opens a file and returns what {@code opening} makes of it; closes the file on failure. */
  static <R> R open(Path path, long cacheBytes, Opening<R> opening) throws IOException {
    if (cacheBytes < 0) {
      throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
    }
    OpenFile file = OpenFile.of(path);
    try {
      file.length();
      HdfFile hdf = reading(path, () -> new HdfFile(new OpenFileChannel(file)));
      return opening.of(new JhdfFile(file, hdf, new PartCache<>(cacheBytes)));
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  Path path() {
    return file.path();
  }

  String fingerprint() throws IOException {
    return FileSample.of(file);
  }

  PartCache<byte[]> cache() {
    return cache;
  }

  @FunctionalInterface
  private interface Reading<R> {
    R read() throws IOException;
  }

  /** Calls jHDF, and converts the exceptions and errors that it throws for a broken structure. */
  private static <R> R reading(Object what, Reading<R> reading) throws IOException {
    try {
      return reading.read();
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError broken) {
      String message = "%s cannot be read: %s%s".formatted(what, reason(broken), wayOut(broken));
      throw StoreException.isBehind(broken)
          ? new StoreException(message, broken)
          : new FormatException(message, broken);
    }
  }

  private static String wayOut(Throwable broken) {
    for (Throwable each = broken; each != null; each = each.getCause()) {
      if (Stream.of(each.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(EnumDataType.class.getName()))) {
        return ". Enumerations with negative values are not read: write the numbers themselves (h5py: astype)";
      }
      if (String.valueOf(each.getMessage())
          .matches("(?s).*([Uu]nrecogni[sz]ed|[Uu]nsupported).*version.*")) {
        return ". HDF5 2.0 with libver='latest' writes such files: write it with libver=('earliest', 'v114'), or convert it by h5repack";
      }
    }
    return "";
  }

  private static String reason(Throwable broken) {
    Throwable last = broken;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    return last == broken ? broken.toString() : broken + ", from " + last;
  }

  StoredArray array(String name) throws IOException {
    return reading(at(name), () -> array(root(), name, name).numbers(false));
  }

  StoredBytes bytes(String name) throws IOException {
    return reading(at(name), () -> array(root(), name, name).bytes());
  }

  List<Sample> samples(String name) throws IOException {
    return reading(
        at(name),
        () -> {
          long parent = find(root(), name, name, 0);
          List<Sample> samples = new ArrayList<>();
          for (Map.Entry<String, Target> child : links(parent, name).entrySet()) {
            String full = name + "/" + child.getKey();
            long address = resolve(child.getValue(), parent, full, 0);
            if (isGroup(address, full)) {
              samples.add(new Sample(child.getKey(), address));
            }
          }
          if (samples.isEmpty()) {
            throw new FormatException(at(name) + " has no groups in it");
          }
          samples.sort(Sample.BY_NAME);
          return samples;
        });
  }

  /** The group of a sample, of which a file may have a million; its header is read on demand. */
  record Sample(String name, long address) {
    /** The order by name: numbers first, short numbers before long numbers (2, 10, a). */
    static final Comparator<Sample> BY_NAME =
        Comparator.comparingInt(Sample::digits).thenComparing(Sample::name);

    private int digits() {
      boolean number = name.chars().allMatch(c -> c >= '0' && c <= '9');
      return number ? name.length() : Integer.MAX_VALUE;
    }
  }

  StoredArray array(Sample sample, String name) throws IOException {
    String full = sample.name() + "/" + name;
    return reading(at(full), () -> array(sample.address(), name, full).numbers(true));
  }

  private long root() {
    return hdf.getAddress();
  }

  private String at(String name) {
    return file.path() + ", " + name;
  }

  private JhdfArray array(long group, String name, String full) throws FormatException {
    long address = find(group, name, full, 0);
    Node node = hdf.getNodeByAddress(address);
    if (node instanceof Dataset dataset) {
      return new JhdfArray(file, hdf.getHdfBackingStorage(), cache, at(full), address, dataset);
    }
    throw new FormatException(at(full) + " is not a dataset but a " + node.getType());
  }

  private ObjectHeader header(long address) {
    return ObjectHeader.readObjectHeader(hdf.getHdfBackingStorage(), address);
  }

  private boolean isGroup(long address, String full) throws IOException {
    long base = hdf.getHdfBackingStorage().getUserBlockSize();
    return switch (ObjectKind.at(file, base + address)) {
      case GROUP -> true;
      case DATASET -> false;
      case UNKNOWN -> {
        ObjectHeader header = header(address);
        boolean group = GroupLinks.isGroup(header);
        if (!group && !header.hasMessageOfType(DataTypeMessage.class)) {
          throw new FormatException(at(full) + " is neither a group nor a dataset nor a type");
        }
        yield group;
      }
    };
  }

  private Map<String, Target> links(long group, String full) throws FormatException {
    ObjectHeader header = header(group);
    if (!GroupLinks.isGroup(header)) {
      throw new FormatException(at(full) + " is not a group");
    }
    return members(header, full);
  }

  private Map<String, Target> members(ObjectHeader group, String full) throws FormatException {
    try {
      return GroupLinks.of(hdf.getHdfBackingStorage(), group);
    } catch (FormatException damaged) {
      throw new FormatException(at(full) + ": " + damaged.getMessage(), damaged);
    }
  }

  /** Returns the address of an object below a group; {@code links} counts followed soft links. */
  private long find(long group, String name, String full, int links) throws FormatException {
    long address = group;
    String walked = "";
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".")) {
        continue;
      }
      ObjectHeader header = header(address);
      if (!GroupLinks.isGroup(header)) {
        throw new FormatException("there is no %s: %s is not a group".formatted(at(full), walked));
      }
      Map<String, Target> members = members(header, full);
      Target child = members.get(part);
      if (child == null) {
        throw new FormatException(
            "there is no %s; beside it there are %s".formatted(at(full), some(members)));
      }
      address = resolve(child, address, full, links);
      walked = part;
    }
    return address;
  }

  private static String some(Map<String, Target> members) {
    List<String> names = members.keySet().stream().limit(20).toList();
    return names + (members.size() > names.size() ? " and more" : "");
  }

  private long resolve(Target target, long parent, String full, int links) throws FormatException {
    if (target.equals(Target.EXTERNAL)) {
      throw new FormatException(at(full) + " is in another file, which is not supported");
    }
    if (target.path() == null) {
      return target.address();
    }
    if (links == MAX_LINKS) {
      throw new FormatException(
          "%s leads to more than %d links, one after the other".formatted(at(full), MAX_LINKS));
    }
    String path = target.path();
    return find(path.startsWith("/") ? root() : parent, path, full, links + 1);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
