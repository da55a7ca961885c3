package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.store.ImageFormat;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** A reader of a PNG's size, and of its orientation if the PNG has one (ISO/IEC 15948). */
final class PngHeader {

  static final String SIGNATURE = "\u0089PNG\r\n\u001A\n";
  static final int FIRST_CHUNK = 8;
  static final int CHUNK_OVERHEAD = 12;
  private static final String XMP_KEYWORD = "XML:com.adobe.xmp\0";

  /** The keyword of the text in which ImageMagick stores EXIF, when PNG had no chunk for it. */
  private static final String PROFILE_KEYWORD = "Raw profile type exif\0";

  private static final int MAX_TEXT = 1 << 20;

  private PngHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    if (!bytes.startsWith(FIRST_CHUNK, "\0\0\0\rIHDR")) {
      throw new FormatException(
          "the PNG does not begin with an IHDR chunk of 13 bytes at byte 8, found %d bytes of type %08X"
              .formatted(
                  bytes.u32(FIRST_CHUNK, "the length of IHDR"),
                  bytes.u32(FIRST_CHUNK + 4, "the type of IHDR")));
    }
    long width = bytes.u32(16, "the width of the PNG");
    long height = bytes.u32(20, "the height of the PNG");
    return ImageHeader.of(ImageFormat.PNG, width, height, ColorSpace.PLAIN, orientation(bytes));
  }

  private static Orientation orientation(HeaderBytes bytes) throws FormatException {
    ExifMetadata metadata = new ExifMetadata();
    byte[] profile = null;
    long at = FIRST_CHUNK;
    while (at + CHUNK_OVERHEAD <= bytes.length() && !bytes.startsWith(at + 4, "IEND")) {
      long length = bytes.u32(at, "the length of a chunk");
      HeaderBytes content = bytes.part((int) at + 8, length, true);
      if (bytes.startsWith(at + 4, "eXIf")) {
        metadata.setExif(content.all());
      } else if (content.startsWith(0, XMP_KEYWORD)) {
        metadata.setXmp(text(bytes, at + 4, content.all(), XMP_KEYWORD.length()));
      } else if (content.startsWith(0, PROFILE_KEYWORD)) {
        profile = text(bytes, at + 4, content.all(), PROFILE_KEYWORD.length());
      }
      at += length + CHUNK_OVERHEAD;
    }
    if (!metadata.hasExif() && profile != null) {
      metadata.setExif(ofHexadecimalLines(profile));
    }
    return metadata.orientation();
  }

  private static byte[] text(HeaderBytes bytes, long typeAt, byte[] content, int from) {
    int at = from;
    boolean deflated = bytes.startsWith(typeAt, "zTXt");
    if (deflated) {
      at++;
    } else if (bytes.startsWith(typeAt, "iTXt")) {
      deflated = at < content.length && content[at] != 0;
      at += 2;
      for (int strings = 0; strings < 2; at++) {
        if (at >= content.length) {
          return new byte[0];
        }
        strings += content[at] == 0 ? 1 : 0;
      }
    } else if (!bytes.startsWith(typeAt, "tEXt")) {
      return new byte[0];
    }
    byte[] text = Arrays.copyOfRange(content, Math.min(at, content.length), content.length);
    return deflated ? inflated(text) : text;
  }

  /** Returns inflated text, cut to a mebibyte as in Pillow; empty if it is damaged. */
  private static byte[] inflated(byte[] text) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(text);
      byte[] inflated = new byte[MAX_TEXT];
      int length = 0;
      int read;
      do {
        read = inflater.inflate(inflated, length, MAX_TEXT - length);
        length += read;
      } while (read > 0);
      return Arrays.copyOf(inflated, length);
    } catch (DataFormatException damaged) {
      return new byte[0];
    } finally {
      inflater.end();
    }
  }

  /** Returns the bytes of an ImageMagick profile: hexadecimal digits after three lines. */
  private static byte[] ofHexadecimalLines(byte[] profile) {
    String[] lines = new String(profile, ISO_8859_1).split("\n", 4);
    String digits = lines.length < 4 ? "" : lines[3].replaceAll("\\s", "");
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException noDigits) {
      return new byte[0];
    }
  }
}
