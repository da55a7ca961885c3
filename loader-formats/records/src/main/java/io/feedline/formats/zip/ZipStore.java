package io.feedline.formats.zip;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFileChannel;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** The entries of an archive that are images in directories. */
final class ZipStore implements ImageStore {

  private static final byte[] NO_BYTES = {};

  private final OpenFile file;
  private final List<Entry> entries;
  private final List<String> classes;

  private ZipStore(OpenFile file, List<Entry> entries, List<String> classes) {
    this.file = file;
    this.entries = entries;
    this.classes = classes;
  }

  /**
   * An entry.
   *
   * @param offset of its data, as it is stored
   * @param plain whether it is neither compressed nor encrypted
   */
  private record Entry(String name, long offset, long size, long crc, boolean plain) {
    static Entry of(ZipArchiveEntry entry) {
      boolean plain =
          entry.getMethod() == ZipArchiveEntry.STORED
              && !entry.getGeneralPurposeBit().usesEncryption();
      return new Entry(
          entry.getName(), entry.getDataOffset(), entry.getSize(), entry.getCrc(), plain);
    }

    boolean isImage() {
      return name.indexOf('/') > 0 && ClassDirectories.isImage(name);
    }

    String className() {
      return name.substring(0, name.indexOf('/'));
    }
  }

  /**
   * Opens an archive; commons-compress finds its entries, and is closed before samples are read.
   */
  static ZipStore open(Path archive) throws IOException {
    OpenFile file = OpenFile.of(archive);
    try {
      // One that is not there is no damaged one.
      file.length();
      List<Entry> images = new ArrayList<>();
      TreeSet<String> classes =
          new TreeSet<>(
              Comparator.comparing((String name) -> name.getBytes(UTF_8), Arrays::compareUnsigned));
      try (OpenFile directory = OpenFile.of(archive);
          ZipFile zip =
              ZipFile.builder().setSeekableByteChannel(new OpenFileChannel(directory)).get()) {
        for (ZipArchiveEntry each : Collections.list(zip.getEntries())) {
          Entry entry = Entry.of(each);
          if (entry.isImage()) {
            images.add(entry);
            classes.add(entry.className());
          }
        }
      } catch (IOException | IllegalArgumentException damaged) {
        throw FormatException.in(archive, "not a whole ZIP: " + damaged.getMessage(), damaged);
      }
      if (images.isEmpty()) {
        throw FormatException.in(archive, "there are no images in directories, CLASS/NAME.jpg");
      }
      return new ZipStore(file, List.copyOf(images), List.copyOf(classes));
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
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
    requireWhole(index, entry);
    byte[] data = new byte[Math.toIntExact(entry.size())];
    file.read(entry.offset(), data, 0, data.length);
    CRC32 crc = new CRC32();
    crc.update(data);
    if (crc.getValue() != entry.crc()) {
      throw new FormatException(
          "%s: its CRC-32 is %08x, but %08x is recorded"
              .formatted(describe(index), crc.getValue(), entry.crc()));
    }
    return EncodedImage.ofFile(entry.name(), data, label(index));
  }

  private void requireWhole(long index, Entry entry) throws IOException {
    if (!entry.plain()) {
      throw new FormatException(
          describe(index) + ": compressed or encrypted; pack it again with zip -0");
    }
    if (entry.size() > file.length() - entry.offset()) {
      throw new FormatException(
          "%s: there are no %d bytes".formatted(describe(index), entry.size()));
    }
  }

  /** Nothing is compared with the checksum, which is that of the whole entry. */
  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    Entry entry = entry(index);
    requireWhole(index, entry);
    FileRange place = new FileRange(file.path(), entry.offset(), entry.size());
    return entry.size() > Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.of(new FileImage(file.files(), place, label(index)));
  }

  /** Empty for an entry that cannot be read. */
  @Override
  public Optional<FileRange> range(long index) {
    Entry entry = entry(index);
    return entry.plain()
        ? Optional.of(new FileRange(file.path(), entry.offset(), entry.size()))
        : Optional.empty();
  }

  @Override
  public Closeable lend(FileRange range) throws IOException {
    return file.files().lend(range);
  }

  @Override
  public int label(long index) {
    return classes.indexOf(entry(index).className());
  }

  @Override
  public String key(long index) {
    return EncodedImage.ofFile(entry(index).name(), NO_BYTES, EncodedImage.NO_LABEL).key();
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

  /** The names, sizes and checksums of all images, as a checksum. */
  @Override
  public String fingerprint() {
    CRC32 crc = new CRC32();
    for (Entry entry : entries) {
      crc.update((entry.name() + ' ' + entry.size() + ' ' + entry.crc() + '\n').getBytes(UTF_8));
    }
    return "ZipImages:" + size() + ':' + Long.toHexString(crc.getValue());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
