package io.feedline.formats.zip.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.StoreException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFileChannel;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import io.feedline.formats.store.internal.samples.EntryName;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.internal.Counts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class ZipStore implements ImageStore {

  private static final Logger LOG = LoggerFactory.getLogger(ZipStore.class);

  private static final byte[] NO_BYTES = {};

  /** The directory in which macOS keeps the attributes of files, under the files' names. */
  private static final String MAC_METADATA = "__MACOSX/";

  /** The largest number of bytes to which one byte of a Deflate stream can expand. */
  private static final int MOST_EXPANSION = 1032;

  /** The largest size of an image in bytes, which an array can have in every JVM. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private final OpenFile file;
  private final List<Entry> entries;
  private final List<String> classes;
  private final Map<String, Integer> labels = new HashMap<>();

  private ZipStore(OpenFile file, List<Entry> entries, List<String> classes) {
    this.file = file;
    this.entries = entries;
    this.classes = classes;
    for (String name : classes) {
      labels.put(name, labels.size());
    }
  }

  private enum Coding {
    PLAIN,
    DEFLATED,
    /** Encrypted, or compressed by another method than Deflate. */
    UNREADABLE;

    static Coding of(ZipArchiveEntry entry) {
      if (entry.getGeneralPurposeBit().usesEncryption()) {
        return UNREADABLE;
      }
      return switch (entry.getMethod()) {
        case ZipArchiveEntry.STORED -> PLAIN;
        case ZipArchiveEntry.DEFLATED -> DEFLATED;
        default -> UNREADABLE;
      };
    }
  }

  /** An entry; {@code path} is the part of its name that begins with the directory of the class. */
  private record Entry(
      String path, String name, long offset, long stored, long size, long crc, Coding coding) {
    static Entry of(ZipArchiveEntry entry) {
      return new Entry(
          EntryName.of(entry.getName()),
          entry.getName(),
          entry.getDataOffset(),
          entry.getCompressedSize(),
          entry.getSize(),
          entry.getCrc(),
          Coding.of(entry));
    }

    boolean isImage() {
      return !path.startsWith(MAC_METADATA) && ClassDirectories.isImage(path);
    }

    String className() {
      return path.substring(0, Math.max(0, path.indexOf('/')));
    }

    Entry below() {
      return new Entry(
          path.substring(path.indexOf('/') + 1), name, offset, stored, size, crc, coding);
    }

    boolean isInTwoDirectories() {
      return path.indexOf('/') != path.lastIndexOf('/');
    }
  }

  /** Opens an archive; commons-compress finds the entries and is closed before samples are read. */
  static ZipStore open(Path archive) throws IOException {
    OpenFile file = OpenFile.of(archive);
    try {
      // Fails for an absent archive, which is not a damaged archive.
      file.length();
      List<Entry> images = new ArrayList<>();
      try (OpenFile directory = OpenFile.of(archive);
          ZipFile zip =
              ZipFile.builder().setSeekableByteChannel(new OpenFileChannel(directory)).get()) {
        for (ZipArchiveEntry each : Collections.list(zip.getEntries())) {
          Entry entry = Entry.of(each);
          if (entry.isImage()) {
            images.add(entry);
          }
        }
      } catch (IOException | IllegalArgumentException damaged) {
        if (damaged instanceof IOException refused && StoreException.isBehind(refused)) {
          throw refused;
        }
        throw FormatException.in(archive, "not a whole ZIP: " + damaged.getMessage(), damaged);
      }
      for (Entry image : images) {
        requireInside(archive, image);
      }
      images = inClasses(archive, images);
      TreeSet<String> classes =
          new TreeSet<>(
              Comparator.comparing((String name) -> name.getBytes(UTF_8), Arrays::compareUnsigned));
      images.forEach(image -> classes.add(image.className()));
      ShardSet.requireNoSplits(archive, classes, "pack each split by itself");
      return new ZipStore(file, images, List.copyOf(classes));
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static void requireInside(Path archive, Entry entry) throws FormatException {
    if (EntryName.leadsOut(entry.path())) {
      throw FormatException.in(
          archive, "the entry '%s' leads out of the archive".formatted(entry.name()));
    }
  }

  /**
   * Returns the images in directories of classes. If a directory contains all classes, as after
   * {@code zip -r data.zip data}, the images' paths begin below it.
   */
  private static List<Entry> inClasses(Path archive, List<Entry> found) throws FormatException {
    List<Entry> images = found.stream().filter(image -> !image.className().isEmpty()).toList();
    if (images.isEmpty()) {
      throw FormatException.in(
          archive,
          "there are no images in directories, CLASS/NAME.jpg, and %d without one"
              .formatted(found.size()));
    }
    if (images.size() < found.size()) {
      LOG.warn(
          "{}: {} in no directory have no class and are left out",
          archive,
          Counts.of(found.size() - images.size(), "image"));
    }
    while (images.stream().allMatch(Entry::isInTwoDirectories)
        && images.stream().map(Entry::className).distinct().count() == 1) {
      LOG.info("{}: the classes are the directories in '{}'", archive, images.get(0).className());
      images = images.stream().map(Entry::below).toList();
    }
    return images;
  }

  private Entry entry(long index) {
    return entries.get((int) Objects.checkIndex(index, size()));
  }

  @Override
  public long size() {
    return entries.size();
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    Entry entry = entry(index);
    requireReadable(index, entry);
    byte[] data = new byte[(int) entry.stored()];
    file.read(entry.offset(), data, 0, data.length);
    if (entry.coding() == Coding.DEFLATED) {
      data = inflate(index, entry, data);
    }
    CRC32 crc = new CRC32();
    crc.update(data);
    if (crc.getValue() != entry.crc()) {
      throw new FormatException(
          "%s: its CRC-32 is %08x, but %08x is recorded"
              .formatted(describe(index), crc.getValue(), entry.crc()));
    }
    return EncodedImage.ofFile(entry.path(), data, label(index));
  }

  private void requireReadable(long index, Entry entry) throws IOException {
    if (entry.coding() == Coding.UNREADABLE) {
      throw new FormatException(
          describe(index)
              + ": encrypted, or compressed by another method than Deflate; pack it again with zip -0");
    }
    if (entry.stored() > file.length() - entry.offset()) {
      throw new FormatException(
          "%s: there are no %d bytes".formatted(describe(index), entry.stored()));
    }
    long most = entry.coding() == Coding.PLAIN ? entry.stored() : MOST_EXPANSION * entry.stored();
    if (entry.size() > Math.min(most, MAX_BYTES) || entry.stored() > MAX_BYTES) {
      throw new FormatException(
          "%s: an image of %d bytes, of which %d are stored, cannot be"
              .formatted(describe(index), entry.size(), entry.stored()));
    }
  }

  private byte[] inflate(long index, Entry entry, byte[] stored) throws FormatException {
    byte[] data = new byte[(int) entry.size()];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(stored);
      int filled = 0;
      int more = -1;
      while (filled < data.length && more != 0) {
        more = inflater.inflate(data, filled, data.length - filled);
        filled += more;
      }
      if (filled < data.length) {
        throw new FormatException(
            "%s: its compressed data end after %d of %d bytes"
                .formatted(describe(index), filled, data.length));
      }
      return data;
    } catch (DataFormatException damaged) {
      throw new FormatException(
          "%s: its compressed data are damaged: %s"
              .formatted(describe(index), damaged.getMessage()),
          damaged);
    } finally {
      inflater.end();
    }
  }

  /** Locates an image; verifies no checksum, since the checksum covers the whole entry. */
  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    Entry entry = entry(index);
    requireReadable(index, entry);
    if (entry.coding() != Coding.PLAIN) {
      return Optional.empty();
    }
    FileRange place = new FileRange(file.path(), entry.offset(), entry.size());
    return Optional.of(new FileImage(file.files(), place, label(index)));
  }

  @Override
  public Optional<FileRange> range(long index) {
    Entry entry = entry(index);
    return entry.coding() == Coding.UNREADABLE
        ? Optional.empty()
        : Optional.of(new FileRange(file.path(), entry.offset(), entry.stored()));
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return file.files().openRange(range);
  }

  @Override
  public int label(long index) {
    return labels.get(entry(index).className());
  }

  @Override
  public String key(long index) {
    return EncodedImage.ofFile(entry(index).path(), NO_BYTES, EncodedImage.NO_LABEL).key();
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s, entry %s".formatted(file.path(), entry(index).name());
  }

  @Override
  public String name() {
    return "ZipImages(" + file.path() + ")";
  }

  @Override
  public String fingerprint() {
    CRC32 crc = new CRC32();
    for (Entry entry : entries) {
      crc.update((entry.path() + ' ' + entry.size() + ' ' + entry.crc() + '\n').getBytes(UTF_8));
    }
    return "ZipImages:" + size() + ':' + Long.toHexString(crc.getValue());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
