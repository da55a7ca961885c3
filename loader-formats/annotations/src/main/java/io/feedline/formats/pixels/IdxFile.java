package io.feedline.formats.pixels;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.Unpacked;
import io.feedline.formats.store.internal.shards.QuickFingerprint;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * An array of bytes in an IDX file, compressed by gzip or not: {@code 0, 0, type, rank}, the
 * lengths as big-endian numbers of 32 bits, then the elements.
 *
 * @param content the decompressed file; null: it is not compressed, and is read by position
 */
record IdxFile(Path path, List<Integer> lengths, byte @Nullable [] content, String checksum) {

  static final int UNSIGNED_BYTE = 8;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

  /** The element types that the IDX format defines and this class does not read, for errors. */
  private static final String OTHER_TYPES =
      "9: signed bytes, 11: 16 bits, 12: 32 bits, 13: float, 14: double";

  /**
   * Opens a file and checks its header.
   *
   * @param rank the expected number of axes
   * @param what the expected content, for errors
   * @throws FormatException if type or rank is unexpected, or the size does not match the lengths
   */
  static IdxFile open(OpenFiles files, Path file, int rank, String what) throws IOException {
    ByteBuffer head = head(files, file);
    return head.remaining() >= 2 && head.getShort(0) == 0x1f8b
        ? inflate(file, rank, what)
        : plain(files, file, rank, what);
  }

  private static ByteBuffer head(OpenFiles files, Path file) throws IOException {
    return PixelStore.head(files, file, (int) Math.min(4 + 4L * 255, files.size(file)));
  }

  int start() {
    return 4 + 4 * lengths.size();
  }

  /** Returns the product of all lengths but the first: the pixels of an image. */
  int elements() {
    int elements = 1;
    for (int length : lengths.subList(1, lengths.size())) {
      elements *= length;
    }
    return elements;
  }

  byte[] data(OpenFiles files) throws IOException {
    byte[] data = new byte[lengths.get(0) * elements()];
    if (content == null) {
      files.read(path, start(), data, 0, data.length);
    } else {
      System.arraycopy(content, start(), data, 0, data.length);
    }
    return data;
  }

  private static IdxFile plain(OpenFiles files, Path file, int rank, String what)
      throws IOException {
    List<Integer> lengths = lengths(file, head(files, file), rank, what);
    long size = files.size(file);
    long expected = size(lengths);
    if (size != expected) {
      throw FormatException.in(
          file,
          "it has %d bytes, but %d where the lengths are %s".formatted(size, expected, lengths));
    }
    return new IdxFile(file, lengths, null, QuickFingerprint.textOf(files, file, size));
  }

  private static long size(List<Integer> lengths) {
    long elements = 1;
    for (int length : lengths) {
      elements *= length;
    }
    return 4 + 4L * lengths.size() + elements;
  }

  private static IdxFile inflate(Path file, int rank, String what) throws IOException {
    try (InputStream packed = OpenFile.of(file).stream();
        InputStream in = Unpacked.gzip(packed)) {
      ByteBuffer head = ByteBuffer.wrap(in.readNBytes(4 + 4 * rank));
      List<Integer> lengths = lengths(file, head, rank, what);
      long expected = size(lengths);
      // While the file is read, its bytes are in memory twice: as pieces and as an array.
      long most = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 4);
      if (expected > most) {
        throw FormatException.in(
            file,
            "its lengths %s are %d bytes, but at most %d are decompressed into memory, a quarter of the heap; decompress it with gunzip, or give the JVM more (-Xmx)"
                .formatted(lengths, expected, most));
      }
      // Memory is taken for the bytes actually read, not for the size in the header.
      byte[] rest = in.readNBytes((int) expected - head.capacity());
      if (head.capacity() + rest.length != expected || in.read() >= 0) {
        throw FormatException.in(
            file,
            "it has %s than the %d bytes that the lengths %s tell"
                .formatted(
                    head.capacity() + rest.length < expected ? "fewer" : "more",
                    expected,
                    lengths));
      }
      byte[] content = new byte[(int) expected];
      head.rewind().get(content, 0, head.capacity());
      System.arraycopy(rest, 0, content, head.capacity(), rest.length);
      CRC32C crc = new CRC32C();
      crc.update(content);
      return new IdxFile(
          file, lengths, content, String.format(Locale.ROOT, "%08x", crc.getValue()));
    } catch (ZipException | EOFException damaged) {
      throw FormatException.in(
          file, "its gzip data are damaged or cut off: " + damaged.getMessage(), damaged);
    }
  }

  private static List<Integer> lengths(Path file, ByteBuffer head, int rank, String what)
      throws FormatException {
    if (head.remaining() < 4 + 4 * rank || head.getShort(0) != 0) {
      throw FormatException.in(
          file, "this is not an IDX file of %s: it begins with other bytes".formatted(what));
    }
    if (head.get(2) != UNSIGNED_BYTE || head.get(3) != rank) {
      throw FormatException.in(
          file,
          "an array of type %d and rank %d, but %s are of type 8, unsigned bytes, and rank %d (%s)"
              .formatted(head.get(2), head.get(3), what, rank, OTHER_TYPES));
    }
    List<Integer> lengths = new ArrayList<>();
    long elements = 1;
    for (int i = 0; i < rank; i++) {
      int length = head.getInt(4 + 4 * i);
      lengths.add(length);
      // The first length may be 0: a data set without images.
      boolean possible = length > 0 || (length == 0 && i == 0);
      elements = possible && (i == 0 || elements * length < 1L << 40) ? elements * length : -1;
      if (elements < 0 || (i > 0 && length > 1 << 15)) {
        throw FormatException.in(
            file, "the lengths %s cannot be those of %s".formatted(lengths, what));
      }
    }
    return lengths;
  }
}
