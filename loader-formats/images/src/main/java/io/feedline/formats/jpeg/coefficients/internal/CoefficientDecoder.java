package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.COLUMNS;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.REACH;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.ROWS;

import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.JpegDecoder;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.McuTables;
import io.feedline.formats.jpeg.internal.PixelPlanes;
import io.feedline.formats.jpeg.internal.RegionDecoder;
import io.feedline.formats.jpeg.internal.Sampling;
import java.util.Arrays;

/**
 * A decoder of rectangles of {@linkplain CoefficientRecord coefficient records}, to the pixels to
 * which {@link JpegDecoder} decodes the record's JPEG. It decodes only the groups (8 x 2 MCUs) that
 * the rectangle touches, and verifies the checksums of their bands (rows of groups). Each thread
 * needs its own decoder; a decoder is usable after an exception.
 */
public final class CoefficientDecoder extends RegionDecoder {

  private static final int MAX_COMPONENTS = 3;

  private final SetKernels kernels;
  private final long[][] places = new long[MAX_COMPONENTS][64];

  /** For each 16 blocks, the number of places (zigzag indexes), from 0 on, that may not be 0. */
  private final int[] filled = new int[Coefficients.BLOCKS / LANES];

  private final int[] groupColumns = new int[filled.length];
  private final int[] groupRows = new int[filled.length];
  private int[] ends = new int[64];
  private byte[] tail = new byte[0];
  private byte[] loaded = new byte[0];
  private CoefficientRecord record;
  private byte[] bytes;
  private int pending;

  public CoefficientDecoder() {
    this(new PixelPlanes(), SetKernels.create());
  }

  CoefficientDecoder(PixelPlanes planes, SetKernels kernels) {
    super(planes);
    this.kernels = kernels;
  }

  /**
   * Decodes a rectangle; {@link #read} then returns its pixels.
   *
   * @param scale the divisor of the image's sides, 1, 2, 4 or 8, see {@link JpegDecoder#scale}; the
   *     rectangle lies in the smaller image
   * @throws JpegException if a part of the record that has to be read is damaged
   * @throws IndexOutOfBoundsException if the rectangle is not within the smaller image
   */
  public void decode(CoefficientRecord record, int scale, int x, int y, int width, int height)
      throws JpegException {
    forget();
    this.record = record;
    JpegImage header = record.header();
    for (int c = 0; c < header.grid().sampling().components(); c++) {
      McuTables.fillPlaces(places[c], header.component(c).quantizers());
    }
    planes.begin(header.grid(), scale, header.rgb(), x, y, width, height, 1);
    beginBatches();
    if (ends.length <= record.groups()) {
      ends = new int[record.groups() + 1];
    }
    int lastBand = (planes.mcuBottom() - 1) / ROWS;
    for (int band = planes.mcuTop() / ROWS; band <= lastBand; band++) {
      if (record.inMemory()) {
        bytes = record.data();
      } else {
        loaded = record.load(band, loaded);
        bytes = loaded;
      }
      record.openBand(band, bytes, ends);
      int lastGroup = (planes.mcuRight() - 1) / COLUMNS;
      for (int group = planes.mcuLeft() / COLUMNS; group <= lastGroup; group++) {
        add(band, group);
      }
    }
    flush();
    bytes = null;
    finish(width, height);
  }

  private void beginBatches() {
    int blocks = record.header().grid().sampling().blocksPerMcu();
    int across = (planes.mcuRight() - 1) / COLUMNS - planes.mcuLeft() / COLUMNS + 1;
    int down = (planes.mcuBottom() - 1) / ROWS - planes.mcuTop() / ROWS + 1;
    long groups = Math.min(Coefficients.BLOCKS / (LANES * blocks), (long) across * down);
    planes.coefficients().begin((int) groups * LANES);
    Arrays.fill(filled, 0);
    pending = 0;
  }

  private void add(int band, int group) throws JpegException {
    int from = ends[group];
    int end = ends[group + 1];
    if (end + REACH <= bytes.length) {
      readSets(bytes, from, end, band, group);
    } else {
      int length = end - from;
      if (tail.length < length + REACH) {
        tail = new byte[length + REACH];
      }
      System.arraycopy(bytes, from, tail, 0, length);
      readSets(tail, 0, length, band, group);
    }
    groupColumns[pending] = group * COLUMNS;
    groupRows[pending] = band * ROWS;
    pending++;
    if (pending * LANES == planes.mcusPerBatch()) {
      flush();
    }
  }

  private void readSets(byte[] bytes, int from, int end, int band, int group) throws JpegException {
    Sampling sampling = record.header().grid().sampling();
    int[] values = planes.coefficients().values();
    int slot = pending * LANES;
    int at = from;
    for (int block = 0; block < sampling.blocksPerMcu(); block++, slot += planes.mcusPerBatch()) {
      long[] to = places[sampling.componentOf(block)];
      int next = at < end ? kernels.read(bytes, at, end, values, slot, to) : SetKernels.INVALID;
      if (next == SetKernels.INVALID || next > end) {
        Arrays.fill(values, 0);
        throw wrong(
            "set %d is invalid, or ends after the group's end".formatted(block), band, group);
      }
      if (kernels.writesAllLanes()) {
        clear(slot, bytes[at] & (CoefficientLayout.NARROW - 1), to);
      }
      at = next;
    }
    if (at != end) {
      Arrays.fill(values, 0);
      throw wrong(
          "%d bytes are left behind the last of its %d sets"
              .formatted(end - at, sampling.blocksPerMcu()),
          band,
          group);
    }
  }

  /** Clears, in the 16 blocks of a set, the places from {@code count} on that are not yet 0. */
  private void clear(int slot, int count, long[] to) {
    int[] values = planes.coefficients().values();
    for (int place = count; place < filled[slot / LANES]; place++) {
      int start = SetKernels.start(to[place], slot);
      Arrays.fill(values, start, start + LANES, 0);
    }
    filled[slot / LANES] = count;
  }

  private void flush() {
    if (pending == 0) {
      return;
    }
    boolean kept = planes.transformOnly();
    for (int group = 0; group < pending; group++) {
      int left = Math.max(planes.mcuLeft(), groupColumns[group]);
      int right = Math.min(planes.mcuRight(), groupColumns[group] + COLUMNS);
      int top = Math.max(planes.mcuTop(), groupRows[group]);
      int bottom = Math.min(planes.mcuBottom(), groupRows[group] + ROWS);
      for (int row = top; row < bottom; row++) {
        int lane = COLUMNS * (row - groupRows[group]) + left - groupColumns[group];
        planes.store(row, left, right - left, group * LANES + lane);
      }
    }
    pending = 0;
    if (!kernels.writesAllLanes()) {
      planes.coefficients().clear();
    } else if (!kept) {
      Arrays.fill(filled, 64);
    }
  }

  private JpegException wrong(String what, int band, int group) {
    return new JpegException(
        "the coefficient record is damaged: group %d of band %d (rows of MCUs from %d, columns from %d): %s"
            .formatted(group, band, band * ROWS, group * COLUMNS, what),
        record.origin(band) + ends[group]);
  }
}
