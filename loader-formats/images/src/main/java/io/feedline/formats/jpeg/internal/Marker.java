package io.feedline.formats.jpeg.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The marker codes of ITU-T T.81, table B.1. In a file, a marker is a byte FF and then the code.
 */
public final class Marker {

  /** The value for the end of the data, which is not a marker. */
  static final int NONE = 0;

  static final int TEM = 0x01;
  static final int SOF0 = 0xC0;
  public static final int SOF1 = 0xC1;
  static final int SOF2 = 0xC2;
  public static final int SOF3 = 0xC3;

  /** The last of the markers from SOF0 on, which begin a frame, except DHT, JPG and DAC. */
  static final int SOF15 = 0xCF;

  /** The first marker of frames with arithmetic coding. */
  static final int SOF9 = 0xC9;

  static final int SOF10 = 0xCA;

  public static final int DHT = 0xC4;
  static final int JPG = 0xC8;
  static final int DAC = 0xCC;

  /** The first of eight restart markers. */
  public static final int RST0 = 0xD0;

  public static final int SOI = 0xD8;
  public static final int EOI = 0xD9;
  public static final int SOS = 0xDA;
  static final int DQT = 0xDB;

  /** The marker of the number of lines, which follows the first scan. */
  static final int DNL = 0xDC;

  public static final int DRI = 0xDD;
  public static final int APP0 = 0xE0;
  public static final int APP1 = 0xE1;
  public static final int APP14 = 0xEE;
  static final int APP15 = 0xEF;
  static final int COM = 0xFE;

  /** The byte that may be repeated before a marker; it is not a marker itself. */
  static final int FILL = 0xFF;

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Marker() {}

  /** Returns the offset of the first marker's code byte in a range; -1 without a marker. */
  public static int find(byte[] data, int from, int end) {
    int at = from;
    while (at + 1 < end) {
      if (at <= end - Long.BYTES) {
        long word = (long) WORD.get(data, at);
        // The lowest set bit of found marks the first FF.
        long found = (~word - LOW_BITS) & word & HIGH_BITS;
        if (found == 0) {
          at += Long.BYTES;
          continue;
        }
        at += Long.numberOfTrailingZeros(found) >>> 3;
      }
      if (data[at] == (byte) FILL && data[at + 1] != 0 && data[at + 1] != (byte) FILL) {
        return at + 1;
      }
      at++;
    }
    return -1;
  }

  public static boolean isAlone(int marker) {
    return marker == TEM || (marker >= RST0 && marker <= EOI);
  }

  public static boolean isFrame(int marker) {
    return marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC;
  }

  /** Returns whether libjpeg knows the marker; libjpeg refuses a file with an unknown marker. */
  public static boolean isKnown(int marker) {
    return marker == TEM
        || (marker >= SOF0 && marker <= DRI && marker != JPG)
        || (marker >= APP0 && marker <= APP15)
        || marker == COM;
  }

  public static boolean hasFreeContent(int marker) {
    return marker == COM || marker == DNL || (marker >= APP0 && marker <= APP15);
  }

  public static String name(int marker) {
    return marker == NONE ? "the end of the data" : "the marker FF%02X".formatted(marker);
  }
}
