package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * Holds, for each coefficient, the lowest bit that the scans of a progressive JPEG have decoded so
 * far; -1 if they have decoded no bit. libjpeg calls these numbers {@code coef_bits}.
 */
final class Progression {

  /** The number of coefficients that smoothing reads, from the first in the order of the file. */
  static final int SMOOTHED = 10;

  private static final int MAX_LOW = 13;

  private final int[][] bits;

  /** The {@code bits} of each component before its last scan. */
  private final int[][] before;

  Progression(int components) {
    this.bits = new int[components][64];
    this.before = new int[components][64];
    for (int[] each : bits) {
      Arrays.fill(each, -1);
    }
  }

  int[] bits(int component) {
    return bits[component];
  }

  int[] before(int component) {
    return before[component];
  }

  void begin(Segments.Scan scan, int scans, int position) throws JpegException {
    int from = scan.from();
    int to = scan.to();
    boolean possible = from == 0 ? to == 0 : from <= to && to < 64 && scan.components().length == 1;
    if (!possible || (scan.high() != 0 && scan.low() != scan.high() - 1) || scan.low() > MAX_LOW) {
      throw Segments.wrong(
          "a progressive scan of places %d to %d and bits %d to %d"
              .formatted(from, to, scan.high(), scan.low()),
          position);
    }
    for (Frame.Component each : scan.components()) {
      int[] known = bits[each.index];
      int first = Math.min(from, 1);
      int end = Math.max(to, SMOOTHED - 1) + 1;
      if (scans > 1) {
        System.arraycopy(known, first, before[each.index], first, end - first);
      } else {
        Arrays.fill(before[each.index], first, end, 0);
      }
      Arrays.fill(known, from, to + 1, scan.low());
    }
  }
}
