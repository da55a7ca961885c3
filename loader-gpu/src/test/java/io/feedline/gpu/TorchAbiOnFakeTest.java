package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FreshFakeCuda;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With the CPU's tensors in the place of a GPU's, and the fake driver's legacy stream. */
@EnabledIfFakeCuda
class TorchAbiOnFakeTest extends TorchAbiContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  TorchAbiOnFakeTest() {
    super(Device.cpu(), 16, 5);
  }

  @Override
  void settle() {
    context.stream(0).synchronize();
  }
}
