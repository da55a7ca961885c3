package io.feedline.bench;

import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
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
 * What does the index at a position of a shuffled order cost, and does it depend on the size?
 *
 * <p>Nobody shuffles an array here: each call computes its index. A score is nanoseconds per index.
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=Shuffle
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Shuffle {
  /** The samples of the dataset. */
  @Param({"1000000", "1000000000"})
  public long size;

  private RandomSampler sampler;
  private Order order;
  private long position;
  private long epoch;

  /** Makes the order. */
  @Setup
  public void open() {
    sampler = RandomSampler.of(size, 7);
    order = sampler.order(0);
  }

  /** The next position's index. */
  @Benchmark
  public long indexAt() {
    position = position + 1 == size ? 0 : position + 1;
    return order.indexAt(position);
  }

  /** A new epoch's order and its first index: what an epoch waits for before its first sample. */
  @Benchmark
  public long firstIndexOfAnEpoch() {
    return sampler.order(epoch++).indexAt(0);
  }
}
