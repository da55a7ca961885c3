package io.feedline.gpu;

import ai.djl.Device;

/** PyTorch's tensors and stream on GPU 0. */
@EnabledIfCuda
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

  /** A tenth of a second or more, where a copy takes a tenth of a millisecond. */
  @Override
  void occupy(Permutation permutation) {
    permutation.occupy(2000);
  }

  @Override
  void settle() {
    // What PyTorch does is in the stream that was copied in.
  }
}
