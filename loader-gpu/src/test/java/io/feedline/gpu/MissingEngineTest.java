package io.feedline.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingEngineTest {

  @TempDir private Path cache;

  public static void main(String[] args) {
    try (DataLoader<Float> host = DataLoader.builder(Dataset.of(1, i -> 1f)).build();
        DeviceLoader loader = DeviceLoader.of(host, Device.cpu())) {
      System.out.println("made " + loader);
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }

  @Test
  void shouldNameTheLibrariesThatTheEngineMisses() throws Exception {
    assertThat(outputWithout("pytorch-native", "pytorch-jni"))
        .contains("DJL's engine does not start: ", "Offline mode is enabled")
        .contains("ai.djl.pytorch:pytorch-native-cpu with the classifier of the platform")
        .contains("ai.djl.pytorch:pytorch-jni");
  }

  @Test
  void shouldNameTheEngineThatIsMissing() throws Exception {
    assertThat(outputWithout("pytorch-"))
        .contains("DJL finds no engine on the class path; add ai.djl.pytorch:pytorch-engine");
  }

  /** Runs {@link #main} without the jars whose names begin so, and with an empty cache of DJL's. */
  private String outputWithout(String... jars) throws IOException, InterruptedException {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !startsWithOneOf(Path.of(entry).getFileName().toString(), jars))
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Dai.djl.offline=true",
                    "-DDJL_CACHE_DIR=" + cache,
                    "-cp",
                    classPath,
                    MissingEngineTest.class.getName()))
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("PYTORCH_"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s", output).isZero();
    return output;
  }

  private static boolean startsWithOneOf(String name, String... beginnings) {
    return Arrays.stream(beginnings).anyMatch(name::startsWith);
  }
}
