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
class OrderOnFakeTest extends OrderContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  OrderOnFakeTest() {
    super(Device.cpu(), new Pages(16));
  }

  @BeforeEach
  void slowDown() {
    fake.control().uploadDelay(Duration.ofMillis(10));
  }

  /** For far longer than a loaded machine keeps the copying thread from a processor. */
  @Override
  void occupy() {
    fake.control().legacyDelay(Duration.ofMillis(100));
  }
}
