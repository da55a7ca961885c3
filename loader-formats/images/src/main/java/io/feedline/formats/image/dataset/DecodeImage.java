package io.feedline.formats.image.dataset;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RegionRows;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A transform that opens the input of a service as an {@link Image}: the first step of a {@link
 * io.feedline.Preprocessor}'s pipeline, which has no dataset.
 *
 * <pre>{@code
 * Preprocessor.of(DecodeImage.of().andThen(Resize.of(256)).andThen(CenterCrop.of(224)))
 * }</pre>
 *
 * <p>The input is encoded bytes ({@code byte[]}), a {@link Path} of any file system, an {@link
 * InputStream}, which is read to its end and not closed, a {@link BufferedImage}, or an Image,
 * which is returned unchanged. The transform reads only the header; as in a dataset, the needed
 * part is decoded when the image is written.
 *
 * <p>A BufferedImage is decoded already, for example by ImageIO, whose JPEG decoder rounds
 * differently from libjpeg-turbo: pass encoded bytes to get the same pixels as from a dataset.
 * Samples of a BufferedImage are read as stored; gray samples are not converted to sRGB, and alpha
 * is left out if the mode is {@link ImageMode#RGB}. The input must not change until the image is
 * written.
 *
 * <p>Immutable and thread-safe.
 */
public final class DecodeImage extends Transforms.Value implements Transform<Object, Image> {

  /** The largest file that fits into an array. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - 64;

  private static final DecodeImage DEFAULT = of(DecodeOptions.DEFAULT);

  private record Options(
      ImageMode mode,
      boolean exifRotation,
      DecodeOptions.Backend backend,
      long maxPixels,
      boolean fast) {}

  private final DecodeOptions options;

  private DecodeImage(Options options) {
    super(options);
    this.options =
        new DecodeOptions(
            options.backend, options.exifRotation, options.maxPixels, options.fast, options.mode);
  }

  /** Returns the transform with the default options of a dataset. */
  public static DecodeImage of() {
    return DEFAULT;
  }

  /** Returns the transform with options; use the decode options of the training dataset. */
  public static DecodeImage of(DecodeOptions options) {
    return new DecodeImage(
        new Options(
            options.mode(),
            options.exifRotation(),
            options.backend(),
            options.maxPixels(),
            options.fast()));
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.feedline.data.FormatException if encoded bytes are not an image, the header is
   *     corrupt, or the image is too large
   * @throws IOException if a path or stream cannot be read
   * @throws IllegalArgumentException if the input has another type, or is a BufferedImage and the
   *     mode has 16 bits a sample
   */
  @Override
  public Image apply(Object input) throws IOException {
    if (input instanceof byte[] bytes) {
      return Image.ofEncoded(bytes, "image of %d bytes".formatted(bytes.length), options);
    }
    if (input instanceof Path path) {
      try (OpenFiles files = new OpenFiles(1)) {
        return Image.ofEncoded(files.readAll(path, MOST_BYTES), path.toString(), options);
      }
    }
    if (input instanceof InputStream stream) {
      byte[] bytes = stream.readAllBytes();
      return Image.ofEncoded(bytes, "stream of %d bytes".formatted(bytes.length), options);
    }
    if (input instanceof BufferedImage image) {
      return ofBuffered(image);
    }
    if (input instanceof Image image) {
      return image;
    }
    throw new IllegalArgumentException(
        "an image is given as byte[], Path, InputStream, BufferedImage or Image, found "
            + input.getClass().getName());
  }

  private Image ofBuffered(BufferedImage buffered) {
    boolean withAlpha = options.mode() == ImageMode.RGBA && buffered.getColorModel().hasAlpha();
    ImageSource source = new Buffered(buffered, withAlpha ? ImageMode.RGBA : ImageMode.RGB);
    Image image = Image.of(source, "BufferedImage of " + source.inWords());
    if (options.mode() == ImageMode.GRAY16) {
      throw new IllegalArgumentException(
          "%s has samples of 8 bits: give the encoded bytes for mode gray16"
              .formatted(image.description()));
    }
    return image.convert(options.mode());
  }

  /** The pixels of a BufferedImage, read without a copy of the image. */
  private record Buffered(BufferedImage image, ImageMode mode) implements ImageSource {

    @Override
    public int width() {
      return image.getWidth();
    }

    @Override
    public int height() {
      return image.getHeight();
    }

    @Override
    public PixelRows decode(Region region) {
      return new Rows(image, region, mode == ImageMode.RGBA);
    }
  }

  private record Rows(BufferedImage image, Region region, boolean withAlpha) implements RegionRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        read(region.y() + y + i, pixels, offset + i * stride);
      }
    }

    private void read(int y, int[] pixels, int offset) {
      if (image.getType() == BufferedImage.TYPE_3BYTE_BGR) {
        readBytes(y, pixels, offset);
      } else if (image.getColorModel() instanceof ComponentColorModel stored
          && !stored.isAlphaPremultiplied()) {
        readBands(stored, y, pixels, offset);
      } else {
        readColors(y, pixels, offset);
      }
    }

    /** Reads a row of three bytes a pixel, as ImageIO's JPEGs have; readBands would be slower. */
    private void readBytes(int y, int[] pixels, int offset) {
      byte[] rgb = (byte[]) image.getRaster().getDataElements(region.x(), y, width(), 1, null);
      for (int x = 0; x < width(); x++) {
        pixels[offset + x] =
            (rgb[3 * x] & 0xFF) | (rgb[3 * x + 1] & 0xFF) << 8 | (rgb[3 * x + 2] & 0xFF) << 16;
      }
    }

    /** Reads samples as stored; getRGB would convert gray from linear light, and round 16 bits. */
    private void readBands(ColorModel stored, int y, int[] pixels, int offset) {
      int colors = stored.getNumColorComponents();
      Arrays.fill(pixels, offset, offset + width(), 0);
      for (int channel = 0; channel < (withAlpha ? 4 : 3); channel++) {
        int band = channel == 3 ? colors : Math.min(channel, colors - 1);
        int[] samples = image.getRaster().getSamples(region.x(), y, width(), 1, band, (int[]) null);
        int lowerBits = stored.getComponentSize(band) - Byte.SIZE;
        for (int x = 0; x < width(); x++) {
          pixels[offset + x] |= (samples[x] >>> lowerBits) << (Byte.SIZE * channel);
        }
      }
    }

    private void readColors(int y, int[] pixels, int offset) {
      image.getRGB(region.x(), y, width(), 1, pixels, offset, width());
      for (int x = offset; x < offset + width(); x++) {
        int rgb = Integer.reverseBytes(pixels[x]) >>> 8;
        pixels[x] = withAlpha ? rgb | (pixels[x] & 0xFF000000) : rgb;
      }
    }
  }
}
