package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.WaitingDriver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The scenarios of a GPU over the fake driver, with the CPU's tensors as its memory. The orders
 * that PyTorch's own work depends on cannot show here; {@link CopyRingTest} has those.
 */
@EnabledIfFakeCuda
class StreamOnFakeTest extends StreamContract {

  private FakeCudaControl control;

  @BeforeEach
  void begin() throws IOException {
    control = FakeCudaControl.load();
    control.reset();
    control.copyDelay(Duration.ofNanos(20_000));
  }

  @AfterEach
  void end() {
    FakeGpu.end(manager, control);
  }

  @Override
  Device device() {
    return Device.cpu();
  }

  @Override
  Supplier<Cuda> driver() {
    return WaitingDriver::cuda;
  }

  @Override
  List<Device> devices() {
    return List.of(Device.cpu(), Device.cpu());
  }

  @Override
  int elements() {
    return 13;
  }

  @Override
  int side() {
    return 16;
  }

  @Override
  int products() {
    return 2;
  }

  /** A slot is a tensor, which the test counts by itself. */
  @Override
  long usedBytes() {
    return control.pinnedBytes();
  }
}
