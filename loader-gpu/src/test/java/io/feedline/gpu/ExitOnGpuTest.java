package io.feedline.gpu;

import org.junit.jupiter.api.Tag;

@EnabledIfCuda
@Tag("cuda-exit")
class ExitOnGpuTest extends ExitContract {

  @Override
  String driver() {
    return "gpu";
  }
}
