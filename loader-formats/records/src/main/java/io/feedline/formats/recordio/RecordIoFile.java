package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class RecordIoFile implements Closeable {

  private final OpenFile file;
  private final long size;
  private final boolean far;

  private RecordIoFile(OpenFile file, long size, boolean far) {
    this.file = file;
    this.size = size;
    this.far = far;
  }

  static RecordIoFile open(Path path) throws IOException {
    OpenFile file = OpenFile.of(path);
    try {
      return new RecordIoFile(file, file.length(), file.files().isFar(path));
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  Path path() {
    return file.path();
  }

  OpenFiles files() {
    return file.files();
  }

  long size() {
    return size;
  }

  boolean isFar() {
    return far;
  }

  /** Reads a record, first its header: two reads are faster than a wrong guess at its length. */
  byte[] read(long position) throws IOException {
    int word = header(position, false);
    byte[] first = data(position, word);
    if (RecordIoLayout.kind(word) == RecordIoLayout.WHOLE) {
      return first;
    }
    ByteArrayOutputStream record = new ByteArrayOutputStream(2 * first.length);
    record.writeBytes(first);
    long next = position;
    while (RecordIoLayout.kind(word) != RecordIoLayout.LAST) {
      next += RecordIoLayout.partBytes(word);
      word = header(next, true);
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        record.write(RecordIoLayout.MAGIC >>> shift);
      }
      record.writeBytes(data(next, word));
      if (record.size() > RecordIoLayout.MAX_RECORD_BYTES) {
        throw new FormatException(
            "the record has more than %d bytes, as far as its part at %d"
                .formatted(RecordIoLayout.MAX_RECORD_BYTES, next));
      }
    }
    return record.toByteArray();
  }

  /** Returns the place of the data of a record; empty for a record in several parts. */
  Optional<FileRange> locate(long position) throws IOException {
    int word = header(position, false);
    FileRange place = place(position, word);
    return RecordIoLayout.kind(word) == RecordIoLayout.WHOLE
        ? Optional.of(place)
        : Optional.empty();
  }

  byte[] read(FileRange place, int length) throws IOException {
    byte[] data = new byte[(int) Math.min(length, place.length())];
    file.read(place.offset(), data, 0, data.length);
    return data;
  }

  /**
   * Returns the offset in the file where the record at a position ends. It is beyond the file's end
   * if the record is cut off, and negative if a header is damaged or missing.
   */
  long end(long position) throws IOException {
    long next = position;
    try {
      int word = header(next, false);
      while (RecordIoLayout.kind(word) == RecordIoLayout.FIRST
          || RecordIoLayout.kind(word) == RecordIoLayout.MIDDLE) {
        next += RecordIoLayout.partBytes(word);
        word = header(next, true);
      }
      return next + RecordIoLayout.partBytes(word);
    } catch (FormatException damaged) {
      return -1;
    }
  }

  private int header(long position, boolean within) throws IOException {
    if (position > size - RecordIoLayout.HEADER_BYTES) {
      throw new FormatException(
          "a part is expected at %d, but the file has %d bytes".formatted(position, size));
    }
    byte[] header = new byte[RecordIoLayout.HEADER_BYTES];
    file.read(position, header, 0, header.length);
    int magic = RecordIoLayout.u32(header, 0);
    if (magic != RecordIoLayout.MAGIC) {
      throw new FormatException(
          "there is %08x at %d where the magic number %08x is expected"
              .formatted(magic, position, RecordIoLayout.MAGIC));
    }
    int word = RecordIoLayout.u32(header, Integer.BYTES);
    String problem = problemOfKind(RecordIoLayout.kind(word), within);
    if (problem != null) {
      throw new FormatException("%s, at %d".formatted(problem, position));
    }
    return word;
  }

  /** Describes why a part's kind is wrong, {@code within} a record or not; null if it is right. */
  static @Nullable String problemOfKind(int kind, boolean within) {
    if (kind > RecordIoLayout.LAST) {
      return "there is no part of kind " + kind;
    }
    boolean continues = kind == RecordIoLayout.MIDDLE || kind == RecordIoLayout.LAST;
    if (continues == within) {
      return null;
    }
    return within
        ? "a record begins where the one before is not complete"
        : "a record begins with a part of kind %d, which is a later one".formatted(kind);
  }

  private byte[] data(long position, int word) throws IOException {
    FileRange place = place(position, word);
    return read(place, (int) place.length());
  }

  private FileRange place(long position, int word) throws FormatException {
    int length = RecordIoLayout.length(word);
    long begin = position + RecordIoLayout.HEADER_BYTES;
    int padding = RecordIoLayout.padded(length) - length;
    if (length + padding > size - begin) {
      throw new FormatException(
          "the part at %d has %d bytes%s, but the file ends after %d"
              .formatted(
                  position,
                  length,
                  padding == 0 ? "" : " and %d of padding".formatted(padding),
                  size - begin));
    }
    return new FileRange(path(), begin, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
