package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none can rot. It measures nothing. */
class BenchmarksTest {
  static Stream<String> benchmarks() {
    return BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername);
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void shouldRun(String benchmark) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark) + "$")
            .param("batchSize", "8")
            .param("shuffle", "true")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10))
            .addProfiler(ProcessCpuProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).isNotEmpty();
    for (RunResult result : results) {
      assertThat(result.getPrimaryResult().getScore()).as(benchmark).isPositive();
      assertThat(result.getSecondaryResults()).containsKey("cpu");
    }
  }
}
