package io.feedline.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.ptr.LongByReference;
import io.feedline.gpu.cuda.FakeCudaControl.Live;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnabledIfFakeCuda
class FakeCudaTest {
  private FakeCudaControl control;
  private RawCuda cuda;

  @BeforeEach
  void load() throws IOException {
    control = FakeCudaControl.load();
    cuda = Native.load("libcuda.so.1", RawCuda.class);
  }

  @AfterEach
  void reset() {
    control.abandon();
  }

  @Test
  void shouldCountWhatIsLive() {
    assertThat(cuda.cuInit(0)).isZero();
    assertThat(cuda.cuDevicePrimaryCtxRetain(new LongByReference(), 0)).isZero();
    assertThat(control.live()).isEqualTo(new Live(1, 0, 0, 0, 0, 0));
    assertThat(cuda.cuDevicePrimaryCtxRelease_v2(0)).isZero();
    control.assertNothingLeaked();
  }
}
