package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.djl.Device;
import com.sun.jna.NativeLibrary;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A machine without a GPU notices nothing of GPUs, unless the user asks for one. */
class CpuOnlyTest {

  private static final String NO_DRIVER =
      "no CUDA driver: libcuda.so.1: cannot open shared object file: No such file or directory;"
          + " install NVIDIA's driver, or start the container with its GPUs (docker run --gpus"
          + " all)";

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLoadNothingOfTheDriver(@TempDir Path directory) throws Exception {
    assertNothingLoaded(CpuEpoch.fork(directory));
  }

  static void assertNothingLoaded(CpuEpoch.Result result) {
    assertThat(result.status()).as("%s", result.output()).isZero();
    // Where CUDA's runtime is installed DJL asks it for GPUs, and that asks the driver.
    String engine = line(result, CpuEpoch.ENGINE);
    assertThat(line(result, CpuEpoch.ALL)).isEqualTo(engine);
    assertThat(result.classes())
        .contains("io.feedline.gpu.DeviceLoader", "io.feedline.gpu.DjlDataset")
        .doesNotContain(
            "io.feedline.gpu.CudaFeed",
            "io.feedline.gpu.TorchAbi",
            "io.feedline.gpu.internal.NativeDriver");
  }

  private static String line(CpuEpoch.Result result, String title) {
    return result.output().stream()
        .filter(line -> line.startsWith(title))
        .map(line -> line.substring(title.length()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldSayOnceThatMemoryIsNotPinnedWithoutADriver() {
    assumeThat(driverIsThere()).as("a CUDA driver").isFalse();
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Float> host =
            DataLoader.builder(Dataset.of(20, i -> (float) i)).allocator(allocator).build();
        DeviceLoader loader = DeviceLoader.of(host, Device.cpu())) {
      int batches = 0;
      for (DeviceBatch batch : loader) {
        assertThat(batch.tensor(0).getFloat(0)).isEqualTo(batches++);
        batch.close();
      }
      assertThat(batches).isEqualTo(20);
      assertThat(allocator.fallback()).hasValue(NO_DRIVER);
      assertThat(allocator.pinned()).isFalse();
      assertThat(allocator.pageableBytes()).isPositive();
      assertThat(log.lines("PinnedAllocator"))
          .singleElement()
          .asString()
          .endsWith(
              "WARN io.feedline.gpu.PinnedAllocator - batches for gpu(0) go to pageable memory,"
                  + " which is slower: "
                  + NO_DRIVER);
    }
  }

  /** Does not call it. */
  private static boolean driverIsThere() {
    try {
      NativeLibrary.getInstance("libcuda.so.1");
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }
}
