package io.feedline.gpu;

import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.WaitingDriver;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

abstract class FakeGpuHarness {

  FakeCudaControl control;
  NDManager manager;

  @BeforeEach
  void begin() throws IOException {
    control = FakeCudaControl.load();
    control.reset();
    manager = FakeGpu.manager();
  }

  @AfterEach
  void end() {
    FakeGpu.end(manager, control);
  }

  /** A loader whose batches are filled after they have been given, as on a GPU. */
  DeviceLoader.Builder over(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(Cuda::load);
  }

  /** A loader whose batches are filled when they are given, and may be closed at any time. */
  DeviceLoader.Builder waiting(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(WaitingDriver::cuda);
  }
}
