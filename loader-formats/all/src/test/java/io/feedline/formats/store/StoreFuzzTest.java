package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Strength;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged stores of all formats, in a JVM with a heap of 256 MB.
 *
 * <p>{@code mvn -pl loader-formats/all test -Dtest=StoreFuzzTest -Dfuzz.cases=20000} runs more
 * cases of each kind than the default; {@code -Dfuzz.seed} other ones, {@code -Dfuzz.kinds} some
 * kinds, and {@code -Dfuzz.keep=DIR} keeps them to be compared with what others read.
 */
class StoreFuzzTest {

  private static final int CASES = Integer.getInteger("fuzz.cases", Strength.of(20));
  private static final String KINDS = System.getProperty("fuzz.kinds", "all");

  @Test
  void shouldReadDamagedStoresOrRefuseThem(@TempDir Path directory) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory,
                "-Dfeedline.indexes=",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                StoreFuzzer.class.getName(),
                KINDS,
                String.valueOf(CASES),
                System.getProperty("fuzz.seed", "1")));
    Optional.ofNullable(System.getProperty("fuzz.keep")).ifPresent(command::add);
    Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(java.getInputStream().readAllBytes(), UTF_8);

    assertThat(java.waitFor()).as(said).isZero();
    String last = KINDS.equals("all") ? "own-webdataset" : "";
    assertThat(said).contains(last + ": " + CASES + " mutants").endsWith("done\n");
  }
}
