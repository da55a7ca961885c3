package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Arrays for intermediate samples, reused by the thread that took them: a worker that writes sounds
 * of one kind allocates no arrays after its first sound.
 *
 * <p>Sums over many signals at once are computed in rows: element t of each row, called lane t,
 * belongs to signal t. The compiler turns a loop over lanes at one index into vector instructions.
 *
 * <p>If a caller of {@link #take} fails before {@link #give}, its array becomes garbage.
 */
final class Scratch {
  /** The number of values that are changed at once; their 16 KiB stay in the L1 cache. */
  static final int BLOCK = 4096;

  /** The length of a row: 400 rows, for frames of 400 samples, fit into 512 KiB of L2 cache. */
  static final int LANES = 128;

  private static final int KEPT_ROWS = 1 << 14;
  private static final int KEPT_FLOATS = 4 << 20;
  private static final int KEPT_ARRAYS = 8;

  private static final ThreadLocal<ArrayDeque<float[]>> IDLE =
      ThreadLocal.withInitial(ArrayDeque::new);
  private static final ThreadLocal<float[][]> ROWS = ThreadLocal.withInitial(() -> new float[0][]);

  private Scratch() {}

  /** Returns an array of at least this length, with arbitrary content. */
  static float[] take(int length) {
    float[] idle = IDLE.get().poll();
    return idle != null && idle.length >= length ? idle : new float[Math.max(BLOCK, length)];
  }

  static void give(float[] array) {
    ArrayDeque<float[]> idle = IDLE.get();
    if (array.length <= KEPT_FLOATS && idle.size() < KEPT_ARRAYS) {
      idle.push(array);
    }
  }

  /**
   * Returns the thread's rows of {@link #LANES}, with arbitrary content, valid until the thread's
   * next call. A method that uses the rows must not call another method that uses them.
   */
  static float[][] rows(int count) {
    float[][] rows = ROWS.get();
    if (rows.length < count) {
      int had = rows.length;
      rows = Arrays.copyOf(rows, count);
      for (int i = had; i < count; i++) {
        rows[i] = new float[LANES];
      }
      if (count <= KEPT_ROWS) {
        ROWS.set(rows);
      }
    }
    return rows;
  }

  /** Adds four rows from {@code row} on, each times its factor, to the sums. */
  static void addFour(float[][] rows, int row, float[] factors, int factor, float[] sums) {
    add(
        rows[row],
        rows[row + 1],
        rows[row + 2],
        rows[row + 3],
        factors[factor],
        factors[factor + 1],
        factors[factor + 2],
        factors[factor + 3],
        sums);
  }

  private static void add(
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      float ofA,
      float ofB,
      float ofC,
      float ofD,
      float[] sums) {
    for (int t = 0; t < LANES; t++) {
      sums[t] += a[t] * ofA + b[t] * ofB + (c[t] * ofC + d[t] * ofD);
    }
  }

  static void add(float[] row, float factor, float[] sums) {
    for (int t = 0; t < LANES; t++) {
      sums[t] += row[t] * factor;
    }
  }

  /** A change of the first {@code count} values of an array. */
  @FunctionalInterface
  interface BlockChange {
    void apply(float[] values, int count);
  }

  /** Changes values in place, through an array: loops over direct buffers are not vectorized. */
  static void change(FloatBuffer values, int from, int count, BlockChange change) {
    float[] block = take(BLOCK);
    for (int done = 0; done < count; done += BLOCK) {
      int length = Math.min(BLOCK, count - done);
      values.get(from + done, block, 0, length);
      change.apply(block, length);
      values.put(from + done, block, 0, length);
    }
    give(block);
  }

  static void visit(FloatBuffer values, int count, BlockChange visitor) {
    float[] block = take(BLOCK);
    for (int done = 0; done < count; done += BLOCK) {
      int length = Math.min(BLOCK, count - done);
      values.get(done, block, 0, length);
      visitor.apply(block, length);
    }
    give(block);
  }
}
