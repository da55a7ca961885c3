package io.feedline.bench;

import io.feedline.Batch;
import io.feedline.DType;
import io.feedline.DataLoader;
import io.feedline.Dataset;
import io.feedline.Shape;
import io.feedline.Tensor;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a finished sample take into its row of a batch, by the default collator?
 *
 * <p>One thread and batches of 32, so a score holds the engine's part as well: {@code NUMBER}
 * nearly nothing else. {@code TENSOR} is an image of 3 x 224 x 224 floats that is copied, to be
 * held against {@link CopyBaseline}; its batches (19 MB) do not fit into most caches, the
 * baseline's images do.
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=Collation
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Collation {
  private static final int SAMPLES = 1 << 10;
  private static final Shape IMAGE = Shape.of(3, 224, 224);

  /** What a sample is. */
  public enum Kind {
    /** A boxed long. */
    NUMBER {
      @Override
      Object sample() {
        return 42L;
      }
    },
    /** Two numbers, a flag and a string. */
    RECORD {
      @Override
      Object sample() {
        return new Annotation(42L, 0.5f, true, "a cat");
      }
    },
    /** 3 x 224 x 224 floats in direct memory. */
    TENSOR {
      @Override
      Object sample() {
        int bytes = (int) IMAGE.elements() * DType.FLOAT32.bytes();
        return Tensor.of(DType.FLOAT32, IMAGE, ByteBuffer.allocateDirect(bytes));
      }
    };

    abstract Object sample();
  }

  /**
   * A sample of several fields.
   *
   * @param id a number
   * @param weight a fraction
   * @param crowd a flag
   * @param text a value that stays one
   */
  public record Annotation(long id, float weight, boolean crowd, String text) {}

  /** What the samples are. */
  @Param public Kind kind;

  private DataLoader<Object> loader;

  /** Makes the loader. */
  @Setup(Level.Trial)
  public void open() {
    Object sample = kind.sample();
    loader =
        DataLoader.builder(Dataset.of(SAMPLES, index -> sample))
            .name("collation")
            .batchSize(32)
            .numWorkers(0)
            .build();
  }

  /** Gives the memory back. */
  @TearDown(Level.Trial)
  public void close() {
    loader.close();
  }

  /** One epoch. */
  @Benchmark
  @OperationsPerInvocation(SAMPLES)
  public long epoch() {
    long samples = 0;
    for (Batch batch : loader) {
      try (batch) {
        samples += batch.size();
      }
    }
    return samples;
  }
}
