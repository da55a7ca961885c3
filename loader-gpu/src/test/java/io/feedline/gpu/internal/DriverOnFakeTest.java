package io.feedline.gpu.internal;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

@EnabledIfFakeCuda
class DriverOnFakeTest extends DriverContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  @BeforeEach
  void slowDown() {
    fake.control().devices(2);
    fake.control().uploadDelay(Duration.ofMillis(3));
  }
}
