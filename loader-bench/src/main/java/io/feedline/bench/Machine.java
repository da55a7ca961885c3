package io.feedline.bench;

import io.feedline.formats.internal.VectorApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine on which a figure was measured.
 *
 * @param processors the number of processors that the JVM may use
 * @param processor the model, as Linux calls it; elsewhere the architecture
 * @param jdk vendor and version; the same version differs between vendors
 * @param kernels the code that computes pixels: {@code vector} or {@code plain}; known after an
 *     image has been decoded
 */
record Machine(int processors, String processor, String jdk, String kernels) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /**
   * Returns this machine.
   *
   * @throws IOException if {@code /proc/cpuinfo} exists but cannot be read
   */
  static Machine here() throws IOException {
    List<String> cpuInfo =
        Files.isReadable(CPU_INFO) ? Files.readAllLines(CPU_INFO) : List.<String>of();
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        model(cpuInfo),
        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
        VectorApi.inUse() ? "vector" : "plain");
  }

  /** Returns the first processor's model, from the lines of {@code /proc/cpuinfo}. */
  static String model(List<String> cpuInfo) {
    return cpuInfo.stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  @Override
  public String toString() {
    return "%d x %s, %s, JDK %s, %s kernels"
        .formatted(processors, processor, System.getProperty("os.name"), jdk, kernels);
  }
}
