package io.feedline.gpu;

import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.FreshFakeCuda;
import io.feedline.gpu.internal.HookedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

abstract class FakeGpuHarness {

  @RegisterExtension final FreshFakeCuda fake = new FreshFakeCuda();

  FakeCudaControl control;
  NDManager manager;

  @BeforeEach
  void begin() {
    control = fake.control();
    manager = FakeGpu.manager();
  }

  @AfterEach
  void end() {
    manager.close();
  }

  /** A loader whose batches are filled after they have been given, as on a GPU. */
  DeviceLoader.Builder over(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(Cuda::load);
  }

  /** A loader whose batches are filled when they are given, and may be closed at any time. */
  DeviceLoader.Builder waiting(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(HookedDriver::waiting);
  }
}
