package io.feedline.formats.jpeg.internal;

/**
 * A reader of the binary decisions of an arithmetically coded scan (T.81, annex D), as in libjpeg
 * (jdarith.c). At a marker it returns zeros without an error, since encoders leave out trailing
 * zeros.
 */
final class ArithmeticBits {

  /** The state of a bin for which 0 and 1 are equally likely, and stay so. */
  static final byte EVEN = 113;

  /**
   * The states of T.81, table D.3, and a last state that never changes. An element contains the
   * probability of the less probable symbol, the next state after the more probable symbol, a bit
   * that is set if the two symbols are exchanged, and the next state after the less probable
   * symbol.
   */
  private static final int[] STATES = {
    0x5a1d0181, 0x2586020e, 0x11140310, 0x080b0412, 0x03d80514, 0x01da0617, 0x00e50719,
    0x006f081c, 0x0036091e, 0x001a0a21, 0x000d0b23, 0x00060c09, 0x00030d0a, 0x00010d0c,
    0x5a7f0f8f, 0x3f251024, 0x2cf21126, 0x207c1227, 0x17b91328, 0x1182142a, 0x0cef152b,
    0x09a1162d, 0x072f172e, 0x055c1830, 0x04061931, 0x03031a33, 0x02401b34, 0x01b11c36,
    0x01441d38, 0x00f51e39, 0x00b71f3b, 0x008a203c, 0x0068213e, 0x004e223f, 0x003b2320,
    0x002c0921, 0x5ae125a5, 0x484c2640, 0x3a0d2741, 0x2ef12843, 0x261f2944, 0x1f332a45,
    0x19a82b46, 0x15182c48, 0x11772d49, 0x0e742e4a, 0x0bfb2f4b, 0x09f8304d, 0x0861314e,
    0x0706324f, 0x05cd3330, 0x04de3432, 0x040f3532, 0x03633633, 0x02d43734, 0x025c3835,
    0x01f83936, 0x01a43a37, 0x01603b38, 0x01253c39, 0x00f63d3a, 0x00cb3e3b, 0x00ab3f3d,
    0x008f203d, 0x5b1241c1, 0x4d044250, 0x412c4351, 0x37d84452, 0x2fe84553, 0x293c4654,
    0x23794756, 0x1edf4857, 0x1aa94957, 0x174e4a48, 0x14244b48, 0x119c4c4a, 0x0f6b4d4a,
    0x0d514e4b, 0x0bb64f4d, 0x0a40304d, 0x583251d0, 0x4d1c5258, 0x438e5359, 0x3bdd545a,
    0x34ee555b, 0x2eae565c, 0x299a575d, 0x25164756, 0x557059d8, 0x4ca95a5f, 0x44d95b60,
    0x3e225c61, 0x38245d63, 0x32b45e63, 0x2e17565d, 0x56a860df, 0x4f466165, 0x47e56266,
    0x41cf6367, 0x3c3d6468, 0x375e5d63, 0x52316669, 0x4c0f676a, 0x4639686b, 0x415e6367,
    0x56276ae9, 0x50e76b6c, 0x4b85676d, 0x55976d6e, 0x504f6b6f, 0x5a106fee, 0x55226d70,
    0x59eb6ff0, 0x5a1d7171,
  };

  private final Segments segments;
  private final byte[] data;
  private long code;
  private int interval;

  /** The number of bits of {@link #code} below the interval; negative while bits are missing. */
  private int shift;

  ArithmeticBits(Segments segments) {
    this.segments = segments;
    this.data = segments.data();
    start();
  }

  private void start() {
    code = 0;
    interval = 0;
    shift = -16;
  }

  void restart() throws JpegException {
    segments.restart();
    start();
  }

  int next(byte[] states, int bin) throws JpegException {
    while (interval < 0x8000) {
      if (--shift < 0) {
        code = code << 8 | nextByte();
        shift += 8;
        if (shift < 0 && ++shift == 0) {
          interval = 0x8000;
        }
      }
      interval <<= 1;
    }
    int state = states[bin];
    int entry = STATES[state & 0x7F];
    int less = entry >>> 16;
    int afterLess = entry & 0xFF;
    int afterMore = entry >>> 8 & 0xFF;
    interval -= less;
    long limit = (long) interval << shift;
    boolean exchanged;
    if (code >= limit) {
      code -= limit;
      exchanged = interval >= less;
      interval = less;
    } else if (interval < 0x8000) {
      exchanged = interval < less;
    } else {
      return state >> 7 & 1;
    }
    states[bin] = (byte) ((state & 0x80) ^ (exchanged ? afterLess : afterMore));
    return (exchanged ? state ^ 0x80 : state) >> 7 & 1;
  }

  private int nextByte() throws JpegException {
    if (segments.pending() != 0) {
      return 0;
    }
    int value = read();
    if (value == 0xFF) {
      do {
        value = read();
      } while (value == 0xFF);
      if (value != 0) {
        segments.pending(value);
        return 0;
      }
      value = 0xFF;
    }
    return value;
  }

  private int read() throws JpegException {
    int at = segments.position();
    if (at >= data.length) {
      throw segments.truncated();
    }
    segments.position(at + 1);
    return data[at] & 0xFF;
  }
}
