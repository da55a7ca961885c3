package io.feedline.formats.image;

import io.feedline.formats.image.ImageHeader.Colour;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.SampleModel;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;

/**
 * The JDK's {@code javax.imageio}. Its readers know more of colour than is wanted here: profiles,
 * gamma, premultiplied alpha. So only stored samples are taken from them, and made RGB as Pillow
 * makes them; which is also how it reads CMYK, which ImageIO as such does not.
 *
 * <p>Each thread keeps one reader for each format. ImageIO's cache and its global settings are left
 * alone.
 */
final class ImageIoDecoder implements ImageDecoder {

  private static final ThreadLocal<Map<ImageFormat, ImageReader>> READERS =
      ThreadLocal.withInitial(() -> new EnumMap<>(ImageFormat.class));

  @Override
  public String name() {
    return "ImageIO of " + System.getProperty("java.vendor");
  }

  @Override
  public void decode(byte[] data, ImageHeader header, Region region, Frame frame)
      throws IOException {
    ImageReader reader = reader(header.format());
    try (ByteArrayImageInput input = new ByteArrayImageInput(data)) {
      reader.setInput(input, true, true);
      requireSize(reader, header);
      frame.resize(region.width(), region.height());
      if (header.format() == ImageFormat.JPEG) {
        ImageReadParam wanted = reader.getDefaultReadParam();
        wanted.setSourceRegion(
            new Rectangle(region.x(), region.y(), region.width(), region.height()));
        copyJpeg(reader.readRaster(0, wanted), header.colour(), frame);
      } else {
        // Whole: the JDK's PNG reader fails at parts of some pictures with a transparent colour.
        BufferedImage image = reader.read(0);
        copy(image.getRaster(), region, image.getColorModel(), header.colour(), frame);
      }
    } catch (IOException | RuntimeException failed) {
      // The JDK's readers throw nearly anything at corrupt data: array bounds, casts, null.
      throw new ImageFormatException(
          "%s cannot decode the %s: %s".formatted(name(), header.format(), reason(failed)), failed);
    } finally {
      reader.reset();
    }
  }

  private static String reason(Throwable failed) {
    return failed instanceof ImageFormatException ? failed.getMessage() : failed.toString();
  }

  private ImageReader reader(ImageFormat format) throws ImageFormatException {
    Map<ImageFormat, ImageReader> readers = READERS.get();
    ImageReader reader = readers.get(format);
    if (reader == null) {
      Iterator<ImageReader> found =
          ImageIO.getImageReadersByFormatName(format.name().toLowerCase(Locale.ROOT));
      if (!found.hasNext()) {
        throw new ImageFormatException(
            "%s has no reader for %s; OpenCV has: add %s"
                .formatted(name(), format, ImageDecoders.OPENCV_COORDINATES));
      }
      reader = found.next();
      readers.put(format, reader);
    }
    return reader;
  }

  private static void requireSize(ImageReader reader, ImageHeader header) throws IOException {
    if (reader.getWidth(0) != header.width() || reader.getHeight(0) != header.height()) {
      throw new ImageFormatException(
          "it decodes to %d x %d, but its header claims %d x %d"
              .formatted(reader.getWidth(0), reader.getHeight(0), header.width(), header.height()));
    }
  }

  private static void copyJpeg(Raster raster, Colour colour, Frame frame)
      throws ImageFormatException {
    int width = frame.width();
    if (raster.getWidth() != width || raster.getHeight() != frame.height()) {
      throw new ImageFormatException(
          "the reader delivers %d x %d pixels, expected %d x %d"
              .formatted(raster.getWidth(), raster.getHeight(), width, frame.height()));
    }
    int components = raster.getNumBands();
    int[] row = new int[width * components];
    for (int y = 0; y < frame.height(); y++) {
      raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
      JpegColour.toRgb(row, components, colour, width, frame.rgb(), 3 * width * y);
    }
  }

  private static void copy(
      Raster raster, Region region, ColorModel model, Colour colour, Frame frame)
      throws ImageFormatException {
    SampleModel samples = raster.getSampleModel();
    if (samples.getTransferType() > DataBuffer.TYPE_INT) {
      throw new ImageFormatException("samples in floating point are not supported");
    }
    int bands = samples.getNumBands();
    int[] bits = samples.getSampleSize();
    boolean inks = colour == Colour.CMYK && bands > 3;
    int[] row = new int[region.width() * bands];
    byte[] rgb = frame.rgb();
    int out = 0;
    for (int y = 0; y < region.height(); y++) {
      raster.getPixels(region.x(), region.y() + y, region.width(), 1, row);
      for (int in = 0; in < row.length; in += bands, out += 3) {
        if (model instanceof IndexColorModel palette) {
          rgb[out] = (byte) palette.getRed(row[in]);
          rgb[out + 1] = (byte) palette.getGreen(row[in]);
          rgb[out + 2] = (byte) palette.getBlue(row[in]);
          continue;
        }
        for (int band = 0; band < 3; band++) {
          int source = bands < 3 ? 0 : band;
          int sample = level(row[in + source], bits[source]);
          int paper = inks ? 255 - level(row[in + 3], bits[3]) : 0;
          rgb[out + band] = (byte) (inks ? JpegColour.light(sample, paper) : sample);
        }
      }
    }
  }

  /** A sample of any depth as one of 8 bits: fewer are scaled, more lose the low ones. */
  private static int level(int sample, int bits) {
    if (bits == 8) {
      return sample;
    }
    return bits > 8 ? sample >>> (bits - 8) : sample * 255 / ((1 << bits) - 1);
  }
}
