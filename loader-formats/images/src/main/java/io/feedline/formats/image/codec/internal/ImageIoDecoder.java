package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.SampleModel;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * The JDK's {@code javax.imageio}, for JPEGs, and for WebP where a plug-in of ImageIO reads it. Its
 * readers know more of color than is wanted here: profiles and premultiplied alpha. So they give
 * only stored samples, which become RGB as in Pillow; which is also how it reads CMYK, which
 * ImageIO as such does not.
 *
 * <p>Each image has a reader of its own: the JDK's reader of JPEGs keeps their tables even when it
 * is reset, and would decode an image that lacks some with those of the image before it. ImageIO's
 * cache and its global settings are left alone.
 */
final class ImageIoDecoder implements PixelDecoder {

  private final Runnable before;

  /**
   * A decoder.
   *
   * @param before is run whenever it begins to decode an image
   */
  ImageIoDecoder(Runnable before) {
    this.before = before;
  }

  @Override
  public String name() {
    return "ImageIO of " + System.getProperty("java.vendor");
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    ImageReader reader = reader(header.format());
    before.run();
    try (ByteArrayImageInput input = new ByteArrayImageInput(data)) {
      reader.setInput(input, true, true);
      requireSize(reader, header);
      if (header.format() == ImageFormat.JPEG) {
        ImageReadParam wanted = reader.getDefaultReadParam();
        wanted.setSourceRegion(
            new Rectangle(region.x(), region.y(), region.width(), region.height()));
        boolean luma = mode == ImageMode.GRAY && header.color() == ColorSpace.YCBCR;
        PixelRows rows = new JpegRows(reader.readRaster(0, wanted), header.color(), region, luma);
        return luma ? rows : Conversion.convert(rows, mode);
      }
      // Other formats: a plug-in reads them.
      return Conversion.convert(new Rows(reader.read(0), region), mode);
    } catch (IOException | RuntimeException failed) {
      // The JDK's readers throw nearly anything at corrupt data: array bounds, casts, null.
      throw new FormatException(
          "%s cannot decode the %s: %s".formatted(name(), header.format(), reason(failed)), failed);
    } finally {
      reader.dispose();
    }
  }

  private static String reason(Throwable failed) {
    return failed instanceof FormatException ? failed.getMessage() : failed.toString();
  }

  private ImageReader reader(ImageFormat format) throws FormatException {
    Iterator<ImageReader> found =
        ImageIO.getImageReadersByFormatName(format.name().toLowerCase(Locale.ROOT));
    if (!found.hasNext()) {
      throw new FormatException(
          "this is a %s image, which %s does not read: add %s"
              .formatted(format, name(), ImageDecoders.OPENCV_ARTIFACT));
    }
    return found.next();
  }

  private static void requireSize(ImageReader reader, ImageHeader header) throws IOException {
    if (reader.getWidth(0) != header.width() || reader.getHeight(0) != header.height()) {
      throw new FormatException(
          "it decodes to %d x %d, but its header claims %d x %d"
              .formatted(reader.getWidth(0), reader.getHeight(0), header.width(), header.height()));
    }
  }

  /** Returns a sample of any depth as one of 8 bits: fewer are scaled, more lose the low ones. */
  private static int level(int sample, int bits) {
    if (bits == 8) {
      return sample;
    }
    return bits > 8 ? sample >>> (bits - 8) : sample * 255 / ((1 << bits) - 1);
  }

  /** Reads rows of samples, which a subclass makes pixels of. */
  private abstract static class RasterRows implements PixelRows {
    private final Raster raster;
    private final int x;
    private final int y;
    private final int width;
    private final int height;
    private final int[] samples;

    /** A part of the raster, whose upper left sample may lie anywhere. */
    RasterRows(Raster raster, int x, int y, int width, int height) {
      this.raster = raster;
      this.x = raster.getMinX() + x;
      this.y = raster.getMinY() + y;
      this.width = width;
      this.height = height;
      this.samples = new int[width * raster.getNumBands()];
    }

    @Override
    public final int width() {
      return width;
    }

    @Override
    public final int height() {
      return height;
    }

    @Override
    public final void read(int from, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        raster.getPixels(x, y + from + i, width, 1, samples);
        convert(samples, pixels, offset + i * stride);
      }
    }

    /** Packs one row of interleaved samples. */
    abstract void convert(int[] samples, int[] pixels, int at);

    @Override
    public final void close() {}
  }

  private static final class JpegRows extends RasterRows {
    private final int components;
    private final ColorSpace color;
    private final boolean luma;

    /**
     * A part of a JPEG.
     *
     * @param luma whether pixels are the first component alone
     */
    JpegRows(Raster raster, ColorSpace color, Region region, boolean luma) throws FormatException {
      super(raster, 0, 0, region.width(), region.height());
      if (raster.getWidth() != region.width() || raster.getHeight() != region.height()) {
        throw new FormatException(
            "the reader delivers %d x %d pixels, expected %d x %d"
                .formatted(raster.getWidth(), raster.getHeight(), region.width(), region.height()));
      }
      this.components = raster.getNumBands();
      this.color = color;
      this.luma = luma;
    }

    @Override
    void convert(int[] samples, int[] pixels, int at) {
      if (luma) {
        for (int x = 0; x < width(); x++) {
          pixels[at + x] = samples[x * components];
        }
        return;
      }
      JpegColorConversion.toRgb(samples, components, color, width(), pixels, at);
    }
  }

  private static final class Rows extends RasterRows {
    private final int bands;
    private final int[] bits;
    private final IndexColorModel palette;

    Rows(BufferedImage image, Region region) throws FormatException {
      super(image.getRaster(), region.x(), region.y(), region.width(), region.height());
      SampleModel model = image.getRaster().getSampleModel();
      if (model.getTransferType() > DataBuffer.TYPE_INT) {
        throw new FormatException("samples in floating point are not supported");
      }
      this.bands = model.getNumBands();
      this.bits = model.getSampleSize();
      for (int each : bits) {
        if (each < 1) {
          throw new FormatException("samples of %d bits are not supported".formatted(each));
        }
      }
      this.palette = image.getColorModel() instanceof IndexColorModel index ? index : null;
    }

    @Override
    void convert(int[] samples, int[] pixels, int at) {
      for (int in = 0, out = at; in < samples.length; in += bands, out++) {
        if (palette != null) {
          int index = samples[in];
          pixels[out] =
              PackedRgb.of(palette.getRed(index), palette.getGreen(index), palette.getBlue(index));
        } else {
          pixels[out] =
              PackedRgb.of(sample(samples, in, 0), sample(samples, in, 1), sample(samples, in, 2));
        }
      }
    }

    private int sample(int[] samples, int in, int band) {
      int source = bands < 3 ? 0 : band;
      return level(samples[in + source], bits[source]);
    }
  }

  /** Bytes in memory as ImageIO wants them: no copy, no cache, no file. */
  private static final class ByteArrayImageInput extends ImageInputStreamImpl {

    private final byte[] data;

    ByteArrayImageInput(byte[] data) {
      this.data = data;
    }

    @Override
    public int read() {
      bitOffset = 0;
      return streamPos < data.length ? data[(int) streamPos++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      bitOffset = 0;
      if (streamPos >= data.length) {
        return -1;
      }
      int count = (int) Math.min(length, data.length - streamPos);
      System.arraycopy(data, (int) streamPos, target, offset, count);
      streamPos += count;
      return count;
    }

    @Override
    public long length() {
      return data.length;
    }
  }
}
