package io.feedline.gpu.internal;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

@EnabledIfFakeCuda
class DriverOnFakeTest extends DriverContract {

  private FakeCudaControl control;

  @BeforeEach
  void begin() throws IOException {
    control = FakeCudaControl.load();
    control.reset();
    control.devices(2);
    control.uploadDelay(Duration.ofMillis(3));
  }

  @AfterEach
  void end() {
    try {
      control.assertNothingLeaked();
    } finally {
      control.abandon();
    }
  }
}
