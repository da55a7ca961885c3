package io.feedline.formats.image.kernel.internal;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.I2B;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Interpolation;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link Kernels} on the JDK's Vector API; {@link Kernels} lists the measurements.
 *
 * <p>The horizontal pass computes a vector of neighboring outputs at once. The source pixels that a
 * tap reads for these outputs lie in a window of the row. The loops load the window as two or four
 * vectors, and each lane selects its pixel. If the window is wider than four vectors, each lane
 * loads its own pixel.
 *
 * <p>A last vector, which overlaps the vector before, computes the rest of a row. Plain loops
 * compute rows shorter than a vector. Methods are small, because the compiler makes objects of the
 * vectors of a large method. Methods that take or return vectors have at most 35 bytes of code,
 * since C2 inlines a larger method only after many calls.
 */
public final class VectorKernels extends Kernels {
  private static final VectorSpecies<Integer> INTS =
      IntVector.SPECIES_PREFERRED.vectorBitSize() < 512
          ? IntVector.SPECIES_256
          : IntVector.SPECIES_512;

  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, INTS.vectorShape());
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(INTS.length() * Byte.SIZE));
  private static final int LANES = INTS.length();

  private static final Third FIRST = Third.number(0);
  private static final Third SECOND = Third.number(1);
  private static final Third THIRD = Third.number(2);

  private static final float REST_OF_255 = PixelTable.restOfReciprocal(255);

  private final Kernels plain = new PlainKernels();

  public VectorKernels() {
    tryEverything();
  }

  /** Runs each loop once, so that a missing method of this JDK's Vector API is noticed now. */
  private void tryEverything() {
    int n = 2 * LANES;
    for (int scale : new int[] {1, 3, 6}) {
      Taps taps = new Taps();
      taps.plan(scale * n, n, 0, n, Interpolation.BICUBIC, true);
      taps.weigh();
      int[] row = new int[3 * n];
      horizontal(new int[taps.span() + overrun()], 0, taps, row, 0, n);
      horizontalOfOne(new int[taps.span() + overrun()], 0, taps, row, 0);
      vertical(3, new int[][] {row, row}, 2, taps, 0, new int[3 * n], n);
      planar(row, n, PixelTable.UNIT, new float[3 * n]);
      interleaved(row, n, PixelTable.UNIT, new float[3 * n]);
      bytes(row, n, new byte[n]);
      packed(row, n, row, 0);
      plane(row, 0, n, 0, PixelTable.UNIT, new float[n]);
      samples(row, 0, n, row, 0);
    }
  }

  /** Returns the number of ints that the loops read behind a row's last pixel and ignore. */
  private static int overrun() {
    return 4 * LANES;
  }

  @Override
  void horizontal(int channels, Band band) {
    PixelRows source = band.source();
    int count = band.count();
    Taps taps = band.taps();
    int[][] rows = band.rows();
    int first = band.first();
    int width = band.width();
    int stride = source.width() + overrun();
    // Behind the rows is room for the colors and the alphas of one row.
    int[] pixels = band.workspace().window((count + 2) * stride);
    source.read(band.y(), count, pixels, 0, stride);
    for (int r = 0; r < count; r++) {
      if (taps.length() < LANES) {
        few(channels, pixels, r * stride, taps, rows[r], first, width);
      } else if (channels == 3) {
        horizontal(pixels, r * stride, taps, rows[r], first, width);
      } else if (channels == 1) {
        horizontalOfOne(pixels, r * stride, taps, rows[r], first);
      } else {
        int colors = count * stride;
        int alphas = colors + stride;
        for (int x = 0; x < source.width(); x++) {
          pixels[colors + x] = pixels[r * stride + x] & 0xFFFFFF;
          pixels[alphas + x] = pixels[r * stride + x] >>> 24;
        }
        horizontal(pixels, colors, taps, rows[r], first, width);
        horizontalOfOne(pixels, alphas, taps, rows[r], first + 3 * width);
      }
    }
  }

  /** Resizes a row that becomes shorter than a vector. */
  private static void few(
      int channels, int[] pixels, int from, Taps taps, int[] row, int first, int plane) {
    int n = taps.length();
    for (int c = 0; c < channels; c++) {
      for (int x = 0; x < n; x++) {
        int sum = HALF;
        for (int k = 0; k < taps.count(); k++) {
          int pixel = pixels[from + taps.starts()[x] + k];
          sum += ((pixel >>> (8 * c)) & 255) * taps.weights()[k * n + x];
        }
        row[first + c * plane + x] = Math.max(0, Math.min(255, sum >> SHIFT));
      }
    }
  }

  private static void horizontal(
      int[] pixels, int from, Taps taps, int[] row, int first, int plane) {
    int n = taps.length();
    for (int x = 0; x < n; x += LANES) {
      int at = Math.min(x, n - LANES);
      resample(pixels, from, taps, at, row, first + at, plane);
    }
    if (taps.overshoots()) {
      for (int c = 0; c < 3; c++) {
        clip(row, first + c * plane, n);
      }
    }
  }

  private static void horizontalOfOne(int[] pixels, int from, Taps taps, int[] row, int first) {
    int n = taps.length();
    int[] starts = taps.starts();
    for (int x = 0; x < n; x += LANES) {
      int at = Math.min(x, n - LANES);
      int base = Math.min(starts[at], starts[at + LANES - 1]);
      if (Math.max(starts[at], starts[at + LANES - 1]) - base < 2 * LANES) {
        nearbyOfOne(pixels, from + base, taps, at, base, row, first + at);
      } else {
        scatteredOfOne(pixels, from, taps, at, row, first + at);
      }
    }
    if (taps.overshoots()) {
      clip(row, first, n);
    }
  }

  private static void nearbyOfOne(
      int[] pixels, int from, Taps taps, int x, int base, int[] row, int to) {
    IntVector lane = IntVector.fromArray(INTS, taps.starts(), x).sub(base);
    VectorMask<Integer> second = lane.compare(GE, LANES);
    IntVector index = lane.and(LANES - 1);
    int[] weights = taps.weights();
    int n = taps.length();
    int end = from + taps.count();
    IntVector sum = IntVector.broadcast(INTS, HALF);
    for (int p = from, w = x; p < end; p++, w += n) {
      IntVector weight = IntVector.fromArray(INTS, weights, w);
      sum = sum.add(select(pixels, p, index, second).mul(weight));
    }
    sum.lanewise(ASHR, SHIFT).intoArray(row, to);
  }

  private static void scatteredOfOne(int[] pixels, int from, Taps taps, int x, int[] row, int to) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int end = from + taps.count();
    IntVector sum = IntVector.broadcast(INTS, HALF);
    for (int p = from, w = x; p < end; p++, w += n) {
      IntVector weight = IntVector.fromArray(INTS, weights, w);
      sum = sum.add(IntVector.fromArray(INTS, pixels, p, starts, x).mul(weight));
    }
    sum.lanewise(ASHR, SHIFT).intoArray(row, to);
  }

  /** Computes a vector of outputs of a row, from column {@code x} on. */
  private static void resample(
      int[] pixels, int from, Taps taps, int x, int[] row, int to, int plane) {
    int[] starts = taps.starts();
    int base = Math.min(starts[x], starts[x + LANES - 1]);
    int span = Math.max(starts[x], starts[x + LANES - 1]) - base;
    if (span < 2 * LANES) {
      nearby(pixels, from + base, taps, x, base, row, to, plane);
    } else if (span < 4 * LANES) {
      farther(pixels, from + base, taps, x, base, row, to, plane);
    } else {
      scattered(pixels, from, taps, x, row, to, plane);
    }
  }

  private static void nearby(
      int[] pixels, int from, Taps taps, int x, int base, int[] row, int to, int plane) {
    IntVector lane = IntVector.fromArray(INTS, taps.starts(), x).sub(base);
    VectorMask<Integer> second = lane.compare(GE, LANES);
    IntVector index = lane.and(LANES - 1);
    int[] weights = taps.weights();
    int n = taps.length();
    int end = from + taps.count();
    IntVector red = IntVector.broadcast(INTS, HALF);
    IntVector green = red;
    IntVector blue = red;
    for (int p = from, w = x; p < end; p++, w += n) {
      IntVector weight = IntVector.fromArray(INTS, weights, w);
      IntVector pixel = select(pixels, p, index, second);
      red = red.add(pixel.and(255).mul(weight));
      green = green.add(pixel.lanewise(LSHR, 8).and(255).mul(weight));
      blue = blue.add(pixel.lanewise(LSHR, 16).mul(weight));
    }
    store(red, green, blue, row, to, plane);
  }

  /**
   * Computes outputs whose pixels lie in four vectors. The method calls no helpers, so that it has
   * more than 325 bytes of code and C2 does not inline it into {@link #resample}. There, together
   * with {@link #nearby}, it would exceed the compiler's limit of nodes, and its vectors would stay
   * objects.
   */
  private static void farther(
      int[] pixels, int from, Taps taps, int x, int base, int[] row, int to, int plane) {
    IntVector lane = IntVector.fromArray(INTS, taps.starts(), x).sub(base);
    VectorMask<Integer> second = lane.and(LANES).compare(GE, LANES);
    VectorMask<Integer> upper = lane.compare(GE, 2 * LANES);
    IntVector index = lane.and(LANES - 1);
    int[] weights = taps.weights();
    int n = taps.length();
    int end = from + taps.count();
    IntVector red = IntVector.broadcast(INTS, HALF);
    IntVector green = red;
    IntVector blue = red;
    for (int p = from, w = x; p < end; p++, w += n) {
      IntVector weight = IntVector.fromArray(INTS, weights, w);
      IntVector pixel =
          index
              .selectFrom(IntVector.fromArray(INTS, pixels, p))
              .blend(index.selectFrom(IntVector.fromArray(INTS, pixels, p + LANES)), second)
              .blend(
                  index
                      .selectFrom(IntVector.fromArray(INTS, pixels, p + 2 * LANES))
                      .blend(
                          index.selectFrom(IntVector.fromArray(INTS, pixels, p + 3 * LANES)),
                          second),
                  upper);
      red = red.add(pixel.and(255).mul(weight));
      green = green.add(pixel.lanewise(LSHR, 8).and(255).mul(weight));
      blue = blue.add(pixel.lanewise(LSHR, 16).mul(weight));
    }
    red.lanewise(ASHR, SHIFT).intoArray(row, to);
    green.lanewise(ASHR, SHIFT).intoArray(row, to + plane);
    blue.lanewise(ASHR, SHIFT).intoArray(row, to + 2 * plane);
  }

  private static void scattered(
      int[] pixels, int from, Taps taps, int x, int[] row, int to, int plane) {
    int[] starts = taps.starts();
    int[] weights = taps.weights();
    int n = taps.length();
    int end = from + taps.count();
    IntVector red = IntVector.broadcast(INTS, HALF);
    IntVector green = red;
    IntVector blue = red;
    for (int p = from, w = x; p < end; p++, w += n) {
      IntVector weight = IntVector.fromArray(INTS, weights, w);
      IntVector pixel = IntVector.fromArray(INTS, pixels, p, starts, x);
      red = red.add(pixel.and(255).mul(weight));
      green = green.add(pixel.lanewise(LSHR, 8).and(255).mul(weight));
      blue = blue.add(pixel.lanewise(LSHR, 16).mul(weight));
    }
    store(red, green, blue, row, to, plane);
  }

  /**
   * Selects a pixel for each lane: from the second vector where the mask is set, else the first.
   */
  private static IntVector select(
      int[] pixels, int at, IntVector index, VectorMask<Integer> second) {
    return selected(pixels, at, index).blend(selected(pixels, at + LANES, index), second);
  }

  private static IntVector selected(int[] pixels, int at, IntVector index) {
    return index.selectFrom(IntVector.fromArray(INTS, pixels, at));
  }

  private static void store(
      IntVector red, IntVector green, IntVector blue, int[] row, int at, int plane) {
    store(red, row, at);
    store(green, row, at + plane);
    store(blue, row, at + 2 * plane);
  }

  private static void store(IntVector sums, int[] row, int at) {
    sums.lanewise(ASHR, SHIFT).intoArray(row, at);
  }

  private static void clip(int[] row, int from, int n) {
    for (int x = 0; x < n; x += LANES) {
      int at = from + Math.min(x, n - LANES);
      clip(IntVector.fromArray(INTS, row, at)).intoArray(row, at);
    }
  }

  @Override
  void vertical(int channels, int[][] ring, int size, Taps taps, int i, int[] sums, int width) {
    int n = channels * width;
    int[] weights = taps.weights();
    int start = taps.starts()[i];
    int step = taps.length();
    int count = taps.weighing(i);
    int k = begin(ring, size, taps, i, count, sums, n);
    for (int w = k * step + i; k + 1 < count; k += 2, w += 2 * step) {
      int[] a = ring[(start + k) % size];
      int[] b = ring[(start + k + 1) % size];
      add(sums, a, weights[w], b, weights[w + step], n);
    }
    if (k < count) {
      add(sums, ring[(start + k) % size], weights[k * step + i], n);
    }
  }

  /** Sets sums of an output row to its first weighted rows; returns the number of these rows. */
  private static int begin(int[][] ring, int size, Taps taps, int i, int count, int[] sums, int n) {
    if (n < LANES) {
      Arrays.fill(sums, 0, n, HALF);
      return 0;
    }
    int[] weights = taps.weights();
    int step = taps.length();
    int start = taps.starts()[i];
    int[] a = ring[start % size];
    int weightA = weights[i];
    if (count == 1) {
      sum(a, weightA, sums, n);
      return 1;
    }
    int[] b = ring[(start + 1) % size];
    int weightB = weights[i + step];
    if (count == 2) {
      sum(a, weightA, b, weightB, sums, n);
      return 2;
    }
    int[] c = ring[(start + 2) % size];
    int weightC = weights[i + 2 * step];
    if (count == 3) {
      sum(a, weightA, b, weightB, c, weightC, sums, n);
      return 3;
    }
    sum(
        a,
        weightA,
        b,
        weightB,
        c,
        weightC,
        ring[(start + 3) % size],
        weights[i + 3 * step],
        sums,
        n);
    return 4;
  }

  private static void sum(int[] a, int weightA, int[] sums, int n) {
    for (int i = 0; i < n; i += LANES) {
      int at = Math.min(i, n - LANES);
      weighted(a, at, weightA).add(HALF).intoArray(sums, at);
    }
  }

  private static void sum(int[] a, int weightA, int[] b, int weightB, int[] sums, int n) {
    for (int i = 0; i < n; i += LANES) {
      int at = Math.min(i, n - LANES);
      weighted(a, at, weightA).add(weighted(b, at, weightB)).add(HALF).intoArray(sums, at);
    }
  }

  private static void sum(
      int[] a, int weightA, int[] b, int weightB, int[] c, int weightC, int[] sums, int n) {
    for (int i = 0; i < n; i += LANES) {
      int at = Math.min(i, n - LANES);
      weighted(a, at, weightA)
          .add(weighted(b, at, weightB))
          .add(weighted(c, at, weightC))
          .add(HALF)
          .intoArray(sums, at);
    }
  }

  private static void sum(
      int[] a,
      int weightA,
      int[] b,
      int weightB,
      int[] c,
      int weightC,
      int[] d,
      int weightD,
      int[] sums,
      int n) {
    for (int i = 0; i < n; i += LANES) {
      int at = Math.min(i, n - LANES);
      weighted(a, at, weightA)
          .add(weighted(b, at, weightB))
          .add(weighted(c, at, weightC))
          .add(weighted(d, at, weightD))
          .add(HALF)
          .intoArray(sums, at);
    }
  }

  private static IntVector weighted(int[] row, int at, int weight) {
    return IntVector.fromArray(INTS, row, at).mul(weight);
  }

  private static void add(int[] sums, int[] row, int weight, int n) {
    int end = INTS.loopBound(n);
    for (int i = 0; i < end; i += LANES) {
      IntVector product = IntVector.fromArray(INTS, row, i).mul(weight);
      IntVector.fromArray(INTS, sums, i).add(product).intoArray(sums, i);
    }
    for (int i = end; i < n; i++) {
      sums[i] += row[i] * weight;
    }
  }

  private static void add(int[] sums, int[] a, int weightA, int[] b, int weightB, int n) {
    int end = INTS.loopBound(n);
    for (int i = 0; i < end; i += LANES) {
      IntVector productA = IntVector.fromArray(INTS, a, i).mul(weightA);
      IntVector productB = IntVector.fromArray(INTS, b, i).mul(weightB);
      IntVector.fromArray(INTS, sums, i).add(productA).add(productB).intoArray(sums, i);
    }
    for (int i = end; i < n; i++) {
      sums[i] += a[i] * weightA + b[i] * weightB;
    }
  }

  private static IntVector clip(IntVector values) {
    return values.max(0).min(255);
  }

  private static IntVector sample(int[] sums, int at) {
    return clip(IntVector.fromArray(INTS, sums, at).lanewise(ASHR, SHIFT));
  }

  @Override
  public void planar(int[] sums, int n, PixelTable table, float[] out) {
    if (n < LANES || !table.computable()) {
      plain.planar(sums, n, table, out);
      return;
    }
    for (int c = 0; c < 3; c++) {
      normalize(sums, c * n, n, c, table, out);
    }
  }

  @Override
  void plane(int[] sums, int from, int n, int channel, PixelTable table, float[] out) {
    if (n < LANES || !table.computable()) {
      plain.plane(sums, from, n, channel, table, out);
      return;
    }
    normalize(sums, from, n, channel, table, out);
  }

  private static void normalize(
      int[] sums, int from, int n, int channel, PixelTable table, float[] out) {
    for (int x = 0; x < n; x += LANES) {
      int at = from + Math.min(x, n - LANES);
      value(sample(sums, at), table, channel).intoArray(out, at);
    }
  }

  /** Computes the values of samples by the formula of {@link PixelTable#computable}. */
  private static FloatVector value(IntVector samples, PixelTable table, int channel) {
    return divide(fraction(floats(samples), table).sub(table.mean(channel)), table, channel);
  }

  private static FloatVector floats(IntVector samples) {
    return (FloatVector) samples.convertShape(I2F, FLOATS, 0);
  }

  private static FloatVector fraction(FloatVector whole, PixelTable table) {
    return table.isScaled() ? whole.mul(1 / 255f) : divide(whole, 1 / 255f, REST_OF_255);
  }

  private static FloatVector divide(FloatVector dividend, PixelTable table, int channel) {
    return divide(dividend, table.reciprocal(channel), table.rest(channel));
  }

  private static FloatVector divide(FloatVector dividend, float reciprocal, float rest) {
    return dividend.fma(FloatVector.broadcast(FLOATS, reciprocal), dividend.mul(rest));
  }

  @Override
  public void interleaved(int[] sums, int n, PixelTable table, float[] out) {
    if (n < LANES || !table.computable()) {
      plain.interleaved(sums, n, table, out);
      return;
    }
    for (int x = 0; x < n; x += LANES) {
      int at = Math.min(x, n - LANES);
      FloatVector red = value(sample(sums, at), table, 0);
      FloatVector green = value(sample(sums, n + at), table, 1);
      FloatVector blue = value(sample(sums, 2 * n + at), table, 2);
      FIRST.of(red, green, blue).intoArray(out, 3 * at);
      SECOND.of(red, green, blue).intoArray(out, 3 * at + LANES);
      THIRD.of(red, green, blue).intoArray(out, 3 * at + 2 * LANES);
    }
  }

  /**
   * The shuffle and masks that make one of three interleaved vectors out of a vector of red, one of
   * green and one of blue: for each lane, the lane to copy and the color.
   */
  private record Third(
      VectorShuffle<Float> pixel, VectorMask<Float> green, VectorMask<Float> blue) {

    static Third number(int number) {
      boolean[] green = new boolean[LANES];
      boolean[] blue = new boolean[LANES];
      for (int i = 0; i < LANES; i++) {
        int channel = (number * LANES + i) % 3;
        green[i] = channel == 1;
        blue[i] = channel == 2;
      }
      return new Third(
          VectorShuffle.fromOp(FLOATS, i -> (number * LANES + i) / 3),
          VectorMask.fromArray(FLOATS, green, 0),
          VectorMask.fromArray(FLOATS, blue, 0));
    }

    FloatVector of(FloatVector r, FloatVector g, FloatVector b) {
      return ofTwo(r, g).blend(b.rearrange(pixel), blue);
    }

    private FloatVector ofTwo(FloatVector r, FloatVector g) {
      return r.rearrange(pixel).blend(g.rearrange(pixel), green);
    }
  }

  @Override
  void bytes(int[] sums, int n, byte[] out) {
    if (n < LANES) {
      plain.bytes(sums, n, out);
      return;
    }
    for (int x = 0; x < n; x += LANES) {
      int at = Math.min(x, n - LANES);
      ((ByteVector) sample(sums, at).convertShape(I2B, BYTES, 0)).intoArray(out, at);
    }
  }

  @Override
  void packed(int[] sums, int n, int[] out, int at) {
    if (n < LANES) {
      plain.packed(sums, n, out, at);
      return;
    }
    for (int x = 0; x < n; x += LANES) {
      int from = Math.min(x, n - LANES);
      sample(sums, from)
          .or(sample(sums, n + from).lanewise(LSHL, 8))
          .or(sample(sums, 2 * n + from).lanewise(LSHL, 16))
          .intoArray(out, at + from);
    }
  }

  @Override
  void samples(int[] sums, int from, int n, int[] out, int at) {
    if (n < LANES) {
      plain.samples(sums, from, n, out, at);
      return;
    }
    for (int x = 0; x < n; x += LANES) {
      int i = Math.min(x, n - LANES);
      sample(sums, from + i).intoArray(out, at + i);
    }
  }
}
