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
 * The inner loops that read sets (see {@link CoefficientLayout}) of a coefficient record into
 * dequantized coefficients. They exist in plain Java and as {@code VectorSetKernels}, which {@code
 * VectorSetKernelChoice} chooses if they are faster.
 *
 * <p>Sets may contain any bytes. Even so, nothing is written outside a set's own lanes and
 * frequencies, and nothing is read more than {@link CoefficientLayout#REACH} bytes after a set's
 * beginning, or, for escapes, after the given end.
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
   * Returns whether {@link #read} writes all lanes of a set's places. Otherwise it writes only the
   * values that are not 0; all coefficients must be 0 before the call.
   */
  abstract boolean writesAllLanes();

  /**
   * Reads the set of 16 blocks that begins at {@code at}; returns its end, or {@link #INVALID}.
   *
   * @param end the end of the group of sets to which the set belongs
   * @param values the coefficients to write, as {@link Coefficients#values} returns them
   * @param slot the slot of the first MCU's block; the slots of the other 15 blocks follow
   * @param places the places and quantizers, as in {@link McuTables#places}
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

  /**
   * Reads the DC values of all lanes: a base for all, and a byte for each lane. Products with the
   * quantizer keep their lower 16 bits, signed.
   */
  abstract void narrow(byte[] bytes, int at, int[] values, int slot, int quantizer);

  /** Reads DC values like {@link #narrow}, but 16 bits for each lane, and no base. */
  abstract void wide(byte[] bytes, int at, int[] values, int slot, int quantizer);

  /**
   * Reads the places from 1 to before {@code end}, whose values are bytes. Their masks begin at
   * {@code masks}, and their values at {@code from}. Returns the end of the values.
   */
  abstract int bytes(
      byte[] bytes, int masks, int from, int end, int[] values, int slot, long[] places);

  /** Reads places like {@link #bytes}, but from {@code begin} on, and with values of 4 bits. */
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
