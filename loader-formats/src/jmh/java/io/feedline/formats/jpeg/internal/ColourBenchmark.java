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
 * What does it cost to stretch the colors of a decoded image and to make pixels of it, for each
 * sampling, by plain and by vector kernels?
 *
 * <p>A score is microseconds for all rows of an image of 500 x 375 pixels whose samples are there.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=ColourBenchmark
 * mvn ... -Djmh.args="-p kernels=VECTOR -p sampling=S420"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ColourBenchmark {
  private static final int WIDTH = 500;
  private static final int HEIGHT = 375;

  /** Which kernels. */
  @Param public KernelSet kernels;

  /** How many samples of color there are; the constants of {@link Sampling}. */
  @Param({"GRAY", "S444", "S422", "S420", "S440", "S411"})
  public String sampling;

  private final int[] pixels = new int[WIDTH * HEIGHT];
  private PixelPlanes planes;

  /** Makes the samples of coefficients that are smooth in the main. */
  @Setup
  public void fill() {
    PixelKernels subject =
        kernels.of(MethodHandles.lookup(), PixelKernels.class, PlainPixelKernels::new);
    planes = new PixelPlanes(subject);
    McuGrid grid = new McuGrid(WIDTH, HEIGHT, Sampling.valueOf(sampling));
    planes.begin(grid, false, 0, 0, WIDTH, HEIGHT, 1);
    SplittableRandom random = new SplittableRandom(1);
    int batch = planes.mcusPerRowOfBatch();
    for (int row = 0; row < grid.rows(); row++) {
      for (int column = 0; column < grid.columns(); column += batch) {
        int[] coefficients = planes.coefficients().values();
        for (int i = 0; i < 8 * Coefficients.BLOCKS; i++) {
          coefficients[i] = random.nextInt(-200, 201);
        }
        planes.transform();
        planes.store(row, column, Math.min(batch, grid.columns() - column), 0);
      }
    }
    planes.finish();
  }

  /** From the top, as each image is read. */
  @Benchmark
  public int[] read() {
    planes.read(0, HEIGHT, pixels, 0, WIDTH);
    return pixels;
  }
}
