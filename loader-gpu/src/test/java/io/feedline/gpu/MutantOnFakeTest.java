package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FreshFakeCuda;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@EnabledIfFakeCuda
@Tag("once")
class MutantOnFakeTest extends MutantContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  @BeforeEach
  void slowDown() {
    fake.control().uploadDelay(Duration.ofMillis(20));
  }

  @Override
  Device device() {
    return Device.cpu();
  }

  @Override
  Pages pages() {
    return new Pages(16);
  }

  @Override
  void occupy() {
    fake.control().legacyDelay(Duration.ofMillis(50));
  }
}
