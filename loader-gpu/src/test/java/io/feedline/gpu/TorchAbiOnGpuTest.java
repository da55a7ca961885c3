package io.feedline.gpu;

import ai.djl.Device;
import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-torch")
class TorchAbiOnGpuTest extends TorchAbiContract {

  TorchAbiOnGpuTest() {
    super(Device.gpu(0), 1024, 100);
  }

  @Override
  void settle() {
    // What PyTorch does is in the stream that was copied in.
  }
}
