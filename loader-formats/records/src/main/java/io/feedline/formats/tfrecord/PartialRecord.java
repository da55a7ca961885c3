package io.feedline.formats.tfrecord;

import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.BitSet;

/** A record whose pages are read from the file when they are first accessed. Not thread-safe. */
final class PartialRecord {

  private static final int PAGE_BYTES = 1 << 12;

  /** The bytes of a page of a remote file: more than {@code FarChannel} counts as a small read. */
  private static final int PAGE_BYTES_FAR = 1 << 13;

  private final OpenFiles files;
  private final Path file;
  private final long offset;
  private final byte[] array;
  private final int pageBytes;
  private final BitSet pages = new BitSet();

  /** Takes the offset of the record's header in the file, and its length with header and footer. */
  PartialRecord(OpenFiles files, Path file, long offset, int length) throws IOException {
    this.files = files;
    this.file = file;
    this.offset = offset;
    this.array = new byte[length];
    this.pageBytes = files.isFar(file) ? PAGE_BYTES_FAR : PAGE_BYTES;
  }

  byte[] array() {
    return array;
  }

  int from() {
    return RecordLayout.HEADER_BYTES;
  }

  int to() {
    return array.length - RecordLayout.FOOTER_BYTES;
  }

  /** Reads the missing pages of a part; throws {@link UncheckedIOException} on failure. */
  void fill(int begin, int end) {
    for (int page = begin / pageBytes; page * pageBytes < end; page++) {
      if (!pages.get(page)) {
        int at = page * pageBytes;
        try {
          files.read(file, offset + at, array, at, Math.min(pageBytes, array.length - at));
        } catch (IOException unreadable) {
          throw new UncheckedIOException(unreadable);
        }
        pages.set(page);
      }
    }
  }
}
