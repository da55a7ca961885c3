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
 * What does it cost to make a tensor's elements of a row of 224 resized pixels, normalized floats
 * or bytes, by plain and by vector kernels?
 *
 * <p>A score is nanoseconds for one row, of which an image has 224. It includes a copy of the
 * row's 672 sums, which the kernels may overwrite.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=image.StoreBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StoreBenchmark {
  private static final int SIDE = 224;
  private static final int SAMPLES = 3 * SIDE;
  private static final PixelTable TABLE =
      PixelTable.normalized(
          new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});

  /** Which kernels. */
  @Param public KernelSet kernels;

  private final int[] kept =
      new SplittableRandom(1)
          .ints(SAMPLES, 0, 256)
          .map(value -> (value << Kernels.SHIFT) + Kernels.HALF)
          .toArray();
  private final int[] sums = new int[SAMPLES];
  private final float[] floats = new float[SAMPLES];
  private final byte[] bytes = new byte[SAMPLES];
  private final int[] pixels = new int[SIDE];
  private Kernels subject;

  /** Chooses the kernels. */
  @Setup
  public void choose() {
    subject = kernels.of(MethodHandles.lookup(), Kernels.class, PlainKernels::new);
  }

  private int[] sums() {
    System.arraycopy(kept, 0, sums, 0, SAMPLES);
    return sums;
  }

  /** Floats, channel after channel. */
  @Benchmark
  public float[] planar() {
    subject.planar(sums(), SIDE, TABLE, floats);
    return floats;
  }

  /** Floats, the channels of a pixel side by side. */
  @Benchmark
  public float[] interleaved() {
    subject.interleaved(sums(), SIDE, TABLE, floats);
    return floats;
  }

  /** Bytes, channel after channel. */
  @Benchmark
  public byte[] bytes() {
    subject.bytes(sums(), SAMPLES, bytes);
    return bytes;
  }

  /** Packed pixels, as another pass over the image wants them. */
  @Benchmark
  public int[] packed() {
    subject.packed(sums(), SIDE, pixels, 0);
    return pixels;
  }
}
