package io.feedline.formats.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files never end the JVM, hang, or take memory: {@link MediaMutants}, in its process. */
@Timeout(600)
class MediaMutantsTest {

  private static final String COUNT = System.getProperty("feedline.mutants", "150");

  /** With a heap of 64 MB the process may take 256 MB in all. */
  @Test
  void shouldSurviveDamagedVideos() throws Exception {
    List<String> videos =
        List.of(
            "video/bframes.mp4",
            "video/opengop.mkv",
            "video/late.ts",
            "video/xvid.avi",
            "video/mpeg2.mpg",
            "video/hidden.webm",
            "video/av1.mp4");
    List<String> said = mutants("-Xmx64m", videos);
    assertThat(Long.parseLong(said.get(videos.size()))).isLessThan(256 << 10);
  }

  @Test
  void shouldSurviveDamagedSounds() throws Exception {
    String table = new String(MediaMutants.bytes("sound/sounds.csv"), StandardCharsets.UTF_8);
    mutants("-Xmx256m", table.lines().map(line -> "sound/" + line.split(",", 2)[0]).toList());
  }

  private static List<String> mutants(String heap, List<String> resources) throws Exception {
    List<String> arguments = new ArrayList<>(resources);
    arguments.add(0, COUNT);
    List<String> said = run(heap, arguments);
    assertThat(said).hasSize(resources.size() + 1);
    return said;
  }

  /** Good files and broken ones, and epochs that are broken off. */
  @Test
  void shouldLeaveNeitherDescriptorsNorMemory(@TempDir Path directory) throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the system lists no descriptors");
    List<String> said = run("-Xmx64m", List.of("open", directory.toString()));
    assertThat(said.get(0)).as("descriptors more").isEqualTo("0");
    // A decoder of this size holds about 1 MB: a thousand of them would show.
    assertThat(Long.parseLong(said.get(1))).as("kB more").isLessThan(24 << 10);
  }

  /** Returns the lines that the program prints; the JVM may warn in its standard error. */
  private static List<String> run(String heap, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(heap, "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MediaMutants.class.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
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
