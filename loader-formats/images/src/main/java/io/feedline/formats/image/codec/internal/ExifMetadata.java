package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedline.formats.image.codec.ImageHeader.Orientation;
import java.io.ByteArrayOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata from which the orientation of an image is read: EXIF or, if EXIF lacks the
 * orientation, XMP. Among several blocks, the choice is that of Pillow's {@code
 * ImageOps.exif_transpose}.
 */
final class ExifMetadata {

  static final String EXIF_PREFIX = "Exif\0\0";

  private static final Pattern XMP_ORIENTATION = Pattern.compile("tiff:Orientation(=\"|>)([0-9])");

  private final ByteArrayOutputStream exif = new ByteArrayOutputStream();
  private boolean hasExif;
  private byte @Nullable [] xmp;

  /** Adds EXIF; a second block is appended to the first, like the segments of a JPEG. */
  void addExif(byte[] block) {
    exif.writeBytes(block);
    hasExif = true;
  }

  void setExif(byte[] block) {
    exif.reset();
    addExif(block);
  }

  boolean hasExif() {
    return hasExif;
  }

  void setXmp(byte[] packet) {
    xmp = packet;
  }

  Orientation orientation() {
    HeaderBytes tiff = HeaderBytes.bigEndian(exif.toByteArray());
    // Some writers put the prefix of JPEG's EXIF before the TIFF header, even twice.
    while (tiff.startsWith(0, EXIF_PREFIX)) {
      tiff = tiff.part(EXIF_PREFIX.length(), tiff.length(), true);
    }
    Orientation found = tiff.length() == 0 ? null : TiffHeader.orientationOfExif(tiff);
    return found == null ? ofXmp(xmp) : found;
  }

  static Orientation ofXmp(byte @Nullable [] packet) {
    if (packet != null) {
      Matcher matcher = XMP_ORIENTATION.matcher(new String(packet, ISO_8859_1));
      if (matcher.find()) {
        return Orientation.ofTag(Integer.parseInt(matcher.group(2)));
      }
    }
    return Orientation.NORMAL;
  }
}
