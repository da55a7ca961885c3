package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.types.Shape;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FreshFakeCuda;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With the CPU's tensors in the place of a GPU's, and the fake driver's legacy stream. */
@EnabledIfFakeCuda
class TorchAbiOnFakeTest extends TorchAbiContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  @Override
  Device device() {
    return Device.cpu();
  }

  @Override
  int side() {
    return 16;
  }

  @Override
  int products() {
    return 5;
  }

  /** The CPU computes at once; the legacy stream is kept busy by copies. */
  @Override
  void occupy() {
    fake.control().legacyDelay(Duration.ofMillis(50));
    long address = torch.address(manager.zeros(new Shape(16)));
    context.stream(0).copyOnDevice(address + 32, address, 32);
  }

  @Override
  void settle() {
    context.stream(0).synchronize();
  }
}
