package io.feedline.formats.image.opencv.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * A decoder of WebP by OpenCV's {@code imdecode}. Only this class uses OpenCV; loading it without
 * OpenCV throws a {@link LinkageError}.
 *
 * <p>Each thread keeps a direct buffer for encoded bytes and a direct buffer for pixels, of at most
 * {@value #KEPT_BYTES} bytes each, until the thread ends. The memory of a larger image is freed
 * when its rows are closed. All other native objects are closed before {@link #decode} returns.
 */
final class OpenCvDecoder {

  /** The largest size of a kept buffer, enough for an image of 22 megapixels. */
  static final int KEPT_BYTES = 64 << 20;

  private static final int FLAGS =
      opencv_imgcodecs.IMREAD_COLOR_RGB | opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION;

  /** The only flags that keep alpha; the order of colors is blue, green, red. */
  private static final int ALPHA_FLAGS = opencv_imgcodecs.IMREAD_UNCHANGED;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private OpenCvDecoder() {}

  static OpenCvDecoder load() {
    // JavaCPP throws OutOfMemoryError from any allocation while the process is larger than four
    // Java heaps. The process of a training with pinned and device-mapped memory is normally
    // larger. JavaCPP's check protects programs that leave native memory to the garbage collector.
    // This class frees its memory itself, so it turns the check off, unless the user has set the
    // limit.
    String guard = "org.bytedeco.javacpp.maxPhysicalBytes";
    if (System.getProperty(guard) == null) {
      System.setProperty(guard, "0");
    }
    Loader.load(opencv_imgcodecs.class);
    // The loader's workers already decode in parallel.
    opencv_core.setNumThreads(1);
    return new OpenCvDecoder();
  }

  String name() {
    return "OpenCV " + opencv_core.CV_VERSION;
  }

  PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    return mode == ImageMode.RGBA
        ? decode(data, header, region, ALPHA_FLAGS, 4)
        : decode(data, header, region, FLAGS, 3);
  }

  /** Decodes a part of an image to 3 samples a pixel, or to 4 if alpha is wanted. */
  private PixelRows decode(byte[] data, ImageHeader header, Region region, int flags, int samples)
      throws FormatException {
    Scratch scratch = SCRATCH.get();
    long pixelBytes = (long) samples * header.width() * header.height();
    // A copy of the encoded bytes in native memory takes about a hundredth of the time of decoding.
    // The original bytes stay on the heap, because a sample may be kept for any time.
    ByteBuffer source = scratch.source(data);
    try (BytePointer sourceBytes = new BytePointer(source);
        Mat encoded = new Mat(1, data.length, opencv_core.CV_8UC1, sourceBytes)) {
      // With 4 samples only OpenCV knows whether the image has alpha, and so the pixels' size.
      return pixelBytes <= KEPT_BYTES && samples < 4
          ? decodeKept(encoded, scratch, header, region, flags, samples)
          : decodeLarge(encoded, header, region, flags, samples);
    } catch (RuntimeException refused) {
      // JavaCPP throws a RuntimeException for a C++ exception.
      throw new FormatException(
          "%s cannot decode the %s of %d bytes: %s"
              .formatted(name(), header.format(), data.length, refused.getMessage()),
          refused);
    }
  }

  private PixelRows decodeKept(
      Mat encoded, Scratch scratch, ImageHeader header, Region region, int flags, int samples)
      throws FormatException {
    int rowBytes = samples * header.width();
    ByteBuffer pixels = scratch.target(rowBytes * header.height());
    int type = opencv_core.CV_8UC(samples);
    try (BytePointer start = new BytePointer(pixels);
        Mat target = new Mat(header.height(), header.width(), type, start);
        Mat decoded = opencv_imgcodecs.imdecode(encoded, flags, target)) {
      requireDecoded(decoded, header, samples);
      return new KeptRows(pixels, rowBytes, region, samples, scratch.row(samples, region));
    }
  }

  private PixelRows decodeLarge(
      Mat encoded, ImageHeader header, Region region, int flags, int samples)
      throws FormatException {
    Mat decoded = opencv_imgcodecs.imdecode(encoded, flags);
    try {
      requireDecoded(decoded, header, samples);
      int found = decoded.channels();
      PixelRows rows = new LargeRows(decoded, region, found);
      if (samples < 4) {
        return rows;
      }
      PixelRows swapped = new SwappedRows(rows);
      return found == 4 ? swapped : Conversion.convert(swapped, ImageMode.RGBA);
    } catch (FormatException | RuntimeException | Error failed) {
      decoded.close();
      throw failed;
    }
  }

  private void requireDecoded(Mat decoded, ImageHeader header, int samples) throws FormatException {
    if (decoded.empty()) {
      throw new FormatException(
          "%s cannot decode the %s: its data is corrupt or of an unsupported kind"
              .formatted(name(), header.format()));
    }
    boolean known =
        decoded.type() == opencv_core.CV_8UC(samples)
            || (samples == 4 && decoded.type() == opencv_core.CV_8UC3);
    if (decoded.cols() != header.width() || decoded.rows() != header.height() || !known) {
      throw new FormatException(
          "%s decodes the %s to %d x %d, but its header claims %d x %d"
              .formatted(
                  name(),
                  header.format(),
                  decoded.cols(),
                  decoded.rows(),
                  header.width(),
                  header.height()));
    }
  }

  private record SwappedRows(PixelRows rows) implements DerivedRows {

    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      rows.read(y, count, pixels, offset, stride);
      for (int i = 0; i < count; i++) {
        int from = offset + i * stride;
        for (int x = from; x < from + rows.width(); x++) {
          int pixel = pixels[x];
          pixels[x] = (pixel & 0xFF00FF00) | ((pixel & 0xFF) << 16) | ((pixel >> 16) & 0xFF);
        }
      }
    }
  }

  private abstract static class Rows implements PixelRows {
    private final Region region;
    private final int samples;
    private final ImageMode mode;
    private final byte[] row;

    Rows(Region region, int samples, byte[] row) {
      this.region = region;
      this.samples = samples;
      this.mode = samples == 3 ? ImageMode.RGB : ImageMode.RGBA;
      this.row = row;
    }

    @Override
    public final int width() {
      return region.width();
    }

    @Override
    public final int height() {
      return region.height();
    }

    @Override
    public final void read(int y, int rows, int[] to, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        copy(region.y() + y + i, samples * region.x(), row, samples * region.width());
        PackedRgb.pack(mode, row, 0, to, offset + i * stride, region.width());
      }
    }

    abstract void copy(int y, int firstByte, byte[] row, int bytes);
  }

  private static final class KeptRows extends Rows {
    private final ByteBuffer pixels;
    private final int stepBytes;

    KeptRows(ByteBuffer pixels, int stepBytes, Region region, int samples, byte[] row) {
      super(region, samples, row);
      this.pixels = pixels;
      this.stepBytes = stepBytes;
    }

    @Override
    void copy(int y, int firstByte, byte[] row, int bytes) {
      pixels.get(y * stepBytes + firstByte, row, 0, bytes);
    }

    @Override
    public void close() {}
  }

  private static final class LargeRows extends Rows {
    private final Mat decoded;
    private final BytePointer pixels;

    LargeRows(Mat decoded, Region region, int samples) {
      super(region, samples, new byte[samples * region.width()]);
      this.decoded = decoded;
      this.pixels = decoded.data();
    }

    @Override
    void copy(int y, int firstByte, byte[] row, int bytes) {
      pixels.position(y * decoded.step() + firstByte).get(row, 0, bytes);
    }

    @Override
    public void close() {
      pixels.close();
      decoded.close();
    }
  }

  /** The buffers of one thread, which grow with its largest image. */
  private static final class Scratch {
    private ByteBuffer source = ByteBuffer.allocateDirect(0);
    private ByteBuffer target = ByteBuffer.allocateDirect(0);
    private byte[] row = new byte[0];

    ByteBuffer source(byte[] data) {
      ByteBuffer buffer = source;
      if (buffer.capacity() < data.length) {
        buffer = ByteBuffer.allocateDirect(withRoom(data.length));
        if (data.length <= KEPT_BYTES) {
          source = buffer;
        }
      }
      return buffer.clear().put(data).flip();
    }

    ByteBuffer target(int bytes) {
      if (target.capacity() < bytes) {
        target = ByteBuffer.allocateDirect(withRoom(bytes));
      }
      return target.clear();
    }

    byte[] row(int samples, Region region) {
      if (row.length < samples * region.width()) {
        row = new byte[samples * region.width()];
      }
      return row;
    }

    /** Returns a size with a quarter more, so that slightly growing images do not each allocate. */
    private static int withRoom(int bytes) {
      return (int) Math.max(bytes, Math.min(KEPT_BYTES, bytes + (bytes >> 2) + 4096L));
    }
  }
}
