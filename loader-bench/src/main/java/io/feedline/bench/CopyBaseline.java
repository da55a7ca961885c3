package io.feedline.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures how fast this machine copies one training image (3 x 224 x 224 floats) in direct memory.
 *
 * <p>The denominator for every "fast" in this module: {@code mvn -Pbench -pl loader-bench -am
 * -DskipTests verify -Dbench=CopyBaseline}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CopyBaseline {
  private static final int BYTES = 3 * 224 * 224 * Float.BYTES;

  private final ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
  private final ByteBuffer to = ByteBuffer.allocateDirect(BYTES);

  /** Copies the whole image. */
  @Benchmark
  public ByteBuffer copy() {
    return to.put(0, from, 0, BYTES);
  }
}
