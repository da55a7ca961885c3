package io.feedline.bench;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the CPU time of the whole process per operation to each score, in nanoseconds. It includes
 * the threads of a loader, the garbage collector and the JIT compiler, which JMH's own scores leave
 * out. Use it by {@code -prof io.feedline.bench.ProcessCpuProfiler}.
 *
 * <p>JMH creates an object by the class name, in the measured process, and calls it from one
 * thread.
 */
public final class ProcessCpuProfiler implements InternalProfiler {
  private long startNanos;

  /** Creates the profiler; called by JMH. */
  public ProcessCpuProfiler() {}

  @Override
  public String getDescription() {
    return "CPU time of the whole process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startNanos = ProcessMeter.cpuNanos();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long spent = ProcessMeter.cpuNanos() - startNanos;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(
        new ScalarResult("cpu", (double) spent / operations, "ns/op", AggregationPolicy.AVG));
  }
}
