package io.feedline.formats.media.sound;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damaged files never end the JVM, hang, or take memory: {@link AudioMutants}, in its own process.
 */
class AudioMutantsTest {
  private static final String MUTANTS = System.getProperty("feedline.audio.mutants", "100");

  @Test
  @Timeout(600)
  void shouldReadOrRefuseEachMutant() throws Exception {
    assertThat(run("-Xmx256m", MUTANTS)).hasSameSizeAs(AudioFileTest.names());
  }

  @Test
  @Timeout(600)
  void shouldHoldNoMemoryOfAThousandFiles() throws Exception {
    List<String> lines = run("-Xmx64m", "0", "1000");

    assertThat(Long.parseLong(lines.get(0))).isLessThan(16 << 20);
  }

  /** Returns the lines that the program prints. */
  private static List<String> run(String heap, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(heap, "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(AudioMutants.class.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      byte[] output = process.getInputStream().readAllBytes();
      List<String> lines = new String(output, StandardCharsets.UTF_8).lines().toList();
      assertThat(process.waitFor()).as("%s", lines).isZero();
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }
}
