package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.store.ImageFormat;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a decoder for each image: an {@link ImageDecoder} on the class path, or else Feedline's
 * own decoder in Java. Feedline decodes all formats but WebP, which OpenCV decodes.
 */
public final class ImageDecoders {

  static final String OPENCV_ARTIFACT = "io.feedline:loader-opencv";
  private static final PngDecoder PNG = new PngDecoder();
  private static final InPlaceDecoder COEFFICIENTS = new CoefficientImageDecoder();
  private static final InPlaceDecoder RAW = new RawDecoder();
  private static final BmpDecoder BMP = new BmpDecoder();
  private static final PixelDecoder PNM = new PnmDecoder();
  private static final PixelDecoder GIF = new GifDecoder();

  private static final TiffDecoder TIFF = new TiffDecoder();

  private static final PixelDecoder JPEG = new JavaJpegDecoder();

  private ImageDecoders() {}

  /**
   * Returns the decoder for an image.
   *
   * @throws FormatException if no decoder decodes the image's format
   * @throws IllegalStateException if {@code backend} is OpenCV, and OpenCV cannot be used
   */
  static PixelDecoder forImage(byte[] data, ImageHeader header, DecodeOptions.Backend backend)
      throws FormatException {
    if (backend == DecodeOptions.Backend.OPENCV) {
      requireOpenCv();
    }
    PixelDecoder preferred =
        backend == DecodeOptions.Backend.AUTO ? FoundDecoders.preferred(header) : null;
    return preferred == null ? ours(data, header) : preferred;
  }

  private static PixelDecoder ours(byte[] data, ImageHeader header) throws FormatException {
    return switch (header.format()) {
      case PNG -> PNG;
      case COEFFICIENTS -> COEFFICIENTS;
      case RAW -> RAW;
      case BMP -> BMP;
      case PNM -> PNM;
      case TIFF -> TIFF;
      case JPEG -> JPEG;
      case WEBP -> openCv();
      case GIF -> GIF;
      case UNKNOWN -> FoundDecoders.ofForeign(data);
    };
  }

  static @Nullable InPlaceDecoder inPlace(ImageFormat format) {
    return switch (format) {
      case COEFFICIENTS -> COEFFICIENTS;
      case RAW -> RAW;
      default -> null;
    };
  }

  static @Nullable IdDecoder forIds(ImageFormat format) {
    return switch (format) {
      case PNG -> PNG;
      case BMP -> BMP;
      case TIFF -> TIFF;
      default -> null;
    };
  }

  private static PixelDecoder openCv() throws FormatException {
    if (OpenCv.DECODER == null) {
      throw new FormatException(
          "WebP needs OpenCV, which cannot be used: %s. Add %s"
              .formatted(reason(OpenCv.FAILURE), OPENCV_ARTIFACT));
    }
    return OpenCv.DECODER;
  }

  /** Throws {@link IllegalStateException} if OpenCV cannot be used. */
  public static void requireOpenCv() {
    if (OpenCv.DECODER == null) {
      throw new IllegalStateException(
          "OpenCV was asked for, but cannot be used: %s. Add %s"
              .formatted(reason(OpenCv.FAILURE), OPENCV_ARTIFACT),
          OpenCv.FAILURE);
    }
  }

  private static String reason(@Nullable Throwable failure) {
    boolean absent = failure == null || failure instanceof NoClassDefFoundError;
    return absent ? "it is not on the class path" : failure.toString();
  }

  /** OpenCV's decoder. It is loaded once, when this class is initialized. */
  private static final class OpenCv {
    static final PixelDecoder DECODER;
    static final Throwable FAILURE;

    static {
      PixelDecoder decoder = null;
      Throwable failure = null;
      try {
        decoder = FoundDecoders.load(DecodeOptions.Backend.OPENCV);
      } catch (LinkageError | RuntimeException missing) {
        failure = missing;
      }
      DECODER = decoder;
      FAILURE = failure;
    }
  }
}
