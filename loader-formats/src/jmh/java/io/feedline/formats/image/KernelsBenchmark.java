package io.feedline.formats.image;

import io.feedline.formats.image.Kernels.RowOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do the two passes of a resize to 224 columns cost, for each number of taps they meet?
 *
 * <p>A score is nanoseconds for two rows horizontally, and for one row vertically: a picture takes
 * half as many of the first as its crop has rows, and 224 of the second.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=KernelsBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KernelsBenchmark {
  private static final int SIDE = 224;
  private static final int SAMPLES = 3 * SIDE;
  private static final RowOrder PLANES = new RowOrder(0, 1, SIDE);

  /** The columns and rows of the crop: 2, 1, 3, 5 and 9 taps. */
  @Param({"160", "224", "300", "450", "900"})
  public int crop;

  private final Taps taps = new Taps();
  private final int[] upper = new int[SAMPLES];
  private final int[] lower = new int[SAMPLES];
  private final int[] sums = new int[SAMPLES];
  private byte[] rgb;
  private int[][] ring;
  private int row;

  /** Plans the taps and fills the rows. */
  @Setup
  public void plan() {
    taps.plan(crop, SIDE, 0, SIDE, Interpolation.BILINEAR);
    SplittableRandom random = new SplittableRandom(1);
    rgb = new byte[2 * 3 * crop];
    random.nextBytes(rgb);
    ring = new int[taps.count() + 1][];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = random.ints(SAMPLES, 0, 256).toArray();
    }
  }

  /** Two rows of the crop to two of the ring. */
  @Benchmark
  public int[] horizontal() {
    Kernels.horizontal(rgb, 0, 3 * crop, taps, upper, lower, PLANES, SAMPLES);
    return lower;
  }

  /** As many rows of the ring as there are taps to one row of sums. */
  @Benchmark
  public int[] vertical() {
    row = row + 1 == SIDE ? 0 : row + 1;
    int at = row * taps.count();
    int first = taps.starts()[row];
    Kernels.vertical(ring, ring.length, first, taps.weights(), at, taps.count(), sums, SAMPLES);
    return sums;
  }
}
