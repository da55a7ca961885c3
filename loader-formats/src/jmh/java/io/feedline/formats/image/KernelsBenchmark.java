package io.feedline.formats.image;

import io.feedline.formats.bench.KernelSet;
import java.lang.invoke.MethodHandles;
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
 * What do the two passes of a resize to 224 columns cost, for each number of taps they meet, by
 * plain and by vector kernels?
 *
 * <p>A score is nanoseconds for one row. An image takes as many horizontal ones as its crop has
 * rows, and 224 vertical ones.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=image.KernelsBenchmark
 * mvn ... -Djmh.args="-p kernels=VECTOR -p crop=450"
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

  /** Which kernels. */
  @Param public KernelSet kernels;

  /** The columns and rows of the crop: 2, 1, 3 to 4, 5, and 9 taps. */
  @Param({"160", "224", "300", "450", "900"})
  public int crop;

  /** Whether the filter is as wide as the reduction; otherwise there are two taps. */
  @Param({"true", "false"})
  public boolean antialias;

  private final Taps taps = new Taps();
  private final int[] row = new int[SAMPLES];
  private final int[] sums = new int[SAMPLES];
  private Kernels subject;
  private int[] pixels;
  private int[][] ring;
  private int next;

  /** Plans the taps and fills the rows. */
  @Setup
  public void plan() {
    subject = kernels.of(MethodHandles.lookup(), Kernels.class, PlainKernels::new);
    taps.plan(crop, SIDE, 0, SIDE, Interpolation.BILINEAR, antialias);
    SplittableRandom random = new SplittableRandom(1);
    pixels = random.ints(taps.span() + subject.overrun(), 0, 1 << 24).toArray();
    ring = new int[taps.count() + 1][];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = random.ints(SAMPLES, 0, 256).toArray();
    }
  }

  /** A row of packed pixels to a row of three planes. */
  @Benchmark
  public int[] horizontal() {
    subject.horizontal(pixels, 0, taps, row, 0, SIDE);
    return row;
  }

  /** As many rows of the ring as there are taps to one row of sums. */
  @Benchmark
  public int[] vertical() {
    next = next + 1 == SIDE ? 0 : next + 1;
    subject.vertical(ring, ring.length, taps, next, sums, SAMPLES);
    return sums;
  }
}
