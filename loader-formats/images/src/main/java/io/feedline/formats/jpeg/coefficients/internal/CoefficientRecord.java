package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.BAND_ENTRY;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.GROUP_ENTRY;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.HEADER_AT;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.HEADER_LENGTH_AT;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.VERSION;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.VERSION_AT;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.u16;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.u32;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.McuGrid;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A coefficient record whose header has been read; {@link CoefficientLayout} describes its form.
 * Its bytes are in an array, which is not copied, or else the needed bands are read from a {@link
 * Source}. While the bytes stay unchanged, a record is immutable, and as thread-safe as its source.
 */
public final class CoefficientRecord {

  /** The number of bytes that are read first: more than the header of nearly all photographs. */
  private static final int BEGINNING = 2048;

  /** The whole record or, with a source, at least its beginning up to the first band. */
  private final byte[] data;

  /** The source of the bands; null if the whole record is in the array. */
  private final Source source;

  private final int length;
  private final JpegImage header;
  private final int bandsAt;
  private final int bands;
  private final int groups;

  @FunctionalInterface
  public interface Source {
    void read(int position, byte[] target, int offset, int length) throws IOException;
  }

  private CoefficientRecord(byte[] beginning, Source source, int length) throws IOException {
    this.source = source;
    this.length = length;
    if (!CoefficientLayout.hasMagic(beginning)) {
      throw new JpegException(
          "not a coefficient record: %d bytes that do not begin with 89 46 4C 43 0D 0A 1A 0A"
              .formatted(length),
          0);
    }
    byte[] data = beginning;
    int version = u16(data, VERSION_AT);
    if (version != VERSION) {
      throw new JpegException(otherVersion(version), VERSION_AT);
    }
    if (u16(data, CoefficientLayout.RESERVED_AT) != 0) {
      throw damaged(
          CoefficientLayout.RESERVED_AT,
          "%04X where 0000 is expected".formatted(u16(data, CoefficientLayout.RESERVED_AT)));
    }
    requireLength(data);
    long headerLength = u32(data, HEADER_LENGTH_AT);
    long count = u32(data, CoefficientLayout.BANDS_AT);
    long firstBand = HEADER_AT + headerLength + BAND_ENTRY * count;
    if (firstBand > length) {
      throw damaged(
          HEADER_LENGTH_AT,
          "a JPEG's header of %d bytes and %d bands do not fit into %d bytes"
              .formatted(headerLength, count, length));
    }
    bandsAt = HEADER_AT + (int) headerLength;
    bands = (int) count;
    if (firstBand > data.length) {
      data = Arrays.copyOf(data, (int) firstBand);
      source.read(beginning.length, data, beginning.length, data.length - beginning.length);
    }
    this.data = data;
    requireChecksum();
    header = JpegImage.parse(data, HEADER_AT, bandsAt);
    if (header.unsupported() != null) {
      throw new JpegException(
          "the coefficient record has the header of a JPEG that none is made of: "
              + header.unsupported(),
          HEADER_AT);
    }
    if (header.scanStart() != bandsAt) {
      throw damaged(
          header.scanStart(),
          "%d bytes behind the JPEG's header".formatted(bandsAt - header.scanStart()));
    }
    groups = CoefficientLayout.groups(header.grid());
    requireBands();
  }

  /**
   * Reads the header of a whole record, and verifies its checksum.
   *
   * @throws JpegException if the data are not a record, the version is unknown, the record is
   *     truncated, or its header is damaged
   */
  public static CoefficientRecord parse(byte[] data) throws JpegException {
    try {
      return new CoefficientRecord(data, null, data.length);
    } catch (JpegException damaged) {
      throw damaged;
    } catch (IOException impossible) {
      throw new AssertionError("nothing is read but the array", impossible);
    }
  }

  /**
   * Reads the header of a record of {@code length} bytes, and verifies its checksum.
   *
   * @throws JpegException for the same reasons as {@link #parse(byte[])}
   */
  public static CoefficientRecord parse(int length, Source source) throws IOException {
    byte[] beginning = new byte[Math.min(length, BEGINNING)];
    source.read(0, beginning, 0, beginning.length);
    return new CoefficientRecord(beginning, source, length);
  }

  /**
   * Returns the number of bytes, from a record's beginning, up to the end of its JPEG's header.
   * {@code beginning} is the first bytes of the record.
   */
  public static long headerBytes(byte[] beginning) {
    return beginning.length < HEADER_AT
        ? beginning.length
        : HEADER_AT + u32(beginning, HEADER_LENGTH_AT);
  }

  /**
   * Returns the record of a JPEG, without restart markers and the bytes after the JPEG's end (EOI).
   * Returns empty for an image that must stay unchanged: not a JPEG, damaged, or of a kind that
   * {@link JpegImage#unsupported} names.
   */
  public static Optional<byte[]> of(byte[] jpeg) {
    try {
      JpegImage image = JpegImage.parse(jpeg);
      return image.unsupported() == null
          ? Optional.of(new CoefficientEncoder(image).encode())
          : Optional.empty();
    } catch (JpegException damaged) {
      // Decoding the unchanged image will report the damage.
      return Optional.empty();
    }
  }

  /**
   * Returns a JPEG with the pixels, header, quantizers and coefficients of the JPEG from which the
   * record was made. Padding may differ. Huffman tables are replaced if one of them lacks a needed
   * code.
   *
   * @throws JpegException if the record is damaged
   */
  public byte[] toJpeg() throws JpegException {
    return new JpegEncoder(this).encode();
  }

  public static String otherVersion(int version) {
    return "the coefficient record is of version %d, and this Feedline reads version %d: use a newer one, or convert the images again"
        .formatted(version, VERSION);
  }

  public int width() {
    return header.width();
  }

  public int height() {
    return header.height();
  }

  byte[] data() {
    if (source != null) {
      throw new IllegalStateException("the record is not in memory as a whole");
    }
    return data;
  }

  /** Returns whether {@link #data} is the whole record; otherwise {@link #load} reads bands. */
  boolean inMemory() {
    return source == null;
  }

  /**
   * Reads a band from the source into {@code room}, which is the result of an earlier call or an
   * empty array. Returns {@code room} or a larger array. The returned array begins with the band,
   * and has {@link CoefficientLayout#REACH} more bytes after the band.
   */
  byte[] load(int band, byte[] room) throws JpegException {
    int from = bandStart(band);
    int bytes = bandStart(band + 1) - from;
    byte[] target = room;
    if (target.length - CoefficientLayout.REACH < bytes) {
      target = new byte[bytes + bytes / 4 + CoefficientLayout.REACH];
    }
    try {
      source.read(from, target, 0, bytes);
      return target;
    } catch (IOException e) {
      JpegException unreadable =
          new JpegException(
              "band %d of the coefficient record cannot be read: %s"
                  .formatted(band, e.getMessage()),
              from);
      unreadable.initCause(e);
      throw unreadable;
    }
  }

  public boolean rgb() {
    return header.rgb();
  }

  /** Returns the header of the JPEG; offsets in it count from the beginning of the record. */
  JpegImage header() {
    return header;
  }

  int bands() {
    return bands;
  }

  int groups() {
    return groups;
  }

  /**
   * Verifies a band's checksum, and finds its groups.
   *
   * @param bytes {@link #data} if the record is in memory, otherwise the result of {@link #load}
   * @param ends the array that receives the start of the first group, then the end of each group
   * @throws JpegException if the checksum does not match, or the groups do not end where the band
   *     does
   */
  void openBand(int band, byte[] bytes, int[] ends) throws JpegException {
    int start = bandStart(band);
    int from = start - origin(band);
    int to = bandStart(band + 1) - origin(band);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, to - from);
    long expected = u32(data, bandsAt + BAND_ENTRY * band + 4);
    if (checksum.getValue() != expected) {
      throw new JpegException(
          "the coefficient record is damaged: the checksum of band %d of %d, %d bytes, is %08X, expected %08X"
              .formatted(band, bands, to - from, checksum.getValue(), expected),
          start);
    }
    int end = from + GROUP_ENTRY * groups;
    ends[0] = end;
    for (int group = 0; group < groups; group++) {
      end += u16(bytes, from + GROUP_ENTRY * group);
      ends[group + 1] = end;
    }
    if (end != to) {
      throw damaged(
          start,
          "the groups of band %d end at byte %d, expected %d"
              .formatted(band, start + end - from, start + to - from));
    }
  }

  /** Returns the offset in the record at which the bytes for {@link #openBand} begin. */
  int origin(int band) {
    return inMemory() ? 0 : bandStart(band);
  }

  /**
   * Returns the start of a band; if {@code band} is the number of bands, the end of the last band.
   * The start lies within the record, and is never less than the start of the band before.
   */
  private int bandStart(int band) {
    return band == 0
        ? bandsAt + BAND_ENTRY * bands
        : (int) u32(data, bandsAt + BAND_ENTRY * (band - 1));
  }

  private void requireLength(byte[] data) throws JpegException {
    long expected = u32(data, CoefficientLayout.LENGTH_AT);
    if (expected != length) {
      throw damaged(
          CoefficientLayout.LENGTH_AT, "it has %d bytes, expected %d".formatted(length, expected));
    }
  }

  private void requireChecksum() throws JpegException {
    CRC32C checksum = checksum(data, bandsAt + BAND_ENTRY * bands);
    long expected = u32(data, CoefficientLayout.CHECKSUM_AT);
    if (checksum.getValue() != expected) {
      throw damaged(
          CoefficientLayout.CHECKSUM_AT,
          "the checksum of its header is %08X, expected %08X"
              .formatted(checksum.getValue(), expected));
    }
  }

  static CRC32C checksum(byte[] data, int end) {
    CRC32C checksum = new CRC32C();
    checksum.update(data, 0, CoefficientLayout.CHECKSUM_AT);
    checksum.update(data, HEADER_AT, end - HEADER_AT);
    return checksum;
  }

  /** Checks the bands' bounds and lengths, so that a short record cannot claim a huge image. */
  private void requireBands() throws JpegException {
    McuGrid grid = header.grid();
    if (bands != CoefficientLayout.bands(grid)) {
      throw damaged(
          CoefficientLayout.BANDS_AT,
          "%d bands for %d rows of MCUs, expected %d"
              .formatted(bands, grid.rows(), CoefficientLayout.bands(grid)));
    }
    long least =
        (long) groups * (GROUP_ENTRY + CoefficientLayout.MIN_SET * grid.sampling().blocksPerMcu());
    long from = bandStart(0);
    for (int band = 0; band < bands; band++) {
      int at = bandsAt + BAND_ENTRY * band;
      long end = u32(data, at);
      if (end < from + least || end > length) {
        throw new JpegException(
            "the coefficient record is damaged: band %d begins at byte %d and ends at byte %d, expected %d to %d"
                .formatted(band, from, end, from + least, length),
            at);
      }
      from = end;
    }
    if (from != length) {
      throw damaged(bandsAt, "bands end at byte %d, expected %d".formatted(from, length));
    }
  }

  private static JpegException damaged(int at, String what) {
    return new JpegException("the coefficient record is damaged: " + what, at);
  }
}
