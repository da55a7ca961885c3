package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FreshFakeCuda;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

@EnabledIfFakeCuda
class OverlapOnFakeTest extends OverlapContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  @Override
  Device device() {
    return Device.cpu();
  }

  @Override
  Pages pages() {
    return new Pages(4);
  }

  /**
   * Each operation, so a batch's reading and what marks its end too: for far longer than a loaded
   * machine keeps the copying thread from a processor.
   */
  @Override
  void occupy() {
    fake.control().legacyDelay(Duration.ofMillis(100));
    fake.control().uploadDelay(Duration.ofMillis(5));
  }
}
