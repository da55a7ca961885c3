package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of all JPEGs that libjpeg-turbo decodes, damaged JPEGs included, to the same samples.
 * It supports progressive, arithmetic and lossless coding, several scans, four components, and any
 * sampling factors. It reads the whole file, and keeps all coefficients in memory.
 *
 * <p>Errors of libjpeg are {@link JpegException}s. Warnings of libjpeg are not reported: missing
 * data become gray, or keep the values of earlier scans. Not thread-safe: each thread needs its own
 * decoder.
 */
public final class WholeDecoder {

  /** The number of coefficients above which their arrays are not kept for the next image. */
  private static final int KEPT = 8 << 20;

  private final PixelKernels kernels = PixelKernels.create();
  private ComponentPlane[] planes = {};
  private short[][] kept = {};
  private int x;
  private int y;
  private int width;

  /**
   * Decodes a rectangle of the scaled image; {@link #read} then returns its samples.
   *
   * @param scale the divisor of the image's sides: 1, 2, 4 or 8, but always 1 if the image is
   *     lossless; quotients are rounded up
   * @param components the number of wanted components, from the first on; a larger number than the
   *     image has means all components
   * @throws JpegException if libjpeg refuses the image
   */
  public void decode(byte[] data, int scale, int components, int x, int y, int width, int height)
      throws JpegException {
    this.x = x;
    this.y = y;
    this.width = width;
    Segments segments = new Segments(data);
    if (segments.next() != Segments.Found.SCAN) {
      throw segments.truncated();
    }
    Frame frame = segments.frame();
    plan(frame, scale, Math.min(components, frame.components.length), height);
    allocate(frame);
    BlockSmoothing smoothing = decodeScans(segments, frame);
    for (int c = 0; c < planes.length; c++) {
      planes[c].fill(frame.components[c], kernels, smoothing);
    }
  }

  private void plan(Frame frame, int scale, int count, int height) throws JpegException {
    ComponentPlane[] before = planes;
    planes = new ComponentPlane[count];
    for (int c = 0; c < count; c++) {
      planes[c] = c < before.length ? before[c] : new ComponentPlane();
      planes[c].begin(frame, frame.components[c], scale, x, y, width, height);
    }
  }

  private void allocate(Frame frame) {
    short[][] before = kept;
    kept = new short[frame.components.length][];
    int total = 0;
    for (Frame.Component each : frame.components) {
      each.stride = frame.mcuColumns() * each.across;
      int perBlock = frame.unit() * frame.unit();
      int needed =
          Math.multiplyExact(
              Math.multiplyExact(each.stride, frame.mcuRows() * each.down), perBlock);
      short[] values = each.index < before.length ? before[each.index] : null;
      if (values == null || values.length < needed) {
        values = new short[needed];
      } else {
        Arrays.fill(values, 0, needed, (short) 0);
      }
      each.values = values;
      total = Math.addExact(total, needed);
      kept[each.index] = values;
    }
    if (total > KEPT) {
      kept = new short[0][];
    }
  }

  private static @Nullable BlockSmoothing decodeScans(Segments segments, Frame frame)
      throws JpegException {
    boolean progressive = frame.kind() == Frame.Kind.PROGRESSIVE;
    boolean several = progressive || segments.scan().components().length < frame.components.length;
    Progression progression = new Progression(frame.components.length);
    int lastGoodRow = 0;
    Segments.Found found = Segments.Found.SCAN;
    while (found == Segments.Found.SCAN) {
      if (frame.kind() == Frame.Kind.LOSSLESS) {
        new LosslessScan(segments).decode();
      } else {
        lastGoodRow = ScanDecoder.of(segments, progression).decode();
      }
      found = segments.next();
      if (found == Segments.Found.SCAN && !several) {
        throw Segments.wrong("a second scan of all components", segments.position());
      }
    }
    if (found == Segments.Found.NOTHING && several) {
      // The data end without EOI, so another scan may be missing.
      throw segments.truncated();
    }
    return progressive
        ? BlockSmoothing.of(frame, progression, segments.scans(), lastGoodRow)
        : null;
  }

  public int components() {
    return planes.length;
  }

  /** Reads a row of the rectangle, counted from its top: the samples of one component. */
  public void read(int component, int row, byte[] target) {
    planes[component].read(y + row, x, width, target);
  }
}
