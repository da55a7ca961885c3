package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.store.ImageFormat;

/**
 * A reader of the marker segments before a JPEG's first scan (ITU-T T.81, annex B). It also tests
 * whether the file ends after its scans.
 */
final class JpegHeader {

  private static final String XMP_PREFIX = "http://ns.adobe.com/xap/1.0/\0";

  private final HeaderBytes bytes;
  private int frame = -1;
  private boolean lossless;
  private boolean jfif;
  private int adobeTransform = -1;
  private final ExifMetadata metadata = new ExifMetadata();

  private JpegHeader(HeaderBytes bytes) {
    this.bytes = bytes;
  }

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    JpegHeader header = new JpegHeader(bytes);
    header.readUntilScan();
    return header.result();
  }

  /**
   * Returns whether the marker EOI follows the last scan. Without it, libjpeg paints the missing
   * part gray and merely warns; Pillow refuses the file. Entropy-coded data cannot contain the two
   * bytes of EOI, so a file that ends with these bytes needs no search.
   */
  static boolean isComplete(byte[] data) throws FormatException {
    int length = data.length;
    if (length > 4
        && (data[length - 2] & 0xFF) == 0xFF
        && (data[length - 1] & 0xFF) == Marker.EOI) {
      return true;
    }
    JpegHeader header = new JpegHeader(HeaderBytes.bigEndian(data));
    int at = Marker.find(data, header.readUntilScan(), length);
    while (at >= 0) {
      int marker = data[at++] & 0xFF;
      if (marker == Marker.EOI) {
        return true;
      }
      if (!Marker.isAlone(marker)) {
        if (at + 2 > length) {
          return false;
        }
        at += Math.max(2, header.bytes.u16(at, "a segment's length"));
      }
      at = Marker.find(data, at, length);
    }
    return false;
  }

  private int readUntilScan() throws FormatException {
    int at = 2;
    while (true) {
      // libjpeg also skips stray bytes between segments.
      while (bytes.u8(at, "the marker of a JPEG segment") != 0xFF) {
        at++;
      }
      while (bytes.u8(at, "the marker of a JPEG segment") == 0xFF) {
        at++;
      }
      int marker = bytes.u8(at, "a marker");
      at++;
      if (marker == Marker.EOI) {
        throw new FormatException("the JPEG ends at byte %d, before any scan".formatted(at));
      }
      if (marker == 0 || Marker.isAlone(marker)) {
        continue;
      }
      int length = bytes.u16(at, "the length of a JPEG segment");
      if (length < 2) {
        if (!Marker.hasFreeContent(marker)) {
          throw new FormatException(
              "JPEG segment FF%02X at byte %d has length %d, expected 2 or more"
                  .formatted(marker, at - 2, length));
        }
        // libjpeg takes a length below 2 for 2.
        length = 2;
      }
      if (marker == Marker.SOS) {
        return at + length;
      }
      read(marker, at + 2, length - 2);
      at += length;
    }
  }

  private void read(int marker, int at, int length) throws FormatException {
    if (marker == Marker.APP0 && length >= 14 && bytes.startsWith(at, "JFIF\0")) {
      jfif = true;
    } else if (marker == Marker.APP1 && bytes.startsWith(at, ExifMetadata.EXIF_PREFIX)) {
      int prefix = ExifMetadata.EXIF_PREFIX.length();
      metadata.addExif(bytes.part(at + prefix, length - prefix, true).all());
    } else if (marker == Marker.APP1 && bytes.startsWith(at, XMP_PREFIX)) {
      int prefix = XMP_PREFIX.length();
      metadata.setXmp(bytes.part(at + prefix, length - prefix, true).all());
    } else if (marker == Marker.APP14 && length >= 12 && bytes.startsWith(at, "Adobe")) {
      adobeTransform = bytes.u8(at + 11, "the Adobe color transform");
    } else if (Marker.isFrame(marker) && frame < 0) {
      frame = at;
      lossless = marker == Marker.SOF3;
    }
  }

  private ImageHeader result() throws FormatException {
    if (frame < 0) {
      throw new FormatException("the JPEG has no frame header (SOF) before its first scan");
    }
    int bits = bytes.u8(frame, "the precision of the JPEG frame");
    if (bits != 8) {
      throw new FormatException("a JPEG of %d bits is not supported, only 8".formatted(bits));
    }
    int height = bytes.u16(frame + 1, "the height in the JPEG frame");
    int width = bytes.u16(frame + 3, "the width in the JPEG frame");
    int components = bytes.u8(frame + 5, "the number of components in the JPEG frame");
    ColorSpace color =
        switch (components) {
          case 1 -> ColorSpace.GRAY;
          case 3 -> colorOfThree();
          // As in libjpeg, an Adobe marker with any value but 0 means YCCK.
          case 4 -> adobeTransform > 0 ? ColorSpace.YCCK : ColorSpace.CMYK;
          default ->
              throw new FormatException(
                  "a JPEG with %d components is not supported, only 1, 3 and 4"
                      .formatted(components));
        };
    if (lossless && (color == ColorSpace.YCBCR || color == ColorSpace.YCCK)) {
      // libjpeg does not convert lossless JPEGs to RGB either.
      throw new FormatException(
          "a lossless JPEG of luminance and color differences is not supported");
    }
    return ImageHeader.of(ImageFormat.JPEG, width, height, color, metadata.orientation());
  }

  /**
   * Returns the color space of three components as libjpeg's default_decompress_parms finds it: by
   * JFIF, or else by Adobe's marker, or else by the names of the components.
   */
  private ColorSpace colorOfThree() throws FormatException {
    if (jfif) {
      return ColorSpace.YCBCR;
    }
    if (adobeTransform >= 0) {
      return adobeTransform == 0 ? ColorSpace.PLAIN : ColorSpace.YCBCR;
    }
    if (lossless) {
      return ColorSpace.PLAIN;
    }
    boolean named =
        bytes.u8(frame + 6, "a component") == 'R'
            && bytes.u8(frame + 9, "a component") == 'G'
            && bytes.u8(frame + 12, "a component") == 'B';
    return named ? ColorSpace.PLAIN : ColorSpace.YCBCR;
  }
}
