package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.ESCAPE;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.MASK;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.MAX_ESCAPES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.NARROW;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.NARROW_DC;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.SET_HEADER;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.WIDE_DC;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.i16;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.u16;

import io.feedline.formats.internal.VectorApi;
import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.McuTables;
import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;

/**
 * The inner loops between the sets of a coefficient record and dequantized coefficients, in plain
 * Java or in {@code VectorSetKernels}, which {@code VectorSetKernelChoice} takes where they pay.
 *
 * <p>Sets may say anything: nothing is written outside of a set's own lanes and frequencies, and
 * nothing is read further than {@link CoefficientLayout#REACH} behind a set's beginning, or behind
 * the end that is given.
 */
abstract class SetKernels {

  static final int INVALID = -1;

  static SetKernels create() {
    Supplier<?> choice =
        VectorApi.kernels(
            MethodHandles.lookup(),
            Supplier.class,
            "VectorSetKernelChoice",
            () -> (Supplier<SetKernels>) PlainSetKernels::new);
    return (SetKernels) choice.get();
  }

  /**
   * Tests whether {@link #read} writes all lanes of the frequencies that a set has, rather than
   * only values, to coefficients that have to be 0 before.
   */
  abstract boolean writesAllLanes();

  /**
   * Reads the set at an offset; returns where it ends, or {@link #INVALID}.
   *
   * @param end where its group ends
   * @param values as {@link Coefficients#values}
   * @param slot the slot of lane 0; the others follow
   * @param places as {@link McuTables#places}
   */
  final int read(byte[] bytes, int at, int end, int[] values, int slot, long[] places) {
    int count = bytes[at] & (NARROW - 1);
    int wide = bytes[at + 1];
    int escapes = u16(bytes, at + 2);
    if (count < 1 || count > 64 || wide < 1 || wide > count || escapes > MAX_ESCAPES) {
      return INVALID;
    }
    int masks = at + SET_HEADER;
    if (bytes[at] < 0) {
      narrow(bytes, masks, values, slot, (int) places[0]);
      masks += NARROW_DC;
    } else {
      wide(bytes, masks, values, slot, (int) places[0]);
      masks += WIDE_DC;
    }
    int next = masks + MASK * (count - 1);
    next = bytes(bytes, masks, next, wide, values, slot, places);
    masks += MASK * (wide - 1);
    next = nibbles(bytes, masks, next, wide, count, values, slot, places);
    if (escapes == 0) {
      return next;
    }
    return next > end - ESCAPE * escapes
        ? INVALID
        : escapes(bytes, next, escapes, count, values, slot, places);
  }

  /** Reads DC of all lanes: a base and a byte for each. Products are what 16 bits leave of them. */
  abstract void narrow(byte[] bytes, int at, int[] values, int slot, int quantizer);

  /** Reads DC of all lanes, 16 bits each. Products are what 16 bits leave of them. */
  abstract void wide(byte[] bytes, int at, int[] values, int slot, int quantizer);

  /**
   * Reads the places from 1 to {@code end}, whose masks and values begin at {@code masks} and
   * {@code from}, and whose values are bytes; returns where the values end.
   */
  abstract int bytes(
      byte[] bytes, int masks, int from, int end, int[] values, int slot, long[] places);

  /** As {@link #bytes}, of nibbles, for the places from {@code begin} to {@code end}. */
  abstract int nibbles(
      byte[] bytes, int masks, int from, int begin, int end, int[] values, int slot, long[] places);

  private static int escapes(
      byte[] bytes, int from, int escapes, int count, int[] values, int slot, long[] places) {
    int at = from;
    for (int i = 0; i < escapes; i++, at += ESCAPE) {
      int where = u16(bytes, at);
      int place = where / LANES;
      if (place < 1 || place >= count) {
        return INVALID;
      }
      values[start(places[place], slot) + where % LANES] =
          (short) (i16(bytes, at + 2) * (int) places[place]);
    }
    return at;
  }

  static int start(long place, int slot) {
    return (int) (place >>> 32) + slot;
  }
}
