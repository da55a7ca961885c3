package io.feedline.gpu;

import ai.djl.Device;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-mutants")
class OrderOnGpuTest extends OrderContract {

  private Permutation permutation;

  /** A batch has 256 MiB, which take five milliseconds or more to cross at 55 GB/s. */
  OrderOnGpuTest() {
    super(Device.gpu(0), new Pages(1 << 14));
  }

  @BeforeEach
  void prepare() {
    permutation = new Permutation(manager, 4096);
    permutation.occupy(1);
    computing().synchronize();
  }

  @Override
  void occupy() {
    permutation.occupy(60);
  }
}
