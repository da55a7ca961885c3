package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.jna.NativeLibrary;
import io.feedline.gpu.cuda.CudaException;
import org.junit.jupiter.api.Test;

class CudaTest {

  @Test
  void shouldSayInOneLineThatThereIsNoDriver() {
    assumeThat(driverIsThere()).as("a CUDA driver").isFalse();

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(Cuda::load)
          .isInstanceOfSatisfying(
              CudaException.class,
              e -> {
                assertThat(e.code()).isEqualTo(CudaException.NO_DRIVER);
                assertThat(e.name()).isEqualTo("no CUDA driver");
                assertThat(e.call()).isEqualTo("loading " + NativeDriver.libraryName());
                assertThat(e.hint()).contains("install NVIDIA's driver", "docker run --gpus all");
                assertThat(e.sticky()).isFalse();
                assertThat(e.getMessage().lines()).hasSize(1);
                assertThat(e.getMessage())
                    .startsWith("no CUDA driver: ")
                    .contains(NativeDriver.libraryName())
                    .endsWith("; " + e.hint());
              })
          .hasCauseInstanceOf(UnsatisfiedLinkError.class);
    }
  }

  private static boolean driverIsThere() {
    try {
      NativeLibrary.getInstance(NativeDriver.libraryName());
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  @Test
  void shouldTellWhatThereIs() {
    Cuda cuda = FakeDriver.of(Schedule.lazy()).devices(3).cuda();

    assertThat(cuda.driverVersion()).isEqualTo(12080);
    assertThat(cuda.deviceCount()).isEqualTo(3);
    assertThat(cuda.deviceName(2)).isEqualTo("Fake GPU 2");
    assertThat(cuda.pciBusId(0)).isEqualTo("0000:01:00.0");
  }

  @Test
  void shouldGiveTheContextOfEachGpu() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy()).devices(2);
    Cuda cuda = driver.cuda();
    try (CudaContext context = cuda.context(1);
        CudaContext again = cuda.context(1)) {
      assertThat(context.ordinal()).isEqualTo(1);
      assertThat(context).hasToString("CudaContext(GPU 1)");
      assertThat(again).isNotSameAs(context);
      assertThat(driver.live().contexts()).isEqualTo(2);
    }
    driver.assertNothingLeft();
  }

  @Test
  void shouldSayWhichGpuThereIsNot() {
    Cuda cuda = FakeDriver.of(Schedule.lazy()).cuda();

    assertThatThrownBy(() -> cuda.context(1))
        .isInstanceOf(CudaException.class)
        .hasMessage(
            "cuDeviceGet of GPU 1 failed: CUDA_ERROR_INVALID_DEVICE (101); there is no GPU of this"
                + " number: nvidia-smi -L lists those there are");
    assertThatThrownBy(() -> cuda.deviceName(-1)).hasMessageContaining("GPU -1");
  }

  @Test
  void shouldKeepNoContextIfAnyCallFails() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy());
    Cuda cuda = driver.cuda();
    for (int nth = 1; nth <= 2; nth++) {
      driver.failCall(nth, CudaException.OUT_OF_MEMORY);
      assertThatThrownBy(() -> cuda.context(0)).isInstanceOf(CudaException.class);
      driver.assertNothingLeft();
    }
    cuda.context(0).close();
    assertThat(driver.calls())
        .endsWith("cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease");
  }
}
