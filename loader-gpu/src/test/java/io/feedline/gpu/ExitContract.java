package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * That a process which ends in the middle of an epoch ends as it wants to: nothing crashes, hangs
 * or complains, whatever the copying thread is doing.
 */
@Timeout(300)
abstract class ExitContract {

  private static final List<String> SIGNS_OF_A_CRASH =
      List.of(
          "SIGSEGV",
          "SIGABRT",
          "SIGBUS",
          "fatal error",
          "terminate called",
          "core dump",
          "corrupt",
          "Exception",
          "Error",
          "CUDA_ERROR");

  abstract String driver();

  /**
   * The number of batches is as many as it takes for the call to be made, so that the consumer
   * waits for it.
   */
  @ParameterizedTest
  @CsvSource({
    "cuMemcpyHtoDAsync, 1, 0",
    "cuMemcpyHtoDAsync, 6, 4",
    "cuEventSynchronize, 1, 0",
    "cuEventSynchronize, 5, 4",
    "cuEventElapsedTime, 3, 2",
    "cuStreamWaitEvent, 4, 2",
    "cuPointerGetAttribute, 4, 2"
  })
  void shouldEndTheProcessInMidEpoch(
      String function, int number, int batches, @TempDir Path directory) throws Exception {
    ForkedJvm.Result ended =
        ForkedJvm.run(
            directory,
            List.of(
                "-XX:ErrorFile=" + directory.resolve("hs_err"),
                "-XX:-CreateCoredumpOnCrash",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
            ExitInMidEpoch.class,
            driver(),
            function,
            Integer.toString(number),
            Integer.toString(batches));

    ended.output().forEach(System.out::println);
    assertThat(ended.status()).as("%s", ended.output()).isEqualTo(ExitInMidEpoch.STATUS);
    assertThat(ended.output())
        .anyMatch(line -> line.startsWith(ExitInMidEpoch.SAYS))
        .noneMatch(line -> SIGNS_OF_A_CRASH.stream().anyMatch(line::contains));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName)).containsExactly(Path.of("output"));
    }
  }
}
