package io.feedline.gpu;

import ai.djl.Device;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-mutants")
class MutantOnGpuTest extends MutantContract {

  private BusyGpu gpu;

  @BeforeEach
  void prepare() {
    gpu = new BusyGpu(manager, computing());
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
    gpu.occupy();
  }
}
