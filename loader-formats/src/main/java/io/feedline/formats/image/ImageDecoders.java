package io.feedline.formats.image;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which decoder gets which image. Both libraries give the same pixels where they can; an image
 * that one of them shows otherwise than Pillow goes to the one that does not, whatever was chosen.
 */
final class ImageDecoders {

  static final String OPENCV_COORDINATES =
      "org.bytedeco:opencv:4.13.0-1.5.13 and org.bytedeco:openblas:0.3.31-1.5.13, each also with"
          + " your platform's classifier, or org.bytedeco:opencv-platform:4.13.0-1.5.13";

  private static final Logger LOG = LoggerFactory.getLogger(ImageDecoders.class);
  private static final ImageDecoder PNM = new PnmDecoder();
  private static final ImageIoDecoder IMAGE_IO = new ImageIoDecoder();

  /** For JPEGs; the libraries are touched when an image needs one, and not before. */
  private static final ImageDecoder JPEG = new JavaJpegDecoder(() -> of(ImageBackend.AUTO), true);

  private static final ImageDecoder FASTEST_JPEG =
      new JavaJpegDecoder(() -> of(ImageBackend.AUTO), false);

  private ImageDecoders() {}

  /**
   * The decoder for an image.
   *
   * @throws IllegalStateException if OpenCV is asked for and absent
   */
  static ImageDecoder forImage(ImageHeader header, ImageBackend backend) {
    if (header.format() == ImageFormat.PNM) {
      return PNM;
    }
    if (showsOtherwise(header)) {
      return IMAGE_IO;
    }
    if (header.format() != ImageFormat.JPEG) {
      return of(backend);
    }
    return switch (backend) {
      case AUTO -> FASTEST_JPEG;
      case FEEDLINE -> JPEG;
      case OPENCV, IMAGEIO -> of(backend);
    };
  }

  /** Whether OpenCV makes something else of an image than Pillow. */
  private static boolean showsOtherwise(ImageHeader header) {
    return switch (header.color()) {
      // Its formula for inks is another.
      case CMYK, YCCK -> true;
      // It shifts 5 bits to 8, instead of scaling them.
      case PACKED_16 -> true;
      // It obeys some orientations of a TIFF and not others.
      case PLAIN, YCBCR ->
          header.format() == ImageFormat.TIFF && header.orientation() != Orientation.NORMAL;
    };
  }

  /**
   * The library of a backend.
   *
   * @throws IllegalStateException if OpenCV is asked for and absent
   */
  static ImageDecoder of(ImageBackend backend) {
    return switch (backend) {
      case IMAGEIO -> IMAGE_IO;
      case AUTO, FEEDLINE -> OpenCv.DECODER == null ? IMAGE_IO : OpenCv.DECODER;
      case OPENCV -> {
        if (OpenCv.DECODER == null) {
          throw new IllegalStateException(
              "OpenCV was asked for, but cannot be used: %s. It needs %s"
                  .formatted(reason(OpenCv.FAILURE), OPENCV_COORDINATES),
              OpenCv.FAILURE);
        }
        yield OpenCv.DECODER;
      }
    };
  }

  private static String reason(Throwable failure) {
    return failure instanceof NoClassDefFoundError
        ? "it is not on the class path"
        : failure.toString();
  }

  /** The probe: OpenCV is touched when this class is initialized, once, and nowhere before. */
  private static final class OpenCv {
    static final ImageDecoder DECODER;
    static final Throwable FAILURE;

    static {
      ImageDecoder decoder = null;
      Throwable failure = null;
      try {
        decoder = OpenCvDecoder.load();
        LOG.info("images are decoded by {}", decoder.name());
      } catch (NoClassDefFoundError absent) {
        failure = absent;
        LOG.info(
            "images are decoded by {}; OpenCV is faster and reads WebP too: add {}",
            IMAGE_IO.name(),
            OPENCV_COORDINATES);
      } catch (LinkageError | RuntimeException broken) {
        failure = broken;
        LOG.warn(
            "OpenCV is on the class path but does not load, so images are decoded by {}: {}."
                + " Are its natives there? It needs {}",
            IMAGE_IO.name(),
            broken.toString(),
            OPENCV_COORDINATES);
      }
      DECODER = decoder;
      FAILURE = failure;
    }
  }
}
