package io.feedline.formats.jpeg.internal;

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
 * What does the inverse DCT of a batch of blocks cost, by plain and by vector kernels?
 *
 * <p>A score is nanoseconds for a full batch, {@link Coefficients#BLOCKS} blocks. An image of 500 x
 * 375 pixels has 9 such batches where its colors have half the resolution in both directions, and
 * 43 where they keep it.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=PixelKernelsBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PixelKernelsBenchmark {
  /** Which kernels. */
  @Param public KernelSet kernels;

  /** The samples of a block in either direction; less than 8 decodes a smaller image. */
  @Param({"8", "4"})
  public int size;

  private final int[] left = new int[8 * Coefficients.BLOCKS];
  private final int[] right = new int[8 * Coefficients.BLOCKS];
  private final int[] coefficients = new Coefficients().values();
  private PixelKernels subject;

  /** Fills the coefficients. No kernel branches on what they are, so any will do, each time. */
  @Setup
  public void fill() {
    subject = kernels.of(MethodHandles.lookup(), PixelKernels.class, PlainPixelKernels::new);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < Coefficients.USED; i++) {
      coefficients[i] = random.nextInt(-50, 51);
    }
  }

  /** All slots. */
  @Benchmark
  public int[] transform() {
    subject.transform(size, coefficients, 0, Coefficients.BLOCKS, left, right);
    return left;
  }
}
