package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Smooths a progressive JPEG whose last scans are missing, as libjpeg-turbo does (jdcoefct.c). A
 * coefficient that is 0, but whose last bits are unknown, is estimated from the DC values of 5 x 5
 * blocks.
 */
final class BlockSmoothing {

  private static final int REACH = 2;
  private static final int SIDE = 2 * REACH + 1;

  // The weights of the 25 DC values for a coefficient, if only DC values are known. A name has the
  // coefficient's horizontal and vertical frequency. If the frequencies are exchanged, the weights
  // are transposed.
  private static final int[] W10 = {
    -1, -1, 0, 1, 1,
    -3, 13, 0, -13, 3,
    -3, 38, 0, -38, 3,
    -3, 13, 0, -13, 3,
    -1, -1, 0, 1, 1,
  };

  private static final int[] W20 = {
    0, 0, 0, 0, 0,
    0, 2, -5, 2, 0,
    1, 7, -14, 7, 1,
    0, 2, -5, 2, 0,
    0, 0, 0, 0, 0,
  };

  private static final int[] W30 = {
    0, 0, 0, 0, 0,
    0, 1, 0, -1, 0,
    0, 2, 0, -2, 0,
    0, 1, 0, -1, 0,
    0, 0, 0, 0, 0,
  };

  private static final int[] W21 = {
    0, 0, 0, 0, 0,
    0, 1, -3, 1, 0,
    0, 0, 0, 0, 0,
    0, -1, 3, -1, 0,
    0, 0, 0, 0, 0,
  };

  private static final int[][] WITH_DC = {
    {
      -2, -6, -8, -6, -2,
      -6, 6, 42, 6, -6,
      -8, 42, 152, 42, -8,
      -6, 6, 42, 6, -6,
      -2, -6, -8, -6, -2,
    },
    W10,
    transposed(W10),
    transposed(W20),
    {
      -1, 0, 0, 0, 1,
      0, 9, 0, -9, 0,
      0, 0, 0, 0, 0,
      0, -9, 0, 9, 0,
      1, 0, 0, 0, -1,
    },
    W20,
    W30,
    W21,
    transposed(W21),
    transposed(W30),
  };

  // The weights for the first five coefficients after DC, if other coefficients than DC are known.
  private static final int[] V10 = {
    0, 0, 0, 0, 0,
    0, 0, 0, 0, 0,
    -7, 50, 0, -50, 7,
    0, 0, 0, 0, 0,
    0, 0, 0, 0, 0,
  };

  private static final int[] V20 = {
    0, 0, 0, 0, 0,
    0, 0, 0, 0, 0,
    -1, 13, -24, 13, -1,
    0, 0, 0, 0, 0,
    0, 0, 0, 0, 0,
  };

  private static final int[][] WITHOUT_DC = {
    V10,
    transposed(V10),
    transposed(V20),
    {
      0, -1, 0, 1, 0,
      -1, 10, 0, -10, 1,
      0, 0, 0, 0, 0,
      1, -10, 0, 10, -1,
      0, 1, 0, -1, 0,
    },
    V20,
  };

  private final Frame frame;
  private final Progression progression;
  private final int lastGoodRow;
  private final int[] dc = new int[SIDE * SIDE];

  private BlockSmoothing(Frame frame, Progression progression, int lastGoodRow) {
    this.frame = frame;
    this.progression = progression;
    this.lastGoodRow = lastGoodRow;
  }

  private static int[] transposed(int[] weights) {
    int[] transposed = new int[SIDE * SIDE];
    Arrays.setAll(transposed, i -> weights[i % SIDE * SIDE + i / SIDE]);
    return transposed;
  }

  /**
   * Returns the smoothing of an image; null if the image needs no smoothing, or lacks the values
   * that smoothing needs. {@code lastGoodRow} is the last row of MCUs for which the last scan has
   * data.
   */
  static @Nullable BlockSmoothing of(
      Frame frame, Progression progression, int scans, int lastGoodRow) {
    boolean useful = false;
    for (Frame.Component each : frame.components) {
      int[] known = progression.bits(each.index);
      if (each.quantizers == null || known[0] < 0) {
        return null;
      }
      for (int place = 0; place < Progression.SMOOTHED; place++) {
        if (each.quantizers[McuTables.frequency(place)] == 0) {
          return null;
        }
        useful |= place > 0 && known[place] != 0;
      }
      if (scans == 1) {
        Arrays.fill(progression.before(each.index), 1, Progression.SMOOTHED, -1);
      }
    }
    return useful ? new BlockSmoothing(frame, progression, lastGoodRow) : null;
  }

  void smooth(Frame.Component component, int row, int column, short[] block) {
    int mcuRow = row / component.down;
    int[] known =
        mcuRow > lastGoodRow
            ? progression.before(component.index)
            : progression.bits(component.index);
    boolean onlyDc = true;
    for (int place = 1; place < Progression.SMOOTHED; place++) {
      onlyDc &= known[place] == -1;
    }
    gather(component, row, column);
    int[][] weights = onlyDc ? WITH_DC : WITHOUT_DC;
    int end = onlyDc ? Progression.SMOOTHED : 1 + WITHOUT_DC.length;
    for (int place = 1; place < end; place++) {
      int at = McuTables.frequency(place);
      int low = known[place];
      if (low != 0 && block[at] == 0) {
        int estimate = estimate(component, at, weights[onlyDc ? place : place - 1]);
        if (low > 0) {
          int most = (1 << low) - 1;
          estimate = Math.max(-most, Math.min(most, estimate));
        }
        block[at] = (short) estimate;
      }
    }
    if (onlyDc) {
      block[0] = (short) estimate(component, 0, weights[0]);
    }
  }

  private int estimate(Frame.Component component, int at, int[] weights) {
    long sum = 0;
    for (int i = 0; i < dc.length; i++) {
      sum += (long) weights[i] * dc[i];
    }
    sum *= component.quantizers[0];
    long quantizer = component.quantizers[at];
    long rounded = ((quantizer << 7) + Math.abs(sum)) / (quantizer << 8);
    return (int) (sum < 0 ? -rounded : rounded);
  }

  /** Collects the DC values around a block; beyond an edge the nearest values are used. */
  private void gather(Frame.Component component, int row, int column) {
    int down = component.down;
    int mcuRow = row / down;
    int first = 0;
    int last = frame.mcuRows() * down - 1;
    if (mcuRow == frame.mcuRows() - 1) {
      last = component.rows - 1;
      // libjpeg finds fewer rows above, since it takes all MCU rows to be as high as the last.
      first = row - (mcuRow * (component.rows - mcuRow * down) + row % down);
    }
    first = Math.max(0, first);
    for (int y = -REACH; y <= REACH; y++) {
      int from = Math.max(first, Math.min(last, row + y));
      for (int x = -REACH; x <= REACH; x++) {
        int of = Math.max(0, Math.min(component.columns - 1, column + x));
        dc[(y + REACH) * SIDE + x + REACH] = component.values[64 * (from * component.stride + of)];
      }
    }
  }
}
