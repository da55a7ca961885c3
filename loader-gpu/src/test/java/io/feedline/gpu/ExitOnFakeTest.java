package io.feedline.gpu;

import io.feedline.gpu.internal.EnabledIfFakeCuda;

/** Over the fake driver, whose threads run until the process has ended. */
@EnabledIfFakeCuda
class ExitOnFakeTest extends ExitContract {

  @Override
  String driver() {
    return "fake";
  }
}
