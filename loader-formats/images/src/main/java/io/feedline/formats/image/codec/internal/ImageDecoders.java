package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice of a decoder for each image. PNG, BMP, TIFF, PNM, coefficient and raw records are
 * decoded in Java, most JPEGs too; the libraries decode WebP, other JPEGs and TIFFs of YCbCr.
 * OpenCV is an {@link ImageDecoder} that is found, or not. If one of them decodes an image
 * differently from Pillow, another one decodes it, whatever the user chose.
 */
public final class ImageDecoders {

  /** The artifact that contains OpenCV. */
  static final String OPENCV_ARTIFACT = "io.feedline:loader-opencv";

  private static final Logger LOG = LoggerFactory.getLogger(ImageDecoders.class);
  private static final PngDecoder PNG = new PngDecoder();
  private static final InPlaceDecoder COEFFICIENTS = new CoefficientImageDecoder();
  private static final InPlaceDecoder RAW = new RawDecoder();
  private static final BmpDecoder BMP = new BmpDecoder();
  private static final PixelDecoder PNM = new PnmDecoder();

  /** For users who chose it. */
  private static final ImageIoDecoder IMAGE_IO = new ImageIoDecoder(() -> {});

  /** For users who did not choose it, and may not know of OpenCV. */
  private static final ImageIoDecoder INSTEAD = new ImageIoDecoder(OpenCv::tellWhatIsMissing);

  /** Reads ids without a library. */
  private static final IdDecoder TIFF_IDS = new TiffDecoder(ImageDecoders::openCv);

  private static final AtomicBoolean TOLD = new AtomicBoolean();

  /** For JPEGs; the libraries are touched when an image needs one, and not before. */
  private static final PixelDecoder JPEG =
      new JavaJpegDecoder(() -> of(DecodeOptions.Backend.AUTO));

  private ImageDecoders() {}

  /**
   * Returns the decoder for an image.
   *
   * @param data the whole image
   * @throws FormatException if it is of no format that is decoded
   * @throws IllegalStateException if OpenCV is asked for and absent
   */
  static PixelDecoder forImage(byte[] data, ImageHeader header, DecodeOptions.Backend backend)
      throws FormatException {
    if (backend == DecodeOptions.Backend.OPENCV) {
      requireOpenCv();
    }
    PixelDecoder preferred =
        backend == DecodeOptions.Backend.AUTO ? FoundDecoders.preferred(header) : null;
    return preferred == null ? ours(data, header, backend) : preferred;
  }

  private static PixelDecoder ours(byte[] data, ImageHeader header, DecodeOptions.Backend backend)
      throws FormatException {
    return switch (header.format()) {
      case PNG -> PNG;
      case COEFFICIENTS -> COEFFICIENTS;
      case RAW -> RAW;
      case BMP -> BMP;
      case PNM -> PNM;
      case TIFF -> new TiffDecoder(ImageDecoders::openCv);
      case JPEG -> forJpeg(header, backend);
      case WEBP -> of(backend);
      case GIF, UNKNOWN -> FoundDecoders.ofForeign(data);
    };
  }

  /** Returns the decoder that reads images of a format in place, or null. */
  static @Nullable InPlaceDecoder inPlace(ImageFormat format) {
    return switch (format) {
      case COEFFICIENTS -> COEFFICIENTS;
      case RAW -> RAW;
      default -> null;
    };
  }

  /** Returns the decoder that reads masks of a format, or null. */
  static @Nullable IdDecoder forIds(ImageFormat format) {
    return switch (format) {
      case PNG -> PNG;
      case BMP -> BMP;
      case TIFF -> TIFF_IDS;
      default -> null;
    };
  }

  private static PixelDecoder forJpeg(ImageHeader header, DecodeOptions.Backend backend) {
    if (header.color() == ColorSpace.CMYK || header.color() == ColorSpace.YCCK) {
      // OpenCV's formula for inks is another.
      return IMAGE_IO;
    }
    return switch (backend) {
      case AUTO, FEEDLINE -> JPEG;
      case OPENCV, IMAGEIO -> of(backend);
    };
  }

  /**
   * Returns the library of a backend.
   *
   * @throws IllegalStateException if OpenCV is asked for and absent
   */
  public static PixelDecoder of(DecodeOptions.Backend backend) {
    return switch (backend) {
      case IMAGEIO -> IMAGE_IO;
      case AUTO, FEEDLINE -> OpenCv.DECODER == null ? INSTEAD : OpenCv.DECODER;
      case OPENCV -> {
        requireOpenCv();
        yield OpenCv.DECODER;
      }
    };
  }

  /** OpenCV whatever was chosen, for what ImageIO shows otherwise than Pillow. */
  private static PixelDecoder openCv() throws FormatException {
    if (OpenCv.DECODER == null) {
      throw new FormatException(
          "this kind of image needs OpenCV: add %s".formatted(OPENCV_ARTIFACT));
    }
    return OpenCv.DECODER;
  }

  private static void requireOpenCv() {
    if (OpenCv.DECODER == null) {
      throw new IllegalStateException(
          "OpenCV was asked for, but cannot be used: %s. Add %s"
              .formatted(reason(OpenCv.FAILURE), OPENCV_ARTIFACT),
          OpenCv.FAILURE);
    }
  }

  /** Tests whether a log line has said that ImageIO decodes, because OpenCV is missing. */
  static boolean warnedOfMissingLibrary() {
    return TOLD.get();
  }

  private static String reason(Throwable failure) {
    return isAbsent(failure) ? "it is not on the class path" : failure.toString();
  }

  private static boolean isAbsent(Throwable failure) {
    return failure == null || failure instanceof NoClassDefFoundError;
  }

  /** The probe: OpenCV is touched when this class is initialized, once, and nowhere before. */
  private static final class OpenCv {
    static final PixelDecoder DECODER;
    static final Throwable FAILURE;

    static {
      PixelDecoder decoder = null;
      Throwable failure = null;
      try {
        decoder = FoundDecoders.load(DecodeOptions.Backend.OPENCV);
        if (decoder != null) {
          LOG.info("images that are not decoded in Java are decoded by {}", decoder.name());
        }
      } catch (LinkageError | RuntimeException missing) {
        failure = missing;
      }
      DECODER = decoder;
      FAILURE = failure;
    }

    /**
     * Called where ImageIO decodes something; all else is decoded in Java with or without OpenCV.
     */
    static void tellWhatIsMissing() {
      if (TOLD.getAndSet(true)) {
        return;
      }
      if (isAbsent(FAILURE)) {
        LOG.info(
            "this image is decoded by {}; OpenCV is faster and reads WebP too: add {}",
            IMAGE_IO.name(),
            OPENCV_ARTIFACT);
      } else {
        LOG.warn(
            "OpenCV is on the class path but does not load, so this image is decoded by {}: {}."
                + " Are its natives there? It needs {}",
            IMAGE_IO.name(),
            FAILURE.toString(),
            OPENCV_ARTIFACT);
      }
    }
  }
}
