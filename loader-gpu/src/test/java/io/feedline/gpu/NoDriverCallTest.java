package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EnabledIfFakeCuda
class NoDriverCallTest {

  @Test
  void shouldCallNoDriverForTheCpu() throws Exception {
    CpuEpoch.startEngine();
    FakeCudaControl control = FakeCudaControl.load();
    control.reset();

    CpuEpoch.run();

    assertThat(control.calls()).isZero();
  }

  /** The fake is on the library path of the program, which so could load it. */
  @Test
  void shouldNotLoadADriverForTheCpu(@TempDir Path directory) throws Exception {
    CpuOnlyTest.assertNothingLoaded(CpuEpoch.fork(directory));
  }
}
