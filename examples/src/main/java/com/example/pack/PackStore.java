package com.example.pack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * The images of a file of {@link PackFormat}. The index is kept in memory.
 *
 * <p>Each read opens the file. So threads share no position, every file system works, and an
 * interrupt, which closes the thread's channel, does not affect other threads.
 */
final class PackStore implements ImageStore {

  private final Path path;

  /** The offset of each record, then the end of the last record. */
  private final long[] offsets;

  private final List<String> classes;
  private final long checksum;
  private volatile boolean closed;

  private PackStore(Path path, long[] offsets, List<String> classes, long checksum) {
    this.path = path;
    this.offsets = offsets;
    this.classes = classes;
    this.checksum = checksum;
  }

  static PackStore open(Path path) throws IOException {
    byte[] magic = PackFormat.magic();
    try (SeekableByteChannel file = Files.newByteChannel(path)) {
      long end = file.size() - PackFormat.TRAILER_BYTES;
      if (end < magic.length) {
        throw FormatException.in(path, "too short for a pack: %d bytes".formatted(file.size()));
      }
      ByteBuffer trailer = read(file, end, PackFormat.TRAILER_BYTES);
      long start = trailer.getLong();
      int records = trailer.getInt();
      int names = trailer.getInt();
      long checksum = trailer.getLong();
      byte[] last = new byte[magic.length];
      trailer.get(last);
      if (!Arrays.equals(last, magic)) {
        throw FormatException.in(path, "no pack, or cut off: it does not end as one");
      }
      if (start < magic.length || records < 0 || 8L * records > end - start) {
        throw FormatException.in(path, "its trailer is damaged");
      }
      ByteBuffer index = read(file, start, Math.toIntExact(end - start));
      long[] offsets = new long[records + 1];
      index.asLongBuffer().get(offsets, 0, records);
      offsets[records] = start;
      for (int i = 0; i < records; i++) {
        if (offsets[i] < magic.length || offsets[i + 1] - offsets[i] < 12) {
          throw FormatException.at(path, i, offsets[i], "its offset is damaged");
        }
      }
      return new PackStore(path, offsets, classes(index.position(8 * records), names), checksum);
    } catch (EOFException damaged) {
      throw FormatException.in(path, "its index is damaged", damaged);
    }
  }

  private static List<String> classes(ByteBuffer index, int names) throws IOException {
    byte[] rest = new byte[index.remaining()];
    index.get(rest);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(rest));
    List<String> classes = new ArrayList<>();
    for (int i = 0; i < names; i++) {
      classes.add(in.readUTF());
    }
    return List.copyOf(classes);
  }

  /** Reads bytes, and reports them for the loader's statistics. */
  private static ByteBuffer read(SeekableByteChannel file, long position, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    file.position(position);
    while (bytes.hasRemaining()) {
      if (file.read(bytes) < 0) {
        throw new EOFException("the file ends at " + file.size());
      }
    }
    SampleReader.reportBytes(length);
    return bytes.flip();
  }

  /** Reads the first bytes of a record. */
  private ByteBuffer record(long index, int length) throws IOException {
    if (closed) {
      throw new IllegalStateException(name() + " is closed");
    }
    try (SeekableByteChannel file = Files.newByteChannel(path)) {
      return read(file, offset(index), length);
    } catch (EOFException cut) {
      throw damaged(index, cut.getMessage());
    }
  }

  private ByteBuffer record(long index) throws IOException {
    return record(index, length(index));
  }

  private long offset(long index) {
    return offsets[(int) Objects.checkIndex(index, size())];
  }

  private int length(long index) {
    return Math.toIntExact(offsets[(int) Objects.checkIndex(index, size()) + 1] - offset(index));
  }

  private FormatException damaged(long index, String problem) {
    return FormatException.at(path, index, offset(index), problem);
  }

  @Override
  public long size() {
    return offsets.length - 1L;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    ByteBuffer record = record(index);
    int label = label(index, record);
    String key = key(index, record);
    if (record.getInt() != record.remaining()) {
      throw damaged(index, "its lengths do not add up");
    }
    byte[] image = new byte[record.remaining()];
    record.get(image);
    return new EncodedImage(key, image, label);
  }

  @Override
  public int label(long index) throws IOException {
    return label(index, record(index, Integer.BYTES));
  }

  private int label(long index, ByteBuffer record) throws IOException {
    int label = record.getInt();
    if (label < EncodedImage.NO_LABEL) {
      throw damaged(index, "its label is " + label);
    }
    return label;
  }

  private String key(long index, ByteBuffer record) throws IOException {
    int length = record.getInt();
    if (length < 0 || length > record.remaining() - Integer.BYTES) {
      throw damaged(index, "its key cannot have %d bytes".formatted(length));
    }
    byte[] key = new byte[length];
    record.get(key);
    return new String(key, UTF_8);
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public List<FileRange> parts(long index) {
    return List.of(new FileRange(path, offset(index), length(index)));
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s, record %d at offset %d".formatted(path, index, offset(index));
  }

  @Override
  public String name() {
    return "%s(%s)".formatted(PackFormat.NAME, path);
  }

  @Override
  public String fingerprint() {
    return "%s:%s:%s".formatted(PackFormat.NAME, Long.toString(size()), Long.toHexString(checksum));
  }

  /** Compares the checksum of all records with the checksum in the file. */
  @Override
  public void checkStructure() throws IOException {
    CRC32 crc = new CRC32();
    for (long i = 0; i < size(); i++) {
      crc.update(record(i));
    }
    if (crc.getValue() != checksum) {
      throw FormatException.in(
          path,
          "the CRC-32 of its records is %x, but %x is recorded"
              .formatted(crc.getValue(), checksum));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
