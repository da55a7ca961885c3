package io.feedline.formats.jpeg.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A recorder of a {@link ScanIndex} while a {@link ScanReader} reads all MCUs of an image. */
final class ScanIndexRecorder {

  /** The bytes of a JPEG that is too long for an index: positions count bits, in 32 bits. */
  private static final long MAX_JPEG_BYTES = 1L << 29;

  private static final int GUESSED_ENTRY_BYTES = 6;

  private final JpegImage image;
  private final int components;
  private final int columns;
  private final int mcusPerEntry;
  private final int[] lastPredictions = new int[3];
  private ByteBuffer bytes;
  private long lastBit;

  /** Begins an index; throws if the file is too long for an index. */
  ScanIndexRecorder(JpegImage image, int mcusPerEntry) throws JpegException {
    if (mcusPerEntry < 1 || mcusPerEntry > ScanIndex.MAX_MCUS_PER_ENTRY) {
      throw new IllegalArgumentException(
          "mcusPerEntry must be 1 to %d: %d".formatted(ScanIndex.MAX_MCUS_PER_ENTRY, mcusPerEntry));
    }
    if (image.data().length >= MAX_JPEG_BYTES) {
      throw new JpegException(
          "a JPEG of %d bytes is too long for an index".formatted(image.data().length));
    }
    this.image = image;
    this.mcusPerEntry = mcusPerEntry;
    McuGrid grid = image.grid();
    components = grid.sampling().components();
    columns = grid.columns();
    int entriesPerRow = (columns - 1) / mcusPerEntry;
    int table = ScanIndex.HEADER_BYTES + grid.rows() * ScanIndex.rowBytes(components);
    long entries = (long) entriesPerRow * grid.rows();
    int guess = (int) Math.min(entries * GUESSED_ENTRY_BYTES, image.data().length);
    bytes = ByteBuffer.allocate(table + guess).order(ByteOrder.LITTLE_ENDIAN).position(table);
  }

  /** Records that an MCU is next; returns the number of MCUs to read before the next call. */
  int arriveAt(int mcu, ScanReader reader) {
    int column = mcu % columns;
    if (column == 0) {
      startRow(mcu / columns, reader);
    } else if (column % mcusPerEntry == 0) {
      addEntry(reader);
    }
    return mcusPerEntry - column % mcusPerEntry;
  }

  private void startRow(int row, ScanReader reader) {
    int at = ScanIndex.HEADER_BYTES + row * ScanIndex.rowBytes(components);
    remember(reader);
    bytes.putInt(at, (int) lastBit);
    bytes.putInt(at + Integer.BYTES, bytes.position());
    for (int c = 0; c < components; c++) {
      bytes.putShort(at + 2 * Integer.BYTES + c * Short.BYTES, (short) lastPredictions[c]);
    }
  }

  private void addEntry(ScanReader reader) {
    if (bytes.remaining() < ScanIndex.MAX_VARINT_BYTES * (1 + components)) {
      byte[] larger = Arrays.copyOf(bytes.array(), bytes.capacity() + (bytes.capacity() >> 1) + 64);
      bytes = ByteBuffer.wrap(larger).order(ByteOrder.LITTLE_ENDIAN).position(bytes.position());
    }
    putVarint((int) (reader.bitPosition() - lastBit));
    for (int c = 0; c < components; c++) {
      int difference = reader.predictions()[c] - lastPredictions[c];
      putVarint((difference << 1) ^ (difference >> 31));
    }
    remember(reader);
  }

  private void remember(ScanReader reader) {
    lastBit = reader.bitPosition();
    System.arraycopy(reader.predictions(), 0, lastPredictions, 0, components);
  }

  private void putVarint(int value) {
    int rest = value;
    while (rest > 127) {
      bytes.put((byte) (rest | 128));
      rest >>>= 7;
    }
    bytes.put((byte) rest);
  }

  /** Completes the index after the last MCU has been read, and returns it. */
  ScanIndex finish(ScanReader reader) throws JpegException {
    ByteBuffer whole =
        ByteBuffer.wrap(Arrays.copyOf(bytes.array(), bytes.position()))
            .order(ByteOrder.LITTLE_ENDIAN);
    whole
        .putInt(ScanIndex.MAGIC)
        .put((byte) ScanIndex.VERSION)
        .put((byte) components)
        .putShort((short) mcusPerEntry)
        .putInt(image.data().length)
        .putInt(ScanIndex.crc(image.data()))
        .putShort((short) columns)
        .putShort((short) image.grid().rows())
        .putInt((int) reader.bitPosition())
        .putInt(whole.limit());
    whole.putInt(ScanIndex.crc(whole.duplicate().clear()));
    return ScanIndex.of(whole.clear());
  }
}
