package io.feedline.gpu;

import ai.djl.Device;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-mutants")
class OrderOnGpuTest extends OrderContract {

  private Permutation permutation;

  @BeforeEach
  void prepare() {
    permutation = new Permutation(manager, 4096);
    permutation.occupy(1);
    computing().synchronize();
  }

  @Override
  Device device() {
    return Device.gpu(0);
  }

  /** A batch has 256 MiB, which take five milliseconds or more to cross at 55 GB/s. */
  @Override
  Pages pages() {
    return new Pages(1 << 14);
  }

  @Override
  void occupy() {
    permutation.occupy(60);
  }
}
