package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.internal.Cancellation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the entries of a tar archive: USTAR and its predecessor, GNU's long names and
 * base-256 sizes, and PAX headers. Commons-compress is not used: it cannot begin in the middle of
 * an archive, nor report the offset of an entry's first extension header.
 *
 * <p>Only zeros may follow the end mark: otherwise the second archive of {@code cat a.tar b.tar}
 * would be ignored. After an exception there are no more entries, since the place of the next
 * header is not known.
 */
final class TarReader implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(TarReader.class);

  /** The largest size of a long name or of PAX records; a larger extension header is damaged. */
  private static final int MAX_EXTENSION = 1 << 20;

  private static final int FIRST_READ = 1 << 20;

  /** The largest number of zeros read after the end, so that every read of an archive ends. */
  private static final int MOST_PADDING = 1 << 20;

  private enum State {
    AT_HEADER,
    AT_DATA,
    ENDED
  }

  /** An entry; {@code start} is the offset of its first header, extension headers included. */
  record Entry(long number, String name, long start, long size, boolean regular) {}

  private final TarInput in;
  private final Path shard;
  private final byte[] header = new byte[TarLayout.BLOCK];
  private State state = State.AT_HEADER;
  private Entry entry;
  private long entries;

  /** The offset of the block of zeros at the end; -1 before the block is found. */
  private long endMark = -1;

  /** The offset behind the block of zeros; negative before the block is found. */
  private long end = -1;

  private boolean endChecked;

  TarReader(TarInput in, Path shard) {
    this.in = in;
    this.shard = shard;
  }

  /** Moves to the next entry, past data that was not read; returns null at the end. */
  @Nullable Entry next() throws IOException {
    try {
      if (state == State.AT_DATA) {
        skipData(TarLayout.padded(entry.size()));
      }
      if (state == State.ENDED) {
        return null;
      }
      entry = readEntry();
      state = entry == null ? State.ENDED : State.AT_DATA;
      return entry;
    } catch (IOException | RuntimeException failure) {
      state = State.ENDED;
      endChecked = true;
      throw failure;
    }
  }

  long dataStart() {
    return in.position();
  }

  byte[] data(long limit) throws IOException {
    if (state != State.AT_DATA) {
      throw new IllegalStateException("the data of an entry is read once, after next()");
    }
    if (entry.size() > Math.min(limit, Integer.MAX_VALUE - 8)) {
      // The entry is passed over by next(): the archive continues behind it.
      throw FormatException.in(
          shard,
          "%s has %d bytes, with which its sample exceeds maxSampleBytes (%d left)"
              .formatted(place(entry), entry.size(), limit));
    }
    try {
      byte[] data = readData((int) entry.size());
      skipData(TarLayout.padded(entry.size()) - entry.size());
      state = State.AT_HEADER;
      return data;
    } catch (IOException | RuntimeException failure) {
      state = State.ENDED;
      endChecked = true;
      throw failure;
    }
  }

  long position() {
    return end < 0 ? in.position() : end;
  }

  /** Checks that only padding follows the end; this also reads the checksum of compressed data. */
  void requireEnd() throws IOException {
    if (endChecked) {
      return;
    }
    endChecked = true;
    long marked = endMark;
    if (marked < 0) {
      LOG.warn("{} has no end mark: the archive may be shorter than it was meant to be", shard);
      return;
    }
    for (int passed = 0; passed < MOST_PADDING; passed += TarLayout.BLOCK) {
      long at = in.position();
      Arrays.fill(header, (byte) 0);
      if (in.read(header, 0, TarLayout.BLOCK) == 0) {
        return;
      }
      if (!isZero(header)) {
        throw failure(
            marked,
            "the archive ends here by a block of zeros, but %s at offset %d: these samples would be lost. %s"
                .formatted(
                    TarLayout.hasRightChecksum(header)
                        ? "another archive begins"
                        : "other bytes follow",
                    at,
                    "Write it again with 'tar --concatenate' or by unpacking with 'tar -i'"));
      }
    }
  }

  private Entry readEntry() throws IOException {
    long start = in.position();
    String longName = null;
    PaxRecords pax = PaxRecords.NONE;
    while (true) {
      Cancellation.checkWithin();
      long at = in.position();
      int read = in.read(header, 0, TarLayout.BLOCK);
      boolean extended = at > start;
      if (read == 0 && !extended && at > 0) {
        return null;
      }
      if (read < TarLayout.BLOCK) {
        throw failure(
            at, "the file ends %d bytes into a header of %d".formatted(read, TarLayout.BLOCK));
      }
      if (isZero(header)) {
        if (extended) {
          throw failure(at, "the archive ends behind an extension header that belongs to no entry");
        }
        endMark = at;
        end = in.position();
        return null;
      }
      if (!TarLayout.hasRightChecksum(header)) {
        throw failure(
            at,
            "no tar header: the checksum is wrong, or these are other data. Has the shard changed,"
                + " or is it compressed?");
      }
      char type = (char) (header[TarLayout.TYPE] & 0xFF);
      long size = TarLayout.number(header, TarLayout.SIZE, TarLayout.SIZE_LENGTH);
      if (size < 0) {
        throw failure(at, "the size in the header is not a number");
      }
      switch (type) {
        case TarLayout.GNU_LONG_NAME -> {
          byte[] name = extension(at, size);
          longName = TarLayout.string(name, 0, name.length);
        }
        case TarLayout.GNU_LONG_LINK -> extension(at, size);
        case TarLayout.PAX, TarLayout.PAX_SOLARIS -> pax = pax(at, size).over(pax);
        case TarLayout.PAX_GLOBAL -> {
          PaxRecords global = pax(at, size);
          if (global.path() != null || global.size() >= 0) {
            throw failure(at, "a global PAX header that gives all entries one path or size");
          }
        }
        default -> {
          return entry(start, at, type, size, longName, pax);
        }
      }
    }
  }

  private Entry entry(long start, long at, char type, long size, String longName, PaxRecords pax)
      throws FormatException {
    if (type == TarLayout.GNU_SPARSE || pax.sparse()) {
      throw failure(at, "a sparse file, which is not supported: write it without --sparse");
    }
    String name = pax.path() != null ? pax.path() : longName != null ? longName : plainName();
    long effective = TarLayout.hasNoData(type) ? 0 : pax.size() >= 0 ? pax.size() : size;
    // Before POSIX, a directory was a file whose name ended with a slash.
    boolean directory = type == TarLayout.REGULAR_BEFORE_POSIX && name.endsWith("/");
    return new Entry(entries++, name, start, effective, TarLayout.isRegular(type) && !directory);
  }

  private String plainName() {
    String name = TarLayout.string(header, TarLayout.NAME, TarLayout.NAME_LENGTH);
    if (!TarLayout.string(header, TarLayout.MAGIC, 6).equals("ustar")) {
      return name;
    }
    String prefix = TarLayout.string(header, TarLayout.PREFIX, TarLayout.PREFIX_LENGTH);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private PaxRecords pax(long at, long size) throws IOException {
    try {
      return PaxRecords.parse(extension(at, size));
    } catch (IllegalArgumentException e) {
      throw failure(at, "a broken PAX header: %s".formatted(e.getMessage()));
    }
  }

  private byte[] extension(long at, long size) throws IOException {
    if (size > MAX_EXTENSION) {
      throw failure(
          at,
          "an extension header of %d bytes; one of a name has at most %d"
              .formatted(size, MAX_EXTENSION));
    }
    byte[] data = new byte[(int) size];
    if (in.read(data, 0, data.length) < data.length) {
      throw failure(at, "the file ends in an extension header of %d bytes".formatted(size));
    }
    long padding = TarLayout.padded(size) - size;
    if (in.skip(padding) < padding) {
      throw failure(at, "the file ends behind an extension header of %d bytes".formatted(size));
    }
    return data;
  }

  /** Reads an entry's data; allocates memory for the bytes read, not for the size in the header. */
  private byte[] readData(int size) throws IOException {
    long known = in.remaining() == Long.MAX_VALUE ? FIRST_READ : in.remaining();
    byte[] data = new byte[(int) Math.min(size, known)];
    int read = 0;
    while (true) {
      read += in.read(data, read, data.length - read);
      if (read == size) {
        return data;
      }
      if (read < data.length) {
        throw endsEarly(read);
      }
      if (in.remaining() == 0) {
        throw endsEarly(read);
      }
      data = Arrays.copyOf(data, (int) Math.min(size, 2L * data.length));
    }
  }

  private void skipData(long length) throws IOException {
    long skipped = in.skip(length);
    if (skipped < length) {
      throw endsEarly(skipped);
    }
  }

  private FormatException endsEarly(long found) {
    return FormatException.in(
        shard,
        "%s has %d bytes of data and padding up to a block, but the file ends %d bytes further on:"
                .formatted(place(entry), entry.size(), found)
            + " it is truncated");
  }

  private String place(Entry entry) {
    return "entry %d '%s' at offset %d"
        .formatted(entry.number(), Names.shown(entry.name()), entry.start());
  }

  private FormatException failure(long at, String reason) {
    return FormatException.in(shard, "entry %d at offset %d: %s".formatted(entries, at, reason));
  }

  private static boolean isZero(byte[] block) {
    for (byte each : block) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    state = State.ENDED;
    in.close();
  }
}
