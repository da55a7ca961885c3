package io.feedline.gpu;

import org.junit.jupiter.api.Tag;

/** On GPU 0. */
@EnabledIfCuda
@Tag("cuda-exit")
class ExitOnGpuTest extends ExitContract {

  @Override
  String driver() {
    return "gpu";
  }
}
