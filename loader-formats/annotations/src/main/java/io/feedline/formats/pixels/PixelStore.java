package io.feedline.formats.pixels;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.formats.store.internal.shards.Shards;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Images in records of constant length, in one file or several. */
final class PixelStore implements ImageStore {

  private final String format;
  private final Path path;
  private final OpenFiles files;
  private final List<RecordFile> parts;
  private final Shards shards;
  private final Layout layout;
  private final ClassList classes;
  private final String fingerprint;
  private volatile boolean closed;

  /**
   * @param start the offset of the first record, in bytes
   * @param content the decompressed file; null: it is not compressed, and is read by position
   */
  record RecordFile(Path path, int start, long count, byte @Nullable [] content) {

    void read(OpenFiles files, long offset, byte[] target) throws IOException {
      if (content == null) {
        files.read(path, offset, target, 0, target.length);
      } else {
        System.arraycopy(content, (int) offset, target, 0, target.length);
      }
    }
  }

  /**
   * @param labelBytes the number of bytes of labels, which precede the pixels
   * @param labelAt the offset of the label in a record
   * @param labels the labels by index, if another file contains them; null if records contain them,
   *     or images have no labels
   * @param planes the number of planes, one after the other: 1 for gray, 3 for red, green and blue
   */
  record Layout(
      int bytes,
      int labelBytes,
      int labelAt,
      byte @Nullable [] labels,
      int width,
      int height,
      int planes) {

    /** Returns the pixels of a record as PGM or PPM. */
    byte[] image(byte[] record) {
      byte[] header =
          (planes == 1 ? "P5 " : "P6 ").concat(width + " " + height + " 255\n").getBytes(US_ASCII);
      int pixels = width * height;
      byte[] image = Arrays.copyOf(header, header.length + planes * pixels);
      int at = header.length;
      for (int i = 0; i < pixels; i++) {
        for (int plane = 0; plane < planes; plane++) {
          image[at++] = record[labelBytes + plane * pixels + i];
        }
      }
      return image;
    }
  }

  /**
   * @param format the name of the class that opens the store
   * @param path the file or directory that the store was opened with
   * @param files the open files, which this store closes
   */
  PixelStore(
      String format,
      Path path,
      OpenFiles files,
      List<RecordFile> parts,
      Layout layout,
      List<String> classes,
      String fingerprint) {
    this.format = format;
    this.path = path;
    this.files = files;
    this.parts = List.copyOf(parts);
    this.shards = Shards.of(parts.stream().mapToLong(RecordFile::count).toArray());
    this.layout = layout;
    this.classes = new ClassList(classes, 0);
    this.fingerprint = fingerprint;
  }

  @Override
  public long size() {
    return shards.samples();
  }

  private RecordFile part(long index) {
    return parts.get(shards.shardOf(index));
  }

  private long offset(long index) {
    int shard = shards.shardOf(index);
    return parts.get(shard).start() + (long) layout.bytes() * shards.indexIn(shard, index);
  }

  private byte[] bytes(long index, int length) throws IOException {
    byte[] bytes = new byte[length];
    RecordFile part = part(index);
    if (closed) {
      throw new IllegalStateException(name() + " is read after it was closed");
    }
    part.read(files, offset(index), bytes);
    return bytes;
  }

  @Override
  public String key(long index) {
    return NumberedKeys.padded(Objects.checkIndex(index, size()), size());
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    byte[] record = bytes(index, layout.bytes());
    return new EncodedImage(
        key(index),
        layout.image(record),
        label(index, record),
        layout.planes() == 1 ? "pgm" : "ppm");
  }

  @Override
  public int label(long index) throws IOException {
    // If another file has the labels, this reads 0 bytes, only to check that the image exists.
    return label(index, bytes(index, layout.labels() == null ? layout.labelBytes() : 0));
  }

  private int label(long index, byte[] record) throws FormatException {
    if (layout.labels() == null && layout.labelBytes() == 0) {
      return EncodedImage.NO_LABEL;
    }
    byte label = layout.labels() == null ? record[layout.labelAt()] : layout.labels()[(int) index];
    try {
      return classes.index(Byte.toUnsignedInt(label));
    } catch (FormatException noClass) {
      throw noClass.at(describe(index));
    }
  }

  @Override
  public Optional<FileRange> range(long index) {
    RecordFile part = part(index);
    return part.content() == null
        ? Optional.of(new FileRange(part.path(), offset(index), layout.bytes()))
        : Optional.empty();
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    return files.openRange(range);
  }

  @Override
  public List<String> classes() {
    return classes.names();
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path path(long index) {
    return part(index).path();
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int shard = shards.shardOf(index);
    return "%s, image %d".formatted(parts.get(shard).path(), shards.indexIn(shard, index));
  }

  @Override
  public String name() {
    return format + "(" + path + ")";
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public long[] shardSizes() {
    return shards.sizes();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    files.close();
  }

  static ByteBuffer head(OpenFiles files, Path file, int bytes) throws IOException {
    byte[] head = new byte[bytes];
    files.read(file, 0, head, 0, bytes);
    return ByteBuffer.wrap(head);
  }
}
