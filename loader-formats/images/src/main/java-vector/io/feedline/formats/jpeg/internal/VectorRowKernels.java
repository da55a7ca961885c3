package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;
import static io.feedline.formats.jpeg.internal.PixelKernels.BLUE_BIAS;
import static io.feedline.formats.jpeg.internal.PixelKernels.CB_TO_BLUE;
import static io.feedline.formats.jpeg.internal.PixelKernels.CB_TO_GREEN;
import static io.feedline.formats.jpeg.internal.PixelKernels.CR_TO_GREEN;
import static io.feedline.formats.jpeg.internal.PixelKernels.CR_TO_RED;
import static io.feedline.formats.jpeg.internal.PixelKernels.GREEN_BIAS;
import static io.feedline.formats.jpeg.internal.PixelKernels.RED_BIAS;
import static io.feedline.formats.jpeg.internal.VectorPixelKernels.INTS;
import static io.feedline.formats.jpeg.internal.VectorPixelKernels.ints;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.B2S;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RowKernels} on the JDK's Vector API. Chroma is stretched in lanes of 16 bits,
 * which have room for 16 times a sample. Colors are converted in lanes of 32 bits, because the API
 * has no multiplication that keeps the upper half of a product of 16 bits.
 *
 * <p>Loops are small on purpose; {@link VectorPixelKernels} says why. Constants are local
 * variables, made before a loop. C2 would load static fields at each step, since it does not know
 * that the loop's stores leave them unchanged. Ten of these loads took a quarter of the time of
 * {@link #color}.
 */
final class VectorRowKernels extends RowKernels {
  private static final int STEP = INTS.length();
  private static final VectorSpecies<Short> SHORTS =
      VectorSpecies.of(short.class, INTS.vectorShape());
  private static final int SHORT_STEP = SHORTS.length();
  private static final VectorSpecies<Byte> BYTES = ofBytes(STEP);
  private static final VectorSpecies<Byte> BYTES_OF_SHORTS = ofBytes(SHORT_STEP);

  /** Shuffles that repeat each lane of the first half of a vector, or of the second half. */
  private static final VectorShuffle<Integer> LOWER = VectorShuffle.fromOp(INTS, i -> i / 2);

  private static final VectorShuffle<Integer> UPPER =
      VectorShuffle.fromOp(INTS, i -> (STEP + i) / 2);

  private static final VectorMask<Integer> ODD =
      VectorMask.fromLong(INTS, 0xAAAA_AAAAL & ((1L << STEP) - 1));

  VectorRowKernels() {
    BlockSamples blocks = new BlockSamples();
    byte[] bytes = new byte[32 * SLACK];
    short[] shorts = new short[2 * SLACK];
    place(blocks, 0, bytes, 0, SLACK, STEP);
    placePairs(blocks, 0, STEP, bytes, 0, SLACK, STEP);
    widen(bytes, 0, shorts, 1);
    blend(bytes, 0, 1, shorts, 1);
    stretch(shorts, 8, 7, 4, bytes, 1);
    color(bytes, 0, bytes, 0, bytes, 0, new int[STEP], 0, STEP);
  }

  private static VectorSpecies<Byte> ofBytes(int bytes) {
    return VectorSpecies.of(byte.class, VectorShape.forBitSize(8 * bytes));
  }

  @Override
  void place(BlockSamples blocks, int slot, byte[] plane, int to, int stride, int count) {
    for (int y = 0; y < 8; y++) {
      int at = y * BLOCKS + slot;
      placeRow(blocks.left(), blocks.right(), at, plane, to + y * stride, count);
    }
  }

  /** Copies a row of samples of each block; a lane has the left or right half of such a row. */
  private static void placeRow(int[] left, int[] right, int at, byte[] plane, int to, int count) {
    for (int i = 0; i < count; i += STEP) {
      IntVector l = ints(left, at + i);
      IntVector r = ints(right, at + i);
      store(lower(l, r), plane, to + 8 * i);
      if (count - i > STEP / 2) {
        store(upper(l, r), plane, to + 8 * i + 4 * STEP);
      }
    }
  }

  @Override
  void placePairs(
      BlockSamples blocks, int slot, int slot2, byte[] plane, int to, int stride, int count) {
    int[] left = blocks.left();
    int[] right = blocks.right();
    for (int y = 0; y < 8; y++) {
      int at = y * BLOCKS + slot;
      int at2 = y * BLOCKS + slot2;
      int row = to + y * stride;
      for (int i = 0; i < count; i += STEP / 2) {
        placePairs(left, right, at + i, at2 + i, plane, row + 16 * i, count - i);
      }
    }
  }

  private static void placePairs(
      int[] left, int[] right, int at, int at2, byte[] plane, int to, int count) {
    // First, l l2 l l2 ... and r r2 r r2 ... are made; then l r l2 r2 ... is made of these.
    IntVector l = lower(ints(left, at), ints(left, at2));
    IntVector r = lower(ints(right, at), ints(right, at2));
    store(lower(l, r), plane, to);
    if (count > STEP / 4) {
      store(upper(l, r), plane, to + 4 * STEP);
    }
  }

  private static IntVector lower(IntVector a, IntVector b) {
    return a.rearrange(LOWER).blend(b.rearrange(LOWER), ODD);
  }

  private static IntVector upper(IntVector a, IntVector b) {
    return a.rearrange(UPPER).blend(b.rearrange(UPPER), ODD);
  }

  private static void store(IntVector words, byte[] plane, int to) {
    words.reinterpretAsBytes().intoArray(plane, to);
  }

  @Override
  void widen(byte[] samples, int at, short[] out, int n) {
    ShortVector mask = ShortVector.broadcast(SHORTS, 255);
    for (int i = 0; i < n; i += SHORT_STEP) {
      shorts(samples, at + i, mask).intoArray(out, i);
    }
  }

  @Override
  void blend(byte[] samples, int near, int far, short[] out, int n) {
    ShortVector mask = ShortVector.broadcast(SHORTS, 255);
    for (int i = 0; i < n; i += SHORT_STEP) {
      ShortVector a = shorts(samples, near + i, mask);
      ShortVector b = shorts(samples, far + i, mask);
      a.add(a).add(a).add(b).intoArray(out, i);
    }
  }

  private static ShortVector shorts(byte[] samples, int at, ShortVector mask) {
    return ((ShortVector)
            ByteVector.fromArray(BYTES_OF_SHORTS, samples, at).convertShape(B2S, SHORTS, 0))
        .and(mask);
  }

  @Override
  void stretch(short[] row, int even, int odd, int shift, byte[] out, int n) {
    ShortVector roundEven = ShortVector.broadcast(SHORTS, even);
    ShortVector roundOdd = ShortVector.broadcast(SHORTS, odd);
    for (int i = 0; i < n; i += SHORT_STEP) {
      ShortVector near = ShortVector.fromArray(SHORTS, row, i + 1);
      ShortVector three = near.add(near).add(near);
      ShortVector first =
          three.add(ShortVector.fromArray(SHORTS, row, i)).add(roundEven).lanewise(LSHR, shift);
      ShortVector second =
          three.add(ShortVector.fromArray(SHORTS, row, i + 2)).add(roundOdd).lanewise(LSHR, shift);
      first.or(second.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(out, 2 * i);
    }
  }

  @Override
  void color(
      byte[] luma,
      int lumaAt,
      byte[] cb,
      int cbAt,
      byte[] cr,
      int crAt,
      int[] pixels,
      int to,
      int n) {
    IntVector least = IntVector.zero(INTS);
    IntVector most = IntVector.broadcast(INTS, 255);
    IntVector crToRed = IntVector.broadcast(INTS, CR_TO_RED);
    IntVector cbToGreen = IntVector.broadcast(INTS, CB_TO_GREEN);
    IntVector crToGreen = IntVector.broadcast(INTS, CR_TO_GREEN);
    IntVector cbToBlue = IntVector.broadcast(INTS, CB_TO_BLUE);
    IntVector redBias = IntVector.broadcast(INTS, RED_BIAS);
    IntVector greenBias = IntVector.broadcast(INTS, GREEN_BIAS);
    IntVector blueBias = IntVector.broadcast(INTS, BLUE_BIAS);
    for (int i = 0; i < n; i += STEP) {
      int x = Math.min(i, n - STEP);
      IntVector y = bytes(luma, lumaAt + x, most);
      IntVector u = bytes(cb, cbAt + x, most);
      IntVector v = bytes(cr, crAt + x, most);
      IntVector red = v.mul(crToRed).add(redBias).lanewise(ASHR, 16).add(y);
      IntVector green = u.mul(cbToGreen).add(v.mul(crToGreen)).add(greenBias);
      green = green.lanewise(ASHR, 16).add(y).max(least).min(most).lanewise(LSHL, 8);
      IntVector blue = u.mul(cbToBlue).add(blueBias).lanewise(ASHR, 16).add(y);
      blue = blue.max(least).min(most).lanewise(LSHL, 16);
      red.max(least).min(most).or(green).or(blue).intoArray(pixels, to + x);
    }
  }

  private static IntVector bytes(byte[] samples, int at, IntVector mask) {
    return ((IntVector) ByteVector.fromArray(BYTES, samples, at).convertShape(B2I, INTS, 0))
        .and(mask);
  }

  @Override
  int fewest() {
    return STEP;
  }
}
