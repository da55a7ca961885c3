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
}
