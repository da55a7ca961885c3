package io.feedline.bench;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
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
 * Measures the loader's own cost per sample: the order, the claims of workers, the slots, and the
 * hand-over to the consumer.
 *
 * <p>The dataset always returns the same boxed number, so nothing else is read, decoded or copied.
 * A score is samples per second through the whole loader; with 0 workers everything runs on one
 * thread, so the score is per second and core. Run it with {@link ProcessCpuProfiler} to see what
 * workers cost on all cores together:
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=EmptyLoader \
 *     -Djmh.args="-prof io.feedline.bench.ProcessCpuProfiler"
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EmptyLoader {
  private static final int SAMPLES = 1 << 16;

  /** The number of samples in a batch. */
  @Param({"8", "128", "256"})
  public int batchSize;

  /** The number of worker threads; with 0 the consumer makes the batches. */
  @Param({"0", "1", "2"})
  public int workers;

  /** True for a random order. */
  @Param({"false", "true"})
  public boolean shuffle;

  private DataLoader<Long> loader;

  /** Opens the loader. */
  @Setup(Level.Trial)
  public void open() {
    Long constant = 42L;
    loader =
        DataLoader.builder(Dataset.of(SAMPLES, index -> constant))
            .name("empty")
            .batchSize(batchSize)
            .numWorkers(workers)
            .shuffle(shuffle)
            .build();
  }

  /** Closes the loader, which ends its workers. */
  @TearDown(Level.Trial)
  public void close() {
    loader.close();
  }

  /** Iterates over one epoch. */
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
