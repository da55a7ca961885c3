package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.DerivedRows;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;
import java.util.Objects;

/**
 * An encoded image whose header has been read. Its bytes are either in memory, where they must not
 * be changed, or in a store, which reads them in place. Immutable and thread-safe.
 */
public final class EncodedSource implements ImageSource {

  static final int SIGNATURE_BYTES = 64;

  private final ImageHeader header;
  private final Orientation orientation;
  private final ImageMode mode;
  private final Content content;

  private EncodedSource(ImageHeader header, Content content, DecodeOptions options) {
    this.header = header;
    this.content = content;
    this.mode = options.mode();
    // Pillow always applies a TIFF's orientation, but applies EXIF's orientation only on request.
    boolean turned = options.exifRotation() || header.format() == ImageFormat.TIFF;
    this.orientation = turned ? header.orientation() : Orientation.NORMAL;
  }

  /** Returns a hint for errors if EXIF swaps the sides of the image; otherwise an empty string. */
  public String exifHint() {
    if (!header.orientation().swapsAxes() || header.format() == ImageFormat.TIFF) {
      return "";
    }
    boolean applied = orientation != Orientation.NORMAL;
    return "; its EXIF orientation is %d and was %sapplied, see DecodeOptions.withExifRotation(%b)"
        .formatted(header.orientation().tag(), applied ? "" : "not ", !applied);
  }

  private interface Content {

    PixelRows decode(Region region) throws IOException;

    default ImageSource reduced(int divisor) {
      return null;
    }
  }

  /** Reads the header of an encoded image; errors begin with the image's description. */
  public static EncodedSource of(
      byte[] data, String description, DecodeOptions options, ScanIndexStore.Place place)
      throws FormatException {
    Objects.requireNonNull(description, "description");
    try {
      return of(data, options, place);
    } catch (FormatException refused) {
      throw named(refused, description);
    }
  }

  private static FormatException named(FormatException refused, String description) {
    return new FormatException(description + ": " + refused.getMessage(), refused);
  }

  /**
   * Reads the header of an encoded image.
   *
   * @param data the whole image; not copied, so it must not be changed afterwards
   * @param place where the scan index is kept, if the image is a JPEG
   * @throws FormatException if the data are not an image, the header is corrupt, or the image is
   *     too large
   */
  public static EncodedSource of(byte[] data, DecodeOptions options, ScanIndexStore.Place place)
      throws FormatException {
    ImageHeader header = ImageHeaders.parse(data, options.maxPixels());
    PixelDecoder decoder = ImageDecoders.forImage(data, header, options.backend());
    return new EncodedSource(header, new InMemory(data, header, decoder, place, options), options);
  }

  /**
   * Returns true if an image is an undamaged JPEG, after a test that takes a third of the time of
   * decoding. Returns false for images that only decoding can check: damaged JPEGs and all other
   * formats. Throws if the header is corrupt.
   */
  public static boolean isSoundJpeg(byte[] data, DecodeOptions options) throws FormatException {
    ImageHeader header = ImageHeaders.parse(data, options.maxPixels());
    boolean ours =
        ImageDecoders.forImage(data, header, options.backend()) instanceof JavaJpegDecoder;
    if (!ours || options.mode().bits() != 8) {
      return false;
    }
    JpegScans.requireReasonable(data);
    return JavaJpegDecoder.isSound(data);
  }

  /**
   * Reads the header of an encoded mask, whose pixels are ids.
   *
   * @param data the whole image; not copied, so it must not be changed afterwards
   * @throws FormatException if the data are not an image of a format that has ids, the header is
   *     corrupt, or the image is too large
   */
  public static EncodedSource ofIds(byte[] data, DecodeOptions options) throws FormatException {
    ImageHeader header = ImageHeaders.parse(data, options.maxPixels());
    return new EncodedSource(header, new Ids(data, header, decoderOfIds(header)), options);
  }

  /** Checks that an image is of a format that has ids. */
  public static void requireIds(byte[] data, DecodeOptions options) throws FormatException {
    decoderOfIds(ImageHeaders.parse(data, options.maxPixels()));
  }

  private static IdDecoder decoderOfIds(ImageHeader header) throws FormatException {
    IdDecoder decoder = ImageDecoders.forIds(header.format());
    if (decoder == null) {
      throw new FormatException(
          "a mask is a PNG, TIFF or BMP, which keep ids as they are; this is %s"
              .formatted(header.format()));
    }
    return decoder;
  }

  /**
   * Reads the header of an image in a store. If the image's decoder can read bytes in place, each
   * decoding does so. Otherwise the bytes are copied now.
   *
   * @param stored the image; the caller closes it
   * @throws FormatException if the data are not an image, the header is corrupt, or the image is
   *     too large
   */
  public static EncodedSource of(
      StoredImage stored,
      ImageStore store,
      long index,
      DecodeOptions options,
      ScanIndexStore.Place place)
      throws IOException {
    try {
      byte[] beginning = beginning(stored, SIGNATURE_BYTES);
      InPlaceDecoder decoder = ImageDecoders.inPlace(ImageFormat.of(beginning));
      if (decoder == null) {
        return of(stored.copy(), options, place);
      }
      byte[] start = beginning(stored, decoder.headerBytes(beginning));
      ImageHeader header = ImageHeaders.parse(start, options.maxPixels());
      InStore content = new InStore(store, index, header, decoder, options);
      return new EncodedSource(header, content, options);
    } catch (FormatException refused) {
      throw named(refused, store.describe(index));
    }
  }

  private static byte[] beginning(StoredImage stored, long bytes) throws IOException {
    byte[] beginning = new byte[(int) Math.min(bytes, stored.length())];
    stored.read(0, beginning, 0, beginning.length);
    return beginning;
  }

  @Override
  public int width() {
    return orientation.swapsAxes() ? header.height() : header.width();
  }

  @Override
  public int height() {
    return orientation.swapsAxes() ? header.width() : header.height();
  }

  @Override
  public ImageMode mode() {
    return mode;
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    try {
      return turned(region);
    } catch (OutOfMemoryError full) {
      throw HeapLimit.refusal(full, width(), height());
    }
  }

  private PixelRows turned(Region region) throws IOException {
    if (orientation == Orientation.NORMAL) {
      return content.decode(region);
    }
    Region part = orientation.stored(region, header.width(), header.height());
    try (PixelRows stored = content.decode(part)) {
      return PixelBuffer.turned(stored, orientation);
    }
  }

  @Override
  public ImageSource reduced(int divisor) {
    return orientation == Orientation.NORMAL ? content.reduced(divisor) : null;
  }

  private record InMemory(
      byte[] data,
      ImageHeader header,
      PixelDecoder decoder,
      ScanIndexStore.Place place,
      DecodeOptions options)
      implements Content {

    @Override
    public PixelRows decode(Region region) throws IOException {
      requireComplete();
      return decoder instanceof JavaJpegDecoder jpeg
          ? jpeg.decode(data, header, region, place, options.mode())
          : decoder.decode(data, header, region, options.mode());
    }

    /**
     * Refuses a JPEG that would take too much work. If a library decodes the JPEG, also refuses a
     * JPEG whose end is missing, because libraries decode the beginning and only warn. Decoders of
     * other formats detect incomplete data themselves.
     */
    private void requireComplete() throws FormatException {
      if (header.format() == ImageFormat.JPEG) {
        if (!(decoder instanceof JavaJpegDecoder) && !JpegHeader.isComplete(data)) {
          throw new FormatException(
              "the JPEG is truncated: it ends at byte %d without an EOI marker"
                  .formatted(data.length));
        }
        JpegScans.requireReasonable(data);
      }
    }

    @Override
    public ImageSource reduced(int divisor) {
      boolean ours =
          decoder instanceof JavaJpegDecoder || decoder instanceof CoefficientImageDecoder;
      return options.fast() && ours
          ? ReducedJpeg.of(data, header, divisor, options.mode(), place).orElse(null)
          : null;
    }
  }

  private record Ids(byte[] data, ImageHeader header, IdDecoder decoder) implements Content {

    @Override
    public PixelRows decode(Region region) throws FormatException {
      return decoder.decodeIds(data, header, region);
    }
  }

  private record InStore(
      ImageStore store,
      long index,
      ImageHeader header,
      InPlaceDecoder decoder,
      DecodeOptions options)
      implements Content {

    @Override
    public PixelRows decode(Region region) throws IOException {
      StoredImage stored = view();
      try {
        return new HeldRows(decoder.decode(stored, header, region, options.mode()), stored);
      } catch (IOException | RuntimeException | Error e) {
        stored.close();
        throw e;
      }
    }

    private StoredImage view() throws IOException {
      StoredImage stored =
          store
              .view(index)
              .orElseThrow(
                  () ->
                      new FormatException("%s does not show it any more".formatted(store.name())));
      try {
        byte[] beginning = beginning(stored, SIGNATURE_BYTES);
        if (ImageFormat.of(beginning) != header.format()) {
          throw new FormatException(
              "the image has been replaced since its header was read: it was %s, and is %s"
                  .formatted(header.format(), ImageFormat.of(beginning)));
        }
        return stored;
      } catch (IOException | RuntimeException | Error e) {
        stored.close();
        throw e;
      }
    }

    @Override
    public ImageSource reduced(int divisor) {
      if (!options.fast() || header.format() != ImageFormat.COEFFICIENTS) {
        return null;
      }
      try (StoredImage stored = view()) {
        return ReducedJpeg.of(
                stored.copy(), header, divisor, options.mode(), ScanIndexStore.Place.NOWHERE)
            .orElse(null);
      } catch (IOException unreadable) {
        // Decoding the whole image will report this error.
        return null;
      }
    }
  }

  /** Decoded rows that may read from a stored image; closing the rows closes the image too. */
  private record HeldRows(PixelRows rows, StoredImage stored) implements DerivedRows {

    @Override
    public void read(int y, int count, int[] pixels, int offset, int stride) {
      rows.read(y, count, pixels, offset, stride);
    }

    @Override
    public void close() {
      try (stored) {
        rows.close();
      }
    }
  }
}
