package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.types.Shape;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** With the CPU's tensors in the place of a GPU's, and the fake driver's legacy stream. */
@EnabledIfFakeCuda
class TorchAbiOnFakeTest extends TorchAbiContract {

  private FakeCudaControl control;

  @Override
  @BeforeEach
  void open() {
    try {
      control = FakeCudaControl.load();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    control.reset();
    super.open();
  }

  @Override
  @AfterEach
  void close() {
    super.close();
    FakeGpu.end(manager, control);
  }

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
    control.legacyDelay(Duration.ofMillis(50));
    long address = torch.address(manager.zeros(new Shape(16)));
    context.stream(0).copyOnDevice(address + 32, address, 32);
  }

  @Override
  void settle() {
    context.stream(0).synchronize();
  }
}
