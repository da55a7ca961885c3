package io.feedline.gpu;

import ai.djl.Device;
import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-torch")
class TorchAbiOnGpuTest extends TorchAbiContract {

  @Override
  Device device() {
    return Device.gpu(0);
  }

  @Override
  int side() {
    return 1024;
  }

  @Override
  int products() {
    return 100;
  }

  @Override
  void occupy() {
    new Permutation(manager, 4096).occupy(100);
  }

  @Override
  void settle() {
    // What PyTorch does is in the stream that was copied in.
  }
}
