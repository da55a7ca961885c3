package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.EntropyDecoder.endOfBlock;
import static io.feedline.formats.jpeg.internal.EntropyDecoder.leadsTooFar;
import static io.feedline.formats.jpeg.internal.EntropyDecoder.next;
import static io.feedline.formats.jpeg.internal.HuffmanTable.ADVANCE_MASK;
import static io.feedline.formats.jpeg.internal.HuffmanTable.ADVANCE_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.FAST_SHIFT;
import static io.feedline.formats.jpeg.internal.HuffmanTable.INCOMPLETE;
import static io.feedline.formats.jpeg.internal.HuffmanTable.LENGTH_MASK;
import static io.feedline.formats.jpeg.internal.HuffmanTable.VALUE_SHIFT;

/**
 * A decoder of two rows of MCUs in one loop. A processor cannot start a symbol before it knows the
 * length of the previous symbol, so it has time for the symbols of a second row. The beginning of
 * the second row is known only from an index.
 *
 * <p>Both rows lie in the bytes of one {@link EntropyWindow}. A position is the number of a bit in
 * these bytes. For up to three symbols, 8 bytes are loaded again from the position; this takes
 * fewer registers than the state of {@link EntropyDecoder}.
 */
final class RowPairDecoder {

  /** The state of one row: the place in a block at which the loop over both rows has stopped. */
  static final class Row {
    private long bit;
    private int endByte;
    private final int[] predictions = new int[3];

    private int slot;
    private int mcu;
    private int block;
    private int at;
    private int k;
    private int entry;

    /** Starts at the bit where a reader is; the reader's window must contain all the row's data. */
    void startAt(ScanReader reader) {
      bit = reader.decoder().consumedBits();
      endByte = reader.window().end();
      System.arraycopy(reader.predictions(), 0, predictions, 0, predictions.length);
    }

    private void save(long bit, int mcu, int block, int at, int k, int entry) {
      this.bit = bit;
      this.mcu = mcu;
      this.block = block;
      this.at = at;
      this.k = k;
      this.entry = entry;
    }

    private void prepare(int slot, int blocks) {
      this.slot = slot;
      save(bit, -1, blocks - 1, slot, 64, 0);
    }
  }

  private final McuTables tables;
  private int[] coefficients;
  private int mcusPerBatch;

  RowPairDecoder(McuTables tables) {
    this.tables = tables;
  }

  void into(Coefficients target) {
    coefficients = target.values();
    mcusPerBatch = target.mcusPerBatch();
  }

  /**
   * Decodes the next MCUs of two rows into the slots from {@code slotA} and {@code slotB} on;
   * returns false if the data cannot be decoded.
   */
  boolean decode(byte[] bytes, int count, Row a, int slotA, Row b, int slotB) {
    final int[] coefficients = this.coefficients;
    final int mcusPerBatch = this.mcusPerBatch;
    final McuTables tables = this.tables;
    final int blocks = tables.blocks;
    a.prepare(slotA, blocks);
    b.prepare(slotB, blocks);
    long bitA = a.bit;
    long bitB = b.bit;
    int mcuA = a.mcu;
    int mcuB = b.mcu;
    int blockA = a.block;
    int blockB = b.block;
    int atA = a.at;
    int atB = b.at;
    int kA = a.k;
    int kB = b.k;
    int entryA = a.entry;
    int entryB = b.entry;
    int[] fastA = null;
    int[] fastB = null;
    long[] placesA = null;
    long[] placesB = null;
    while (true) {
      if (kA >= 64) {
        if (kA > 64 && leadsTooFar(kA, entryA)) {
          bitA = endOfBlock(tables, blockA, bytes, bitA, kA, entryA);
          if (bitA < 0) {
            return false;
          }
        }
        atA += mcusPerBatch;
        if (++blockA == blocks) {
          blockA = 0;
          mcuA++;
          atA = slotA + mcuA;
          if (mcuA == count || bitA >>> 3 > a.endByte) {
            break;
          }
        }
        int entry = dcEntry(blockA, next(bytes, bitA));
        if (entry == 0) {
          return false;
        }
        bitA += entry & LENGTH_MASK;
        int component = tables.component[blockA];
        int dc = (entry >> VALUE_SHIFT) + a.predictions[component];
        a.predictions[component] = dc;
        fastA = tables.acFast[blockA];
        placesA = tables.places[blockA];
        coefficients[atA & (coefficients.length - 1)] = (short) (dc * (int) placesA[0]);
        kA = 1;
      }
      if (kB >= 64) {
        if (kB > 64 && leadsTooFar(kB, entryB)) {
          bitB = endOfBlock(tables, blockB, bytes, bitB, kB, entryB);
          if (bitB < 0) {
            return false;
          }
        }
        atB += mcusPerBatch;
        if (++blockB == blocks) {
          blockB = 0;
          mcuB++;
          atB = slotB + mcuB;
          if (mcuB == count || bitB >>> 3 > b.endByte) {
            break;
          }
        }
        int entry = dcEntry(blockB, next(bytes, bitB));
        if (entry == 0) {
          return false;
        }
        bitB += entry & LENGTH_MASK;
        int component = tables.component[blockB];
        int dc = (entry >> VALUE_SHIFT) + b.predictions[component];
        b.predictions[component] = dc;
        fastB = tables.acFast[blockB];
        placesB = tables.places[blockB];
        coefficients[atB & (coefficients.length - 1)] = (short) (dc * (int) placesB[0]);
        kB = 1;
      }
      do {
        long windowA = next(bytes, bitA);
        long windowB = next(bytes, bitB);
        entryA = fastA[(int) (windowA >>> FAST_SHIFT) & (fastA.length - 1)];
        entryB = fastB[(int) (windowB >>> FAST_SHIFT) & (fastB.length - 1)];
        if (((entryA | entryB) & INCOMPLETE) == 0) {
          kA += (entryA >>> ADVANCE_SHIFT) & ADVANCE_MASK;
          kB += (entryB >>> ADVANCE_SHIFT) & ADVANCE_MASK;
          windowA <<= entryA;
          windowB <<= entryB;
          bitA += entryA & LENGTH_MASK;
          bitB += entryB & LENGTH_MASK;
          long place = placesA[(kA - 1) & (placesA.length - 1)];
          coefficients[((int) (place >>> 32) + atA) & (coefficients.length - 1)] =
              (short) ((entryA >> VALUE_SHIFT) * (int) place);
          place = placesB[(kB - 1) & (placesB.length - 1)];
          coefficients[((int) (place >>> 32) + atB) & (coefficients.length - 1)] =
              (short) ((entryB >> VALUE_SHIFT) * (int) place);
          if ((kA | kB) >= 64) {
            break;
          }
          entryA = fastA[(int) (windowA >>> FAST_SHIFT) & (fastA.length - 1)];
          entryB = fastB[(int) (windowB >>> FAST_SHIFT) & (fastB.length - 1)];
          if (((entryA | entryB) & INCOMPLETE) == 0) {
            kA += (entryA >>> ADVANCE_SHIFT) & ADVANCE_MASK;
            kB += (entryB >>> ADVANCE_SHIFT) & ADVANCE_MASK;
            windowA <<= entryA;
            windowB <<= entryB;
            bitA += entryA & LENGTH_MASK;
            bitB += entryB & LENGTH_MASK;
            place = placesA[(kA - 1) & (placesA.length - 1)];
            coefficients[((int) (place >>> 32) + atA) & (coefficients.length - 1)] =
                (short) ((entryA >> VALUE_SHIFT) * (int) place);
            place = placesB[(kB - 1) & (placesB.length - 1)];
            coefficients[((int) (place >>> 32) + atB) & (coefficients.length - 1)] =
                (short) ((entryB >> VALUE_SHIFT) * (int) place);
            if ((kA | kB) >= 64) {
              break;
            }
            entryA = fastA[(int) (windowA >>> FAST_SHIFT) & (fastA.length - 1)];
            entryB = fastB[(int) (windowB >>> FAST_SHIFT) & (fastB.length - 1)];
            if (((entryA | entryB) & INCOMPLETE) == 0) {
              kA += (entryA >>> ADVANCE_SHIFT) & ADVANCE_MASK;
              kB += (entryB >>> ADVANCE_SHIFT) & ADVANCE_MASK;
              bitA += entryA & LENGTH_MASK;
              bitB += entryB & LENGTH_MASK;
              place = placesA[(kA - 1) & (placesA.length - 1)];
              coefficients[((int) (place >>> 32) + atA) & (coefficients.length - 1)] =
                  (short) ((entryA >> VALUE_SHIFT) * (int) place);
              place = placesB[(kB - 1) & (placesB.length - 1)];
              coefficients[((int) (place >>> 32) + atB) & (coefficients.length - 1)] =
                  (short) ((entryB >> VALUE_SHIFT) * (int) place);
              continue;
            }
          }
        }
        // The look-up does not complete at least one of the two symbols.
        if ((entryA & INCOMPLETE) != 0) {
          entryA = tables.ac[blockA].resolve(entryA, windowA);
          if (entryA == 0) {
            return false;
          }
        }
        if ((entryB & INCOMPLETE) != 0) {
          entryB = tables.ac[blockB].resolve(entryB, windowB);
          if (entryB == 0) {
            return false;
          }
        }
        kA += (entryA >>> ADVANCE_SHIFT) & ADVANCE_MASK;
        kB += (entryB >>> ADVANCE_SHIFT) & ADVANCE_MASK;
        bitA += entryA & LENGTH_MASK;
        bitB += entryB & LENGTH_MASK;
        long place = placesA[(kA - 1) & (placesA.length - 1)];
        coefficients[((int) (place >>> 32) + atA) & (coefficients.length - 1)] =
            (short) ((entryA >> VALUE_SHIFT) * (int) place);
        place = placesB[(kB - 1) & (placesB.length - 1)];
        coefficients[((int) (place >>> 32) + atB) & (coefficients.length - 1)] =
            (short) ((entryB >> VALUE_SHIFT) * (int) place);
      } while ((kA | kB) < 64);
    }
    a.save(bitA, mcuA, blockA, atA, kA, entryA);
    b.save(bitB, mcuB, blockB, atB, kB, entryB);
    return finish(bytes, count, a) && finish(bytes, count, b);
  }

  private boolean finish(byte[] bytes, int count, Row row) {
    final int[] coefficients = this.coefficients;
    long bit = row.bit;
    int mcu = row.mcu;
    int block = row.block;
    int at = row.at;
    int k = row.k;
    int entry = row.entry;
    while (mcu < count) {
      if (k >= 64) {
        if (k > 64 && leadsTooFar(k, entry)) {
          bit = endOfBlock(tables, block, bytes, bit, k, entry);
          if (bit < 0) {
            return false;
          }
        }
        at += mcusPerBatch;
        if (++block == tables.blocks) {
          block = 0;
          at = row.slot + ++mcu;
          if (bit >>> 3 > row.endByte) {
            return false;
          }
          if (mcu == count) {
            break;
          }
        }
        entry = dcEntry(block, next(bytes, bit));
        if (entry == 0) {
          return false;
        }
        bit += entry & LENGTH_MASK;
        int component = tables.component[block];
        int dc = (entry >> VALUE_SHIFT) + row.predictions[component];
        row.predictions[component] = dc;
        coefficients[at & (coefficients.length - 1)] = (short) (dc * (int) tables.places[block][0]);
        k = 1;
      }
      int[] fast = tables.acFast[block];
      long[] places = tables.places[block];
      do {
        long window = next(bytes, bit);
        entry = fast[(int) (window >>> FAST_SHIFT) & (fast.length - 1)];
        if ((entry & INCOMPLETE) != 0) {
          entry = tables.ac[block].resolve(entry, window);
          if (entry == 0) {
            return false;
          }
        }
        k += (entry >>> ADVANCE_SHIFT) & ADVANCE_MASK;
        bit += entry & LENGTH_MASK;
        long place = places[(k - 1) & (places.length - 1)];
        coefficients[((int) (place >>> 32) + at) & (coefficients.length - 1)] =
            (short) ((entry >> VALUE_SHIFT) * (int) place);
      } while (k < 64);
    }
    row.bit = bit;
    return bit <= 8L * row.endByte;
  }

  /** Returns the complete entry of a DC symbol, or 0 if the bits are not a code. */
  private int dcEntry(int block, long window) {
    int entry = tables.dcFast[block][(int) (window >>> FAST_SHIFT)];
    return (entry & INCOMPLETE) == 0 ? entry : tables.dc[block].resolve(entry, window);
  }
}
