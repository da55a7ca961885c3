package io.feedline.formats.image.transform.internal;

/**
 * A table of the new value of each sample, by channel: Pillow's {@code point}. Some tables are made
 * for one image, from its histogram.
 */
final class SampleTable {
  private static final int CHANNELS = 3;
  private static final int VALUES = 256;

  private final byte[][] tables = new byte[CHANNELS][VALUES];

  private SampleTable() {}

  @FunctionalInterface
  interface Function {
    /** Returns the new value; the table clips it to 0..255. */
    int of(int channel, int value);
  }

  static SampleTable of(Function function) {
    SampleTable table = new SampleTable();
    for (int c = 0; c < CHANNELS; c++) {
      for (int i = 0; i < VALUES; i++) {
        table.tables[c][i] = (byte) Math.max(0, Math.min(255, function.of(c, i)));
      }
    }
    return table;
  }

  void apply(byte[] rgb, int length) {
    byte[] red = tables[0];
    byte[] green = tables[1];
    byte[] blue = tables[2];
    for (int i = 0; i < length; i += 3) {
      rgb[i] = red[rgb[i] & 0xFF];
      rgb[i + 1] = green[rgb[i + 1] & 0xFF];
      rgb[i + 2] = blue[rgb[i + 2] & 0xFF];
    }
  }

  /** Returns the frequency of each value, by channel. */
  static int[][] histogram(byte[] rgb, int length) {
    int[][] counts = new int[CHANNELS][VALUES];
    int[] red = counts[0];
    int[] green = counts[1];
    int[] blue = counts[2];
    for (int i = 0; i < length; i += 3) {
      red[rgb[i] & 0xFF]++;
      green[rgb[i + 1] & 0xFF]++;
      blue[rgb[i + 2] & 0xFF]++;
    }
    return counts;
  }
}
