package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FreshFakeCuda;
import io.feedline.gpu.internal.HookedDriver;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The scenarios of a GPU over the fake driver, with the CPU's tensors as its memory. The orders
 * that PyTorch's own work depends on cannot show here; {@link CopyRingTest} has those.
 */
@EnabledIfFakeCuda
class StreamOnFakeTest extends StreamContract {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  StreamOnFakeTest() {
    super(Device.cpu(), 13, 16, 2);
  }

  @BeforeEach
  void slowDown() {
    fake.control().copyDelay(Duration.ofNanos(20_000));
  }

  @Override
  Supplier<Cuda> driver() {
    return HookedDriver::waiting;
  }

  @Override
  List<Device> devices() {
    return List.of(Device.cpu(), Device.cpu());
  }
}
