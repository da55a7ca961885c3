package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledIfFakeCuda
class DriverAdviceOnFakeTest extends FakeGpuHarness {

  @ParameterizedTest
  @CsvSource({
    "12020, cu130, 'needs CUDA 13: take a newer driver (580 or later), or a library for CUDA 12'",
    "11040, cu128, 'needs CUDA 12: take a newer driver (525 or later), or a library for CUDA 11'",
    "13000, cpu, pytorch-native-cpu must go",
  })
  void shouldSayWhatToChange(int driver, String flavor, String advice) {
    control.driverVersion(driver);
    assertThat(Devices.driverAdvice(Cuda::load, flavor)).endsWith(advice);
  }

  /** Libraries run on each driver of their major version, by NVIDIA's promise. */
  @ParameterizedTest
  @CsvSource({"13000, cu128", "12000, cu128", "12000, cu118-precxx11", "12000, ''"})
  void shouldTellWhatThereIsWhereTheDriverIsNewEnough(int driver, String flavor) {
    control.driverVersion(driver);
    control.devices(2);
    assertThat(Devices.driverAdvice(Cuda::load, flavor))
        .isEqualTo("; NVIDIA's driver has 2 GPUs and supports CUDA %d.0".formatted(driver / 1000));
  }

  @Test
  void shouldSayWhyTheDriverDoesNotStart() {
    control.devices(0);
    assertThat(Devices.driverAdvice(Cuda::load, "cu128")).startsWith("; ").contains("100");
  }
}
