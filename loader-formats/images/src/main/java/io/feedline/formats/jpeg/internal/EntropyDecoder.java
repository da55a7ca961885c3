package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.HuffmanTable.ADVANCE_MASK;
import static io.feedline.formats.jpeg.internal.HuffmanTable.ADVANCE_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.END_OF_BLOCK;
import static io.feedline.formats.jpeg.internal.HuffmanTable.FAST_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.INCOMPLETE;
import static io.feedline.formats.jpeg.internal.HuffmanTable.LENGTH_MASK;
import static io.feedline.formats.jpeg.internal.HuffmanTable.MAX_SKIP;
import static io.feedline.formats.jpeg.internal.HuffmanTable.SKIP_END_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.SKIP_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.VALUE_SHIFT;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A decoder of the MCUs of one restart interval, from bits to dequantized coefficients (ITU-T T.81,
 * section F.2.2). It can also skip MCUs. Markers, rows and images are the task of {@link
 * ScanReader}.
 *
 * <p><b>Form of the loops.</b> They take more than half of the time of an image.
 *
 * <ul>
 *   <li>{@code bits} contains the next bits at its upper end. A refill is one load of 8 bytes
 *       without a branch; bits that are already present are combined with themselves by an or.
 *       After a refill there are at least 56 bits, enough for two symbols of at most {@value
 *       HuffmanTable#FAST_BITS} bits and then a symbol of any length.
 *   <li>{@code bits << entry} shifts by the length in the entry's lowest 6 bits, because Java
 *       ignores the other bits.
 *   <li>No entry advances by 0, and EOB stores a zero that is never read. So every symbol takes the
 *       same path.
 *   <li>{@code & (length - 1)} on an array whose length is a power of two saves the check of the
 *       index.
 *   <li>The state is in local variables. Most errors are found only at the end of a block or an
 *       MCU.
 * </ul>
 */
final class EntropyDecoder {

  enum Failure {
    ENDS_EARLY,
    NO_SUCH_CODE,
    TOO_MANY_COEFFICIENTS
  }

  static final VarHandle BITS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final EntropyWindow window;
  private final McuTables tables;

  private int[] coefficients;
  private int mcusPerBatch;

  // The next bits are the upper bitCount bits of bits, followed by the bytes from position on.
  private long bits;
  private int bitCount;
  private int position;
  private final int[] predictions = new int[3];
  private Failure failure;

  EntropyDecoder(EntropyWindow window, McuTables tables) {
    this.window = window;
    this.tables = tables;
  }

  /** Sets the object that receives the coefficients. Skipping needs no such object. */
  void into(Coefficients target) {
    coefficients = target.values();
    mcusPerBatch = target.mcusPerBatch();
  }

  void start() {
    bits = 0;
    bitCount = 0;
    position = window.begin();
    Arrays.fill(predictions, 0);
    failure = null;
  }

  /**
   * Starts within a restart interval: skips the first {@code bit} bits (0 to 7) of the window's
   * first byte. {@code dc} has the DC value of each component's last block before.
   */
  void startAt(int bit, int[] dc) {
    start();
    System.arraycopy(dc, 0, predictions, 0, predictions.length);
    if (bit > 0) {
      makeReadable();
      continueAt(8L * position + bit);
    }
  }

  private void continueAt(long bit) {
    int passed = (int) bit & 7;
    position = (int) (bit >>> 3);
    bits = passed == 0 ? 0 : (long) window.bytes()[position++] << (56 + passed);
    bitCount = passed == 0 ? 0 : 8 - passed;
  }

  /** Returns the number of consumed bits, counted from byte 0 of the window's bytes. */
  long consumedBits() {
    return 8L * position - bitCount;
  }

  /** Returns the DC value of each component's last block (T.81, section F.1.1.5.1). */
  int[] predictions() {
    return predictions;
  }

  Failure failure() {
    return failure;
  }

  /**
   * Decodes MCUs into the slots from {@code slot} on. Returns the number of decoded MCUs; if it is
   * smaller than {@code count}, {@link #failure} has the reason.
   */
  int decode(int count, int slot) {
    int done = 0;
    while (done < count && failure == null) {
      makeReadable();
      done += decodeRun(count - done, slot + done);
    }
    return done;
  }

  /** Skips MCUs and otherwise works like {@link #decode}; needs {@link McuTables#fillSkip}. */
  int skip(int count) {
    int done = 0;
    while (done < count && failure == null) {
      makeReadable();
      done += skipRun(count - done);
    }
    return done;
  }

  void makeReadable() {
    while (!window.complete() && position > window.limit()) {
      position = window.fill(position);
    }
  }

  private boolean mustStop(int position, int bitCount) {
    return !window.complete() || 8L * position - bitCount > 8L * window.end();
  }

  private int decodeRun(int count, int slot) {
    final byte[] bytes = window.bytes();
    final int limit = window.limit();
    final int[] coefficients = this.coefficients;
    final int mcusPerBatch = this.mcusPerBatch;
    final int[] predictions = this.predictions;
    final McuTables tables = this.tables;
    final int blocks = tables.blocks;
    long bits = this.bits;
    int bitCount = this.bitCount;
    int position = this.position;
    int done = 0;
    mcus:
    while (done < count) {
      int at = slot + done;
      for (int block = 0; block < blocks; block++, at += mcusPerBatch) {
        final int[] fast = tables.acFast[block];
        final long[] places = tables.places[block];
        bits |= (long) BITS.get(bytes, position) >>> bitCount;
        position += (63 - bitCount) >>> 3;
        bitCount |= 56;
        int entry = tables.dcFast[block][(int) (bits >>> FAST_SHIFT)];
        if ((entry & INCOMPLETE) != 0) {
          entry = tables.dc[block].resolve(entry, bits);
          if (entry == 0) {
            failure = Failure.NO_SUCH_CODE;
            break mcus;
          }
        }
        bits <<= entry;
        bitCount -= entry & LENGTH_MASK;
        int component = tables.component[block];
        int dc = (entry >> VALUE_SHIFT) + predictions[component];
        predictions[component] = dc;
        coefficients[at & (coefficients.length - 1)] = (short) (dc * (int) places[0]);
        int k = 1;
        while (true) {
          bits |= (long) BITS.get(bytes, position) >>> bitCount;
          position += (63 - bitCount) >>> 3;
          bitCount |= 56;
          entry = fast[(int) (bits >>> FAST_SHIFT) & (fast.length - 1)];
          if ((entry & INCOMPLETE) == 0) {
            k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
            long place = places[(k - 1) & (places.length - 1)];
            coefficients[((int) (place >>> 32) + at) & (coefficients.length - 1)] =
                (short) ((entry >> VALUE_SHIFT) * (int) place);
            bits <<= entry;
            bitCount -= entry & LENGTH_MASK;
            if (k >= 64) {
              break;
            }
            entry = fast[(int) (bits >>> FAST_SHIFT) & (fast.length - 1)];
            if ((entry & INCOMPLETE) == 0) {
              k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
              place = places[(k - 1) & (places.length - 1)];
              coefficients[((int) (place >>> 32) + at) & (coefficients.length - 1)] =
                  (short) ((entry >> VALUE_SHIFT) * (int) place);
              bits <<= entry;
              bitCount -= entry & LENGTH_MASK;
              if (k >= 64) {
                break;
              }
              entry = fast[(int) (bits >>> FAST_SHIFT) & (fast.length - 1)];
              if ((entry & INCOMPLETE) == 0) {
                k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
                place = places[(k - 1) & (places.length - 1)];
                coefficients[((int) (place >>> 32) + at) & (coefficients.length - 1)] =
                    (short) ((entry >> VALUE_SHIFT) * (int) place);
                bits <<= entry;
                bitCount -= entry & LENGTH_MASK;
                if (k >= 64) {
                  break;
                }
                continue;
              }
            }
          }
          entry = tables.ac[block].resolve(entry, bits);
          if (entry == 0) {
            failure = Failure.NO_SUCH_CODE;
            break mcus;
          }
          k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
          long place = places[(k - 1) & (places.length - 1)];
          coefficients[((int) (place >>> 32) + at) & (coefficients.length - 1)] =
              (short) ((entry >> VALUE_SHIFT) * (int) place);
          bits <<= entry;
          bitCount -= entry & LENGTH_MASK;
          if (k >= 64) {
            break;
          }
        }
        if (k > 64 && leadsTooFar(k, entry)) {
          long end = endOfBlock(tables, block, bytes, 8L * position - bitCount, k, entry);
          continueAt(end < 0 ? ~end : end);
          bits = this.bits;
          bitCount = this.bitCount;
          position = this.position;
          if (end < 0) {
            failure = Failure.TOO_MANY_COEFFICIENTS;
            break mcus;
          }
        }
      }
      if (position > limit && mustStop(position, bitCount)) {
        if (window.complete()) {
          failure = Failure.ENDS_EARLY;
        } else {
          done++;
        }
        break;
      }
      done++;
    }
    this.bits = bits;
    this.bitCount = bitCount;
    this.position = position;
    endsEarlyIfOverrun();
    return done;
  }

  /**
   * If bits after the end of the data were read, replaces any {@link #failure} by {@link
   * Failure#ENDS_EARLY}. These bits are zeros, whose decoding may have failed in any way.
   */
  private void endsEarlyIfOverrun() {
    if (failure != null && consumedBits() > 8L * window.end()) {
      failure = Failure.ENDS_EARLY;
    }
  }

  /** Returns true if an entry leads past 64, to {@code k}, without EOB, or leads past 127. */
  static boolean leadsTooFar(int k, int entry) {
    return (entry & (END_OF_BLOCK << ADVANCE_SHIFT)) == 0 || k >= 2 * END_OF_BLOCK;
  }

  /**
   * Finds the end of a block whose last look-up led too far, to place {@code k} and up to {@code
   * bit}. The look-up may have taken symbols of the next block, so it is undone, and the symbols
   * are read one by one. Returns the number of the bit after the block, or, if the block has too
   * many coefficients, that number's complement.
   */
  static long endOfBlock(
      McuTables tables, int block, byte[] bytes, long bit, int k, int lastEntry) {
    if (block >= tables.dcBlocks) {
      return ~bit;
    }
    HuffmanTable table = tables.ac[block];
    long end = bit - (lastEntry & LENGTH_MASK);
    int place = k - ((lastEntry >>> ADVANCE_SHIFT) & ADVANCE_MASK);
    int entry;
    do {
      long next = next(bytes, end);
      entry = table.fast()[(int) (next >>> FAST_SHIFT)];
      if ((entry & INCOMPLETE) != 0) {
        entry = table.resolve(entry, next);
      }
      end += entry & LENGTH_MASK;
      place += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
    } while (place < 64);
    return place > 64 && leadsTooFar(place, entry) ? ~end : end;
  }

  /** Returns the next bits; at least the upper 57 are valid. */
  static long next(byte[] bytes, long bit) {
    return (long) BITS.get(bytes, (int) (bit >>> 3)) << (bit & 7);
  }

  private int skipRun(int count) {
    final byte[] bytes = window.bytes();
    final int limit = window.limit();
    final int[] predictions = this.predictions;
    final McuTables tables = this.tables;
    final int blocks = tables.blocks;
    long bits = this.bits;
    int bitCount = this.bitCount;
    int position = this.position;
    int done = 0;
    mcus:
    while (done < count) {
      for (int block = 0; block < blocks; block++) {
        final int[] skip = tables.acSkip[block];
        bits |= (long) BITS.get(bytes, position) >>> bitCount;
        position += (63 - bitCount) >>> 3;
        bitCount |= 56;
        int entry = tables.dcFast[block][(int) (bits >>> FAST_SHIFT)];
        if ((entry & INCOMPLETE) != 0) {
          entry = tables.dc[block].resolve(entry, bits);
          if (entry == 0) {
            failure = Failure.NO_SUCH_CODE;
            break mcus;
          }
        }
        bits <<= entry;
        bitCount -= entry & LENGTH_MASK;
        predictions[tables.component[block]] += entry >> VALUE_SHIFT;
        int k = 1;
        while (true) {
          bits |= (long) BITS.get(bytes, position) >>> bitCount;
          position += (63 - bitCount) >>> 3;
          bitCount |= 56;
          int symbols = skip[(int) (bits >>> SKIP_SHIFT) & (skip.length - 1)];
          int reached = k + ((symbols >>> ADVANCE_SHIFT) & MAX_SKIP);
          int end = (symbols >>> SKIP_END_SHIFT) & 1;
          if (symbols != 0 && reached + end <= 64) {
            bits <<= symbols;
            bitCount -= symbols & LENGTH_MASK;
            k = reached;
            if ((end | k >>> 6) != 0) {
              break;
            }
            continue;
          }
          entry = tables.ac[block].fast()[(int) (bits >>> FAST_SHIFT)];
          if ((entry & INCOMPLETE) != 0) {
            entry = tables.ac[block].resolve(entry, bits);
            if (entry == 0) {
              failure = Failure.NO_SUCH_CODE;
              break mcus;
            }
          }
          bits <<= entry;
          bitCount -= entry & LENGTH_MASK;
          k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
          if (k >= 64) {
            if (k > 64 && leadsTooFar(k, entry)) {
              failure = Failure.TOO_MANY_COEFFICIENTS;
              break mcus;
            }
            break;
          }
        }
      }
      if (position > limit && mustStop(position, bitCount)) {
        if (window.complete()) {
          failure = Failure.ENDS_EARLY;
        } else {
          done++;
        }
        break;
      }
      done++;
    }
    this.bits = bits;
    this.bitCount = bitCount;
    this.position = position;
    endsEarlyIfOverrun();
    return done;
  }
}
