package io.feedline.gpu;

import io.feedline.gpu.internal.EnabledIfFakeCuda;
import org.junit.jupiter.api.Tag;

/** Over the fake driver, whose threads run until the process has ended. */
@EnabledIfFakeCuda
@Tag("once")
class ExitOnFakeTest extends ExitContract {

  @Override
  String driver() {
    return "fake";
  }
}
