package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.I64;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.MASK;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.i16;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.u16;

/** The {@link SetKernels} in plain Java. */
final class PlainSetKernels extends SetKernels {

  @Override
  boolean writesAllLanes() {
    return false;
  }

  @Override
  void narrow(byte[] bytes, int at, int[] values, int slot, int quantizer) {
    int base = i16(bytes, at);
    for (int lane = 0; lane < LANES; lane++) {
      values[slot + lane] = (short) ((base + bytes[at + 2 + lane]) * quantizer);
    }
  }

  @Override
  void wide(byte[] bytes, int at, int[] values, int slot, int quantizer) {
    for (int lane = 0; lane < LANES; lane++) {
      values[slot + lane] = (short) (i16(bytes, at + 2 * lane) * quantizer);
    }
  }

  @Override
  int bytes(byte[] bytes, int masks, int from, int end, int[] values, int slot, long[] places) {
    int next = from;
    for (int place = 1, at = masks; place < end; place++, at += MASK) {
      int quantizer = (int) places[place];
      int to = start(places[place], slot);
      for (int mask = u16(bytes, at); mask != 0; mask &= mask - 1) {
        // As in EntropyDecoder, the mask saves the check of the index.
        values[(to + Integer.numberOfTrailingZeros(mask)) & (values.length - 1)] =
            bytes[next++] * quantizer;
      }
    }
    return next;
  }

  @Override
  int nibbles(
      byte[] bytes,
      int masks,
      int from,
      int begin,
      int end,
      int[] values,
      int slot,
      long[] places) {
    int next = from;
    for (int place = begin, at = masks; place < end; place++, at += MASK) {
      int mask = u16(bytes, at);
      long packed = (long) I64.get(bytes, next);
      next += (Integer.bitCount(mask) + 1) >> 1;
      int quantizer = (int) places[place];
      int to = start(places[place], slot);
      for (; mask != 0; mask &= mask - 1, packed >>>= 4) {
        values[(to + Integer.numberOfTrailingZeros(mask)) & (values.length - 1)] =
            (int) (packed << 60 >> 60) * quantizer;
      }
    }
    return next;
  }
}
