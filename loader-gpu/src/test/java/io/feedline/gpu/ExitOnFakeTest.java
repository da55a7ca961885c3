package io.feedline.gpu;

import io.feedline.gpu.internal.EnabledIfFakeCuda;
import org.junit.jupiter.api.Tag;

@EnabledIfFakeCuda
@Tag("once")
class ExitOnFakeTest extends ExitContract {

  @Override
  String driver() {
    return "fake";
  }
}
